internal import Console
internal import Workspace

/// The pages, by place and in the order of the title line. A new page is one line here.
package enum Panels {
    package static let all: [PanelEntry] = [
        PanelEntry(TracePage.self, in: .traces, letter: "t"),
        PanelEntry(TokenPage.self, in: .models, letter: "o"),
        PanelEntry(AttentionPage.self, in: .models, letter: "a"),
        PanelEntry(FeaturePage.self, in: .models, letter: "f"),
        PanelEntry(TrainingPage.self, in: .models, letter: "n"),
        PanelEntry(RetrievalPage.self, in: .retrieval, letter: "r"),
        PanelEntry(KernelPage.self, in: .kernels, letter: "k"),
        PanelEntry(EvalPage.self, in: .evals, letter: "e"),
    ]
}

/// Facts about a page that the shell needs before it creates the page.
package struct PanelEntry: Sendable {
    package let identifier: String
    package let title: String
    /// Place of the page in the title line.
    package let place: PlaceInfo
    /// Key that opens the page after `g`; `nil` without one.
    package let letter: Character?
    /// Names of the page's actions, for settings and the command line.
    package let actionNames: [String]
    /// Names of the actions that change the workspace.
    package let writingNames: [String]
    let host: @Sendable (PanelContext) -> any PanelHosting
    /// Adds its keys to KEYS.md.
    let document: @Sendable (inout KeyReference) -> Void
    /// Returns problems in the user's key bindings.
    let keyProblems: @Sendable (KeyRebindings) -> [SettingProblem]

    /// Creates an entry for a page.
    ///
    /// - Parameter place: Place of the page (default: a place of its own).
    package init<P: Page & SendableMetatype>(_ page: P.Type, in place: PlaceInfo? = nil, letter: Character? = nil) {
        identifier = P.about.identifier
        title = P.about.title
        self.place = place ?? PlaceInfo(P.about.identifier, P.about.title)
        self.letter = letter
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
