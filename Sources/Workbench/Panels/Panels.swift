internal import Console
internal import Workspace

/// The panels, in the order of their tabs. A new panel is one line here.
package enum Panels {
    package static let all: [PanelEntry] = [
        PanelEntry(TracePanel.self),
        PanelEntry(TokenPanel.self),
        PanelEntry(KernelPage.self),
        PanelEntry(TrainingPage.self),
        PanelEntry(RetrievalPanel.self),
        PanelEntry(AttentionPanel.self),
        PanelEntry(FeaturePanel.self),
        PanelEntry(EvalPanel.self),
    ]
}

/// Facts about a panel that the shell needs before it creates the panel.
package struct PanelEntry: Sendable {
    package let identifier: String
    package let title: String
    /// Names of the panel's actions, for settings and the command line.
    package let actionNames: [String]
    /// Names of the actions that change the workspace.
    package let writingNames: [String]
    let host: @Sendable (PanelContext) -> any PanelHosting
    /// Adds its keys to KEYS.md.
    let document: @Sendable (inout KeyReference) -> Void
    /// Returns problems in the user's key bindings.
    let keyProblems: @Sendable (KeyRebindings) -> [SettingProblem]

    package init<P: Panel & SendableMetatype>(_ panel: P.Type) {
        identifier = P.identifier
        title = P.title
        actionNames = P.bindings.map(\.name)
        writingNames = P.bindings.filter(\.isWriting).map(\.name)
        host = { context in
            PanelHost(
                P(context),
                keymap: Keymap(P.bindings, rebindings: context.settings.keys, panel: P.identifier),
                isReadOnly: context.workspace.access == .readOnly)
        }
        document = { $0.add(P.title, P.bindings) }
        keyProblems = { rebindings in
            rebindings.problems(panel: P.identifier, bindings: P.bindings)
        }
    }

    package init<P: Page & SendableMetatype>(_ page: P.Type) {
        identifier = P.about.identifier
        title = P.about.title
        actionNames = PageHost<P>.bindings.map(\.name)
        writingNames = PageHost<P>.bindings.filter(\.isWriting).map(\.name)
        host = { context in PageHost<P>(context) }
        document = { $0.add(P.about.title, PageHost<P>.bindings) }
        keyProblems = { $0.problems(panel: P.about.identifier, bindings: PageHost<P>.bindings) }
    }
}

extension KeyRebindings {
    /// Returns problems in the user's keys for some bindings.
    func problems<Action>(
        panel: String?, bindings: [Binding<Action>], others: Set<String> = []
    ) -> [SettingProblem] {
        let actions = bindings.map { binding in
            (action: binding.name, standard: binding.keys.compactMap { try? KeyNotation.keys($0) })
        }
        return problems(panel: panel, actions: actions, others: others)
    }
}
