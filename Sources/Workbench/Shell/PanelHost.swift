package import Console

/// A type-erased panel.
package protocol PanelHosting: AnyObject {
    var identifier: String { get }
    var title: String { get }
    var opens: Set<Reference.Kind> { get }
    var homeOf: Set<Reference.Kind> { get }
    var selection: Reference? { get }
    /// Typed start of a key sequence, such as `]`.
    var pendingKeys: String { get }
    /// Discards the typed start of a key sequence.
    func cancelPendingKeys()
    /// Names of the panel's actions and commands, for the `:` line.
    var commandNames: [String] { get }
    var hints: [KeyHint] { get }
    var help: [HelpView.Group] { get }
    /// Actions with their current keys.
    var keyActions: [BoundAction] { get }
    /// Actions as entries of the palette.
    var paletteItems: [Choice<PaletteEntry>] { get }
    var isStarted: Bool { get }

    /// Applies keys that changed while the workbench runs.
    func rebind(_ rebindings: KeyRebindings)
    func start(saved: String?) -> [ShellEffect]
    func press(_ key: Key) -> KeyOutcome
    func run(command: String) -> KeyOutcome
    func run(command: String, words: [String]) -> [ShellEffect]?
    func click(_ mouse: Mouse) -> [ShellEffect]
    func place(_ area: Rect) -> [ShellEffect]
    func answer(_ value: any Sendable) -> [ShellEffect]
    /// Receives one of possibly many values of a stream in a frame; `settle` follows after the last.
    func collect(_ value: any Sendable) -> [ShellEffect]
    /// Updates everything that depends on the collected values.
    func settle() -> [ShellEffect]
    func fail(key: String, sentence: String) -> [ShellEffect]
    func workspaceChanged() -> [ShellEffect]
    func open(_ reference: Reference) -> [ShellEffect]?
    func preview(of reference: Reference) -> Preview.Work
    func save() -> String
    func render(into surface: inout Surface, area: Rect, theme: Theme)
}

/// The outcome of a key.
package enum KeyOutcome {
    /// The panel handled the key.
    case done([ShellEffect])
    /// The key starts a sequence.
    case waits
    /// The action is disabled; the text says why.
    case refused(String)
    case unbound
}

/// An effect with type-erased answers; the host restores the type.
package typealias ShellEffect = Effect<any Sendable>

/// Holds one panel: resolves its keys and wraps its effects.
final class PanelHost<P: Panel>: PanelHosting {
    private var panel: P
    private var keymap: Keymap<P.Action>
    private(set) var isStarted = false

    /// Actions disabled because they write and the workspace is read-only.
    private let refused: Set<P.Action>

    init(_ panel: P, keymap: Keymap<P.Action>, isReadOnly: Bool) {
        self.panel = panel
        self.keymap = keymap
        refused = isReadOnly ? Set(keymap.bindings.filter(\.isWriting).map(\.action)) : []
    }

    private func disabledReason(_ action: P.Action) -> String? {
        refused.contains(action) ? P.readOnlyReason : panel.disabledReason(action)
    }

    func rebind(_ rebindings: KeyRebindings) {
        keymap = Keymap(P.bindings, rebindings: rebindings, panel: P.identifier)
    }

    var identifier: String { P.identifier }
    var title: String { P.title }
    var opens: Set<Reference.Kind> { P.opens }
    var homeOf: Set<Reference.Kind> { P.homeOf }
    var selection: Reference? { panel.selection }
    var pendingKeys: String { keymap.pendingText }
    func cancelPendingKeys() { keymap.cancelPending() }

    var commandNames: [String] { P.commands + keymap.bindings.map(\.name) }
    var hints: [KeyHint] {
        let all = worded
        return (all.filter(\.isFirst) + all.filter { !$0.isFirst }).compactMap { binding, _ in
            guard let hint = binding.hint, let key = binding.keys.first, disabledReason(binding.action) == nil
            else { return nil }
            return KeyHint(KeyLabel.text(key), hint)
        }
    }
    var help: [HelpView.Group] { HelpView.groups(of: worded.map(\.binding), disabled: disabledReason) }

    /// Bindings in the words of the current page.
    private var worded: [(binding: Binding<P.Action>, isFirst: Bool)] {
        keymap.bindings.map { binding in
            guard let wording = panel.wording(binding.action) else { return (binding, false) }
            var worded = binding
            worded.hint = wording.hint
            worded.description = wording.description ?? binding.description
            return (worded, wording.isFirst)
        }
    }

    var paletteItems: [Choice<PaletteEntry>] {
        keymap.bindings.map { binding in
            Choice(
                binding.description, group: binding.name, facts: [binding.label],
                disabledReason: disabledReason(binding.action), value: .panel(binding.name))
        }
    }

    var keyActions: [BoundAction] { keymap.bindings.map { BoundAction($0) } }

    func start(saved: String?) -> [ShellEffect] {
        isStarted = true
        return send(.start(saved: saved))
    }

    func press(_ key: Key) -> KeyOutcome {
        switch keymap.press(key) {
        case .action(let action): perform(action)
        case .pending: .waits
        case .unbound: .unbound
        }
    }

    func run(command: String, words: [String]) -> [ShellEffect]? {
        panel.run(command: command, words: words)?.map(erase)
    }

    func run(command: String) -> KeyOutcome {
        guard let binding = keymap.binding(named: command) else { return .unbound }
        return perform(binding.action)
    }

    private func perform(_ action: P.Action) -> KeyOutcome {
        if let reason = disabledReason(action) { return .refused(reason) }
        return .done(send(.action(action)))
    }

    func click(_ mouse: Mouse) -> [ShellEffect] { send(.mouse(mouse)) }
    func place(_ area: Rect) -> [ShellEffect] { send(.resize(area)) }
    func fail(key: String, sentence: String) -> [ShellEffect] { send(.failed(key: key, sentence: sentence)) }
    func workspaceChanged() -> [ShellEffect] { send(.changed) }

    func answer(_ value: any Sendable) -> [ShellEffect] {
        guard let answer = value as? P.Answer else { return [] }
        return send(.answer(answer))
    }

    func collect(_ value: any Sendable) -> [ShellEffect] { answer(value) }
    func settle() -> [ShellEffect] { [] }

    func open(_ reference: Reference) -> [ShellEffect]? { panel.open(reference)?.map(erase) }
    func preview(of reference: Reference) -> Preview.Work { panel.preview(of: reference) }
    func save() -> String { panel.save() }

    func render(into surface: inout Surface, area: Rect, theme: Theme) {
        panel.render(into: &surface, area: area, theme: theme)
    }

    private func send(_ event: Event<P.Action, P.Answer>) -> [ShellEffect] { panel.update(event).map(erase) }

    private func erase(_ effect: Effect<P.Answer>) -> ShellEffect {
        switch effect {
        case .ask(let key, let work): .ask(key: key, work: { try work($0) })
        case .write(let key, let work): .write(key: key, work: { try work() })
        case .stream(let key, let work): .stream(key: key, work: { cancellation, tell in try work(cancellation, tell) })
        case .job(let job):
            .job(JobRequest(job.kind, title: job.title, arguments: job.arguments) { try job.work($0) })
        case .cancel(let key): .cancel(key: key)
        case .wait(let key, let duration, let answer): .wait(key: key, for: duration, then: answer)
        case .prompt(let prompt): .prompt(erase(prompt))
        case .choose(let request): .choose(erase(request))
        case .browse(let request): .browse(erase(request))
        case .fill(let request):
            .fill(FormRequest(request.form, cancelled: request.cancelled) { request.accept($0) })
        case .question(let question): .question(question.map { $0 })
        case .copy(let text, let what): .copy(text, what: what)
        case .edit(let path, let answer): .edit(path: path, then: answer)
        case .notify(let sentence, let severity): .notify(sentence, severity)
        case .open(let reference): .open(reference)
        case .offer(let reference): .offer(reference)
        case .back: .back
        case .changed: .changed
        }
    }

    private func erase(_ prompt: Prompt<P.Answer>) -> Prompt<any Sendable> {
        var erased = Prompt<any Sendable>(
            prompt.label, text: prompt.text, isProposal: prompt.isProposal, history: prompt.history,
            complete: prompt.complete,
            accept: { prompt.accept($0) })
        if let live = prompt.live { erased.live = { live($0) } }
        if let cancelled = prompt.cancelled { erased.cancelled = cancelled }
        return erased
    }

    private func erase(_ request: ChoiceRequest<P.Answer>) -> ChoiceRequest<any Sendable> {
        var erased = ChoiceRequest<any Sendable>("", many: [], cancelled: request.cancelled) { request.accept($0) }
        erased.chooser = request.chooser
        return erased
    }

    private func erase(_ request: FileRequest<P.Answer>) -> FileRequest<any Sendable> {
        FileRequest(
            request.title, request.wanted, from: request.folder, isExpected: request.isExpected,
            cancelled: request.cancelled, accept: { request.accept($0) })
    }
}
