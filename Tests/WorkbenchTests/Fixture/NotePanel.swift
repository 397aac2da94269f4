import Console
import Workbench
import Workspace

/// A second panel for the shell's tests: shows which span it was given, and has a job that goes step by step.
struct NotePanel: Panel {
    enum Action: Hashable, Sendable { case count, count2, part, ask, fail, raise, follow }
    enum Answer: Sendable { case counted(Int), line(String), followed }

    static let identifier = "notes"
    static let title = "Notes"
    static let opens: Set<Reference.Kind> = [.span, .init(rawValue: "note")]

    static let bindings: [Binding<Action>] = [
        Binding("c", .count, name: "count", description: "count slowly", group: "Notes", hint: "count"),
        Binding("C", .count2, name: "count-again", description: "count in a second job", group: "Notes"),
        Binding("p", .part, name: "count-part", description: "count a part", group: "Notes"),
        Binding("a", .ask, name: "ask", description: "ask for a line", group: "Notes"),
        Binding("F", .fail, name: "fail", description: "ask for what cannot be done", group: "Notes"),
        Binding("gg", .raise, name: "raise", description: "a sequence", group: "Notes"),
        Binding("b", .follow, name: "follow", description: "back to where this was opened from", group: "Notes"),
    ]

    private var shown: Reference?
    private var note = "nothing yet"

    init(_ context: PanelContext) {}

    var selection: Reference? { shown }

    mutating func update(_ event: Event<Action, Answer>) -> [Effect<Answer>] {
        switch event {
        case .start(let saved): note = saved ?? note
        case .action(.count): return [count("count")]
        case .action(.count2): return [count("again")]
        case .action(.part):
            return [
                .job(
                    JobRequest("notes.count", title: "part") { job in
                        // Ends without an error when it is canceled, as evals do.
                        do { try job.advance(by: 1, of: 10, unit: "notes") } catch {}
                        return .counted(1)
                    })
            ]
        case .action(.ask): return [.prompt(Prompt("say ", accept: { .line($0) }))]
        case .action(.fail): return [.ask(key: "fail") { _ in throw Impossible() }]
        case .action(.raise): note = "raised"
        case .action(.follow): return [.back]
        case .answer(.counted(let count)): note = "counted to \(count)"
        case .answer(.line(let line)): note = "heard \(line)"
        case .answer(.followed), .mouse, .resize, .failed, .changed: break
        }
        return []
    }

    private func count(_ title: String) -> Effect<Answer> {
        .job(
            JobRequest("notes.count", title: title) { job in
                for _ in 0..<10 { try job.advance(by: 1, of: 10, unit: "notes") }
                return .counted(10)
            })
    }

    func render(into surface: inout Surface, area: Rect, theme: Theme) {
        surface.put("notes on \(shown?.text ?? "nothing")", at: area.origin, style: theme[.text])
        surface.put(note, at: Point(column: area.column, row: area.row + 1), style: theme[.text])
    }

    mutating func open(_ reference: Reference) -> [Effect<Answer>]? {
        guard Self.opens.contains(reference.kind), reference.path.first != 404 else { return nil }
        shown = reference
        return []
    }

    func preview(of reference: Reference) -> Preview.Work {
        { _ in reference.path.first == 404 ? .nothing("there is no such note") : .shows("a note on \(reference.title)")
        }
    }

    func disabledReason(_ action: Action) -> String? {
        action == .raise && shown == nil ? "open a span here first" : nil
    }

    func save() -> String { note }

    struct Impossible: Error, CustomStringConvertible {
        var description: String { "it cannot be done: there is no such note" }
    }
}
