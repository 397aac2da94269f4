import Console
import JSON
import Traces
import Workbench
import Workspace

/// Drives a trace panel without a shell: does at once what it asks the engine for, and writes down the rest.
final class PanelDriver {
    private(set) var panel: TracePanel
    let workspace: Workspace
    private(set) var size: Size
    /// Sentences, oldest first.
    private(set) var notices: [String] = []
    private(set) var copies: [String] = []
    private(set) var waits: [String: (duration: Duration, answer: TraceAnswer)] = [:]
    private(set) var prompt: Prompt<TraceAnswer>?
    private(set) var jobs: [String] = []
    /// How often it asked to go back to where it was opened from.
    private(set) var backs = 0
    private(set) var refusals: [String] = []
    private(set) var failures: [String] = []

    init(
        _ workspace: Workspace, size: Size = Size(120, 40), saved: String? = nil, settings: [String: String] = [:]
    ) {
        self.workspace = workspace
        self.size = size
        panel = TracePanel(
            PanelContext(workspace: workspace, settings: Place.settings(settings), now: Place.now))
        resize(to: size)
        run(panel.update(.start(saved: saved)))
    }

    // MARK: What a person does

    /// An action, unless the panel says that it cannot run now.
    func act(_ actions: TraceAction...) {
        for action in actions {
            if let reason = panel.disabledReason(action) {
                refusals.append(reason)
            } else {
                run(panel.update(.action(action)))
            }
        }
    }

    func click(_ action: Mouse.Action, column: Int, row: Int) {
        run(panel.update(.mouse(Mouse(action, at: Point(column: column, row: row)))))
    }

    func resize(to size: Size) {
        self.size = size
        run(panel.update(.resize(Rect(size))))
    }

    /// Types a line into the panel's prompt; a live prompt reports the typed text first.
    func type(_ text: String) {
        guard let asked = prompt else { return }
        prompt = nil
        if let live = asked.live {
            for count in 1...max(1, text.count) { run(panel.update(.answer(live(String(text.prefix(count)))))) }
        }
        run(panel.update(.answer(asked.accept(text))))
    }

    /// Leaves the line that the panel has asked for.
    func leaveLine() {
        guard let asked = prompt else { return }
        prompt = nil
        if let answer = asked.cancelled { run(panel.update(.answer(answer))) }
    }

    /// Lets the time pass that the panel waits for under a key.
    func pass(_ key: String) {
        if let wait = waits.removeValue(forKey: key) { run(panel.update(.answer(wait.answer))) }
    }

    func tellOfChange() { run(panel.update(.changed)) }

    func open(_ reference: Reference) -> Bool {
        guard let effects = panel.open(reference) else { return false }
        run(effects)
        return true
    }

    /// The panel as it comes back at the next start.
    func restarted() -> PanelDriver { PanelDriver(workspace, size: size, saved: panel.save()) }

    // MARK: What a person sees

    var screen: Surface {
        var surface = Surface(size)
        panel.render(into: &surface, area: Rect(size), theme: .dark)
        return surface
    }

    var text: String { screen.textDump }
    var span: Int? { panel.selection.flatMap { $0.kind == .span ? Int($0.path[1]) : nil } }
    var trace: Int64? { panel.selection?.path.first }
    var pane: String { saved("pane") }

    /// A text that the panel keeps for the next start.
    func saved(_ key: StaticString) -> String {
        let document = try? JSONDocument(parsing: panel.save())
        return document?.withRoot { $0[key]?.string } ?? ""
    }

    // MARK: The engine

    private func run(_ effects: [Effect<TraceAnswer>]) {
        var waiting = effects[...]
        while let effect = waiting.popFirst() {
            switch effect {
            case .ask(let key, let work): waiting += attempt(key) { try work(Cancellation()) }
            case .write(let key, let work): waiting += attempt(key) { try work() }
            case .job(let request):
                jobs.append(request.title)
                waiting += attempt(request.title) {
                    let handle = try workspace.jobs.start(request.kind, title: request.title)
                    let answer = try request.work(handle)
                    try handle.finish()
                    return answer
                }
            case .cancel(let key): waits[key] = nil
            case .wait("text", _, let answer): waiting += panel.update(.answer(answer))[...]
            case .wait(let key, let duration, let answer): waits[key] = (duration, answer)
            case .prompt, .choose, .browse, .fill, .question: prompt = effect.asked
            case .copy(let text, _): copies.append(text)
            case .notify(let sentence, _): notices.append(sentence)
            case .back: backs += 1
            case .changed: waiting += panel.update(.changed)[...]
            case .open, .offer, .edit, .stream: break
            }
        }
    }

    private func attempt(_ key: String, _ work: () throws -> TraceAnswer) -> ArraySlice<Effect<TraceAnswer>> {
        do {
            return panel.update(.answer(try work()))[...]
        } catch {
            failures.append("\(error)")
            return panel.update(.failed(key: key, sentence: "\(error)"))[...]
        }
    }
}
