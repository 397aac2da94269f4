package import Console
package import Workspace

/// One screen of the workbench: a value with state, changed by events, drawn whole.
///
/// A panel knows no terminal and waits for nothing: what it needs from the engine it asks for with effects, and the
/// value comes back as an event. A new panel is one folder under `Panels/` and one line in `Panels.all`.
package protocol Panel {
    /// What keys, the palette and the mouse can make it do.
    associatedtype Action: Hashable & Sendable
    /// What its effects bring back.
    associatedtype Answer: Sendable

    /// The word in commands and settings: `traces`.
    static var identifier: String { get }
    /// The word on its tab.
    static var title: String { get }
    /// The one source of keys, help, footer, palette and KEYS.md.
    static var bindings: [Binding<Action>] { get }
    /// The kinds of things it can open.
    static var opens: Set<Reference.Kind> { get }

    /// Of these, the ones that are at home here: opened from elsewhere, they come here and nobody is asked where to.
    static var homeOf: Set<Reference.Kind> { get }

    init(_ context: PanelContext)

    mutating func update(_ event: Event<Action, Answer>) -> [Effect<Answer>]
    func render(into surface: inout Surface, area: Rect, theme: Theme)
    /// Shows a thing of one of the kinds in `opens`; nil where it knows nothing about it.
    mutating func open(_ reference: Reference) -> [Effect<Answer>]?
    /// What `open` would show of a thing of one of the kinds in `opens`. `o` offers only panels that show something.
    func preview(of reference: Reference) -> Preview.Work

    /// The thing that is selected: what `o` opens elsewhere, and where the back-stack returns to.
    var selection: Reference? { get }
    /// Why an action cannot run now; nil where it can.
    func disabledReason(_ action: Action) -> String?
    /// What an action is called where it does something else than its binding says; nil keeps the binding's words.
    func wording(_ action: Action) -> ActionWording?
    /// Commands of the `:` line that take words, and the words that complete them.
    static var commands: [String] { get }
    /// Runs one of its `commands`, or a bare number; nil where it means nothing here.
    mutating func run(command: String, words: [String]) -> [Effect<Answer>]?
    /// What `start(saved:)` is to bring back at the next start.
    func save() -> String
}

extension Panel {
    /// Why a writing action is disabled in a read-only workspace.
    static var readOnlyReason: String { "This workspace is read-only." }

    package static var homeOf: Set<Reference.Kind> { [] }
    package func wording(_ action: Action) -> ActionWording? { nil }
    package static var commands: [String] { [] }
    package mutating func run(command: String, words: [String]) -> [Effect<Answer>]? { nil }
}

/// What a key does on the page that is shown, for the footer and for help.
package struct ActionWording: Hashable, Sendable {
    /// A word or two for the footer; nil keeps it out.
    package var hint: String?
    /// A phrase for help; nil keeps the binding's.
    package var description: String?
    /// It stands before others in the footer: the page is there for it.
    package var isFirst: Bool

    package init(hint: String?, description: String? = nil, isFirst: Bool = false) {
        self.hint = hint
        self.description = description
        self.isFirst = isFirst
    }
}

/// What a panel is made with.
package struct PanelContext: Sendable {
    package let workspace: Workspace
    /// Settings that panels read: replay pace, export folder.
    package let settings: Settings
    /// The clock's wall time, nanoseconds since 1970: tests and `show` set it.
    package let now: @Sendable () -> Int64

    package init(workspace: Workspace, settings: Settings, now: @escaping @Sendable () -> Int64) {
        self.workspace = workspace
        self.settings = settings
        self.now = now
    }
}
