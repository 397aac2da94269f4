package import Console

/// A page in the shell, without its type.
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
    /// Names of the page's actions and commands, for the `:` line.
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
    /// The page handled the key.
    case done([ShellEffect])
    /// The key starts a sequence.
    case waits
    /// The action is disabled; the text says why.
    case refused(String)
    case unbound
}

/// An effect whose answers have no type; the host restores it.
package typealias ShellEffect = Effect<any Sendable>
