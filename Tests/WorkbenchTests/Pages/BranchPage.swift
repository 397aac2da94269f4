import Console
import Workbench

/// A page with one tree.
struct BranchPage: Page {
    static let about = PageInfo("branches", "Branches")

    enum PaneName: String, Sendable {
        case tree
    }

    var screen = Screen(PaneName.tree)
    var tree = Tree(TreeShape(depths: [0, 1, 1]))
    static let names = ["root", "twig", "leaf"]

    init(_ context: PanelContext) {}

    static func actions(_ actions: inout Actions<Self>) {
        actions.add("h", "left", name: "left", "close the branch, or go to its parent") { $0.tree.move(.columns(-1)) }
        actions.add("l", "right", name: "right", "open the branch, or go into it") { $0.tree.move(.columns(1)) }
    }

    static var panes: [Pane<Self>] {
        [
            .tree(.tree, \.tree, frame: { _ in Frame("Branches") }) { _, surface, row, theme in
                surface.put(names[row.node], at: row.area.origin, style: row.style(.text, theme))
            }
        ]
    }

    func layout(in size: Size) -> PaneTree<PaneName> { .pane(.tree) }
}
