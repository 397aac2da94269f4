package import Console
package import Workspace

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

/// Dependencies of a page.
package struct PanelContext: Sendable {
    package let workspace: Workspace
    /// Settings for pages, such as the replay pace.
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
