internal import Console

/// The panels, in the order of their tabs. A new panel is one line here.
package enum Panels {
    package static let all: [PanelEntry] = [
        PanelEntry(TracePanel.self)
    ]
}

/// What the shell knows of a panel before it is made.
package struct PanelEntry: Sendable {
    package let identifier: String
    package let title: String
    let host: @Sendable (PanelContext) -> any PanelHosting
    /// Adds its keys to KEYS.md.
    let document: @Sendable (inout KeyReference) -> Void
    /// What is wrong with the keys that a person bound anew.
    let keyProblems: @Sendable (KeyRebindings) -> [String]

    package init<P: Panel & SendableMetatype>(_ panel: P.Type) {
        identifier = P.identifier
        title = P.title
        host = { context in
            PanelHost(
                P(context),
                keymap: Keymap(P.bindings, rebindings: context.settings.keys, panel: P.identifier))
        }
        document = { $0.add(P.title, P.bindings) }
        keyProblems = { rebindings in
            Keymap(P.bindings, rebindings: rebindings, panel: P.identifier).problems.map(\.sentence)
        }
    }
}
