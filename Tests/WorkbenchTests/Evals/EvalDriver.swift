import Console
import Evals
import Synchronization
import Workbench
import Workspace

/// Drives an eval panel without a shell: does at once what it asks for, and writes down the rest.
final class EvalDriver {
    private(set) var panel: EvalPanel
    let desk: MemoryEvalDesk
    private let made: TestWorkspace
    private(set) var size: Size
    private(set) var notices: [String] = []
    private(set) var copies: [String] = []
    private(set) var failures: [String] = []
    private(set) var refusals: [String] = []
    private(set) var opened: [Reference] = []
    private(set) var offered: [Reference] = []
    private(set) var jobs: [String] = []
    private(set) var waits: [String: EvalAnswer] = [:]
    private(set) var prompt: Prompt<EvalAnswer>?
    /// What the last question says above its answers.
    private(set) var questionLines: [String] = []
    private(set) var backs = 0
    private var keymap = Keymap(EvalPanel.bindings)

    init(
        _ desk: MemoryEvalDesk = EvalWorkspace.desk(), size: Size = Size(120, 40), saved: String? = nil,
        rater: String = "ada"
    ) throws {
        self.desk = desk
        self.size = size
        made = try TestWorkspace()
        panel = EvalPanel(
            PanelContext(workspace: made.workspace, settings: Place.settings(), now: Place.now), desk: desk)
        run(panel.update(.resize(Rect(size))))
        // The rater is the user who runs the tests, unless a screen sets another name.
        run(panel.update(.start(saved: saved ?? #"{"rater": "\#(rater)"}"#)))
    }

    /// Keys in the notation of `--keys`; text where a line is asked for is typed with `type`.
    func press(_ keys: String) throws {
        for key in try KeyNotation.typed(keys) {
            guard case .action(let action) = keymap.press(key) else { continue }
            if let reason = panel.disabledReason(action) {
                refusals.append(reason)
            } else {
                run(panel.update(.action(action)))
            }
        }
    }

    /// Types a line into the panel's prompt; a live prompt reports the typed text first.
    func type(_ text: String) {
        guard let asked = prompt else { return }
        prompt = nil
        if let live = asked.live { run(panel.update(.answer(live(text)))) }
        run(panel.update(.answer(asked.accept(text))))
    }

    func command(_ name: String, _ words: String...) {
        if let effects = panel.run(command: name, words: words) { run(effects) }
    }

    /// Lets the time pass that the panel waits for under a key.
    func pass(_ key: String) {
        if let answer = waits.removeValue(forKey: key) { run(panel.update(.answer(answer))) }
    }

    func open(_ reference: Reference) -> Bool {
        guard let effects = panel.open(reference) else { return false }
        run(effects)
        return true
    }

    func resize(to size: Size) {
        self.size = size
        run(panel.update(.resize(Rect(size))))
    }

    func surface(_ theme: Theme = .dark) -> Surface {
        var surface = Surface(size)
        panel.render(into: &surface, area: surface.bounds, theme: theme)
        return surface
    }

    var text: String { surface().textDump }

    func rows(with part: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { $0.contains(part) }
    }

    private func run(_ effects: [Effect<EvalAnswer>]) {
        var waiting = effects[...]
        while let effect = waiting.popFirst() {
            switch effect {
            case .ask(let key, let work): waiting += attempt(key) { try work(Cancellation()) }
            case .write(let key, let work): waiting += attempt(key) { try work() }
            case .stream(let key, let work):
                let told = Mutex<[EvalAnswer]>([])
                let last = attempt(key) {
                    let last = try work(Cancellation()) { answer in told.withLock { $0.append(answer) } }
                    for answer in told.withLock({ $0 }) { waiting += panel.update(.answer(answer))[...] }
                    return last
                }
                waiting += last
            case .job(let request):
                jobs.append(request.title)
                waiting += attempt(request.title) {
                    let handle = try made.workspace.jobs.start(request.kind, title: request.title)
                    let answer = try request.work(handle)
                    try handle.finish()
                    return answer
                }
            case .cancel(let key): waits[key] = nil
            case .wait("text", _, let answer): waiting += panel.update(.answer(answer))[...]
            case .wait(let key, _, let answer): waits[key] = answer
            case .prompt, .choose, .browse, .fill, .question:
                prompt = effect.asked
                if case .question(let question) = effect { questionLines = question.lines }
            case .copy(let text, _): copies.append(text)
            case .notify(let sentence, _): notices.append(sentence)
            case .open(let reference): opened.append(reference)
            case .offer(let reference): offered.append(reference)
            case .back: backs += 1
            case .changed: waiting += panel.update(.changed)[...]
            case .edit: break
            }
        }
    }

    private func attempt(_ key: String, _ work: () throws -> EvalAnswer) -> ArraySlice<Effect<EvalAnswer>> {
        do {
            return panel.update(.answer(try work()))[...]
        } catch {
            failures.append("\(error)")
            return panel.update(.failed(key: key, sentence: "\(error)"))[...]
        }
    }
}
