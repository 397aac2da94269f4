import Console
import Workbench
import Workspace

/// A second page for the shell's tests: shows which span it was given, and has a job that goes step by step.
struct NotePage: Page {
    static let about = PageInfo("notes", "Notes", opens: [.span, .init(rawValue: "note")])

    enum PaneName: String, Sendable {
        case note
    }

    var engine: Void { () }
    var screen = Screen(PaneName.note)
    private(set) var selection: Reference?
    private var note = "nothing yet"

    init(_ context: PanelContext) {}

    static func actions(_ actions: inout Actions<Self>) {
        actions.group("Notes")
        actions.add("c", name: "count", "count slowly", hint: "count") { $0.count("count") }
        actions.add("C", name: "count-again", "count in a second job") { $0.count("again") }
        actions.add("p", name: "count-part", "count a part") { page in
            page.job("notes.count", title: "part") { _, job in
                // Ends without an error when it is canceled, as evals do.
                do { try job.advance(by: 1, of: 10, unit: "notes") } catch {}
                return 1
            } then: {
                $0.show(count: $1)
            }
        }
        actions.add("a", name: "ask", "ask for a line") { _ in
            .prompt("say ") { page, line in
                page.note = "heard \(line)"
                return []
            }
        }
        actions.add("F", name: "fail", "ask for what cannot be done") { page in
            page.read("fail") { _ in
                throw Impossible()
            } then: { (_, _: Void) in
                []
            }
        }
        actions.add(
            "gr", name: "raise", "a sequence", unless: { $0.selection == nil ? "open a span here first" : nil }
        ) { $0.note = "raised" }
        actions.add("b", name: "follow", "back to where this was opened from") { _ in .back }
    }

    static var panes: [Pane<Self>] {
        [
            .canvas(.note, frame: { _ in Frame("") }) { page, surface, area, theme in
                surface.put("notes on \(page.selection?.text ?? "nothing")", at: area.origin, style: theme[.text])
                surface.put(page.note, at: Point(column: area.column, row: area.row + 1), style: theme[.text])
            }
        ]
    }

    func layout(in size: Size) -> PaneTree<PaneName> { .pane(.note) }

    private func count(_ title: String) -> Work<Self> {
        job("notes.count", title: title) { _, job in
            for _ in 0..<10 { try job.advance(by: 1, of: 10, unit: "notes") }
            return 10
        } then: {
            $0.show(count: $1)
        }
    }

    private mutating func show(count: Int) -> Work<Self> {
        note = "counted to \(count)"
        return []
    }

    mutating func archive(_ archive: inout Archive) { archive("note", &note) }

    mutating func open(_ reference: Reference) -> Work<Self>? {
        guard reference.path.first != 404 else { return nil }
        selection = reference
        return []
    }

    func preview(of reference: Reference) -> Preview.Work {
        { _ in reference.path.first == 404 ? .nothing("there is no such note") : .shows("a note on \(reference.title)")
        }
    }

    struct Impossible: Error, CustomStringConvertible {
        var description: String { "it cannot be done: there is no such note" }
    }
}
