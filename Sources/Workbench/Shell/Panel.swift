package import Console
package import Workspace

/// One screen of the workbench: a value with state that events change, drawn as a whole.
///
/// A panel does not access the terminal and never waits: it requests work from the engine with effects, and results
/// arrive as events. A new panel is one folder under `Panels/` and one line in `Panels.all`.
package protocol Panel {
    /// Actions of keys, the palette, and the mouse.
    associatedtype Action: Hashable & Sendable
    /// Results of effects.
    associatedtype Answer: Sendable

    /// Name in commands and settings, such as `traces`.
    static var identifier: String { get }
    /// Title of the tab.
    static var title: String { get }
    /// The only source of keys, help, footer, palette, and KEYS.md.
    static var bindings: [Binding<Action>] { get }
    /// Kinds of objects that the panel can open.
    static var opens: Set<Reference.Kind> { get }

    /// Kinds of objects that always open in this panel, without asking the user.
    static var homeOf: Set<Reference.Kind> { get }

    init(_ context: PanelContext)

    mutating func update(_ event: Event<Action, Answer>) -> [Effect<Answer>]
    func render(into surface: inout Surface, area: Rect, theme: Theme)
    /// Shows an object of one of the kinds in `opens`; `nil` if the panel cannot show it.
    mutating func open(_ reference: Reference) -> [Effect<Answer>]?
    /// Returns a summary of what `open` would show of an object of one of the kinds in `opens`. `o` offers only panels
    /// that show something.
    func preview(of reference: Reference) -> Preview.Work

    /// Selected object, which `o` opens in another panel and the back stack returns to.
    var selection: Reference? { get }
    /// Returns the reason why an action is disabled, or `nil`.
    func disabledReason(_ action: Action) -> String?
    /// Returns other words for an action that differs from its binding on this page; `nil` uses the binding's words.
    func wording(_ action: Action) -> ActionWording?
    /// Names of `:` commands that take arguments, for completion.
    static var commands: [String] { get }
    /// Runs one of `commands`, or a bare number; `nil` if the command is unknown here.
    mutating func run(command: String, words: [String]) -> [Effect<Answer>]?
    /// Returns the state that `start(saved:)` restores at the next start.
    func save() -> String
}

extension Panel {
    /// Reason why writing actions are disabled in a read-only workspace.
    static var readOnlyReason: String { "This workspace is read-only." }

    package static var homeOf: Set<Reference.Kind> { [] }
    package func wording(_ action: Action) -> ActionWording? { nil }
    package static var commands: [String] { [] }
    package mutating func run(command: String, words: [String]) -> [Effect<Answer>]? { nil }
}

/// Description of an action on the current page, for the footer and for help.
package struct ActionWording: Hashable, Sendable {
    /// One or two words for the footer; `nil` hides the key there.
    package var hint: String?
    /// Phrase for help; `nil` uses the binding's.
    package var description: String?
    /// Whether the action comes first in the footer, because the page exists for it.
    package var isFirst: Bool

    package init(hint: String?, description: String? = nil, isFirst: Bool = false) {
        self.hint = hint
        self.description = description
        self.isFirst = isFirst
    }
}

/// Dependencies of a panel.
package struct PanelContext: Sendable {
    package let workspace: Workspace
    /// Settings for panels, such as the replay pace.
    package let settings: Settings
    /// Returns the wall time in nanoseconds since 1970; tests and `show` set it.
    package let now: @Sendable () -> Int64
    /// Values that the pages of a place share.
    package let states: PlaceStates

    package init(
        workspace: Workspace, settings: Settings, now: @escaping @Sendable () -> Int64,
        states: PlaceStates = PlaceStates()
    ) {
        self.workspace = workspace
        self.settings = settings
        self.now = now
        self.states = states
    }
}
