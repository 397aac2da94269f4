package import Console

/// Actions for moving, with the same keys in every panel.
package protocol MovingAction: Hashable, Sendable {
    static var moveDown: Self { get }
    static var moveUp: Self { get }
    static var pageDown: Self { get }
    static var pageUp: Self { get }
    static var toTop: Self { get }
    static var toEnd: Self { get }
    static var back: Self { get }
    static var nextPane: Self { get }
    static var previousPane: Self { get }
    static var zoom: Self { get }
}

extension Binding where Action: MovingAction {
    /// Group of these keys in help and KEYS.md.
    package static var movingGroup: String { "Moving" }

    /// Bindings for moving between rows.
    package static var rows: [Binding] {
        let group = movingGroup
        return [
            Binding("j", "down", .moveDown, name: "down", description: "go to the next row or line", group: group),
            Binding("k", "up", .moveUp, name: "up", description: "go to the previous row or line", group: group),
            Binding("pgdn", "ctrl-d", .pageDown, name: "page-down", description: "go one page down", group: group),
            Binding("pgup", "ctrl-u", .pageUp, name: "page-up", description: "go one page up", group: group),
            Binding("gg", "home", .toTop, name: "top", description: "go to the first row", group: group),
            Binding("G", "end", .toEnd, name: "end", description: "go to the last row", group: group),
        ]
    }

    /// Bindings for moving between panes.
    package static var panes: [Binding] {
        let group = movingGroup
        return [
            Binding("esc", .back, name: "back", description: "go back one level", group: group),
            Binding(
                "tab", .nextPane, name: "next-pane", description: "go to the next pane", group: group, hint: "pane"),
            Binding(
                "shift-tab", .previousPane, name: "previous-pane", description: "go to the previous pane", group: group),
            Binding("z", .zoom, name: "zoom", description: "show only this pane, or all", group: group, hint: "zoom"),
        ]
    }
}
