public import Workspace

/// What a panel is to show first, in the words in which it keeps its own screen.
public struct PanelScreen: Hashable, Sendable {
    /// The panel's identifier.
    public var panel: String
    public var text: String

    /// The eval panel with logs of other programs, which stay where they are.
    public static func evalLogs(at paths: [String]) -> PanelScreen {
        PanelScreen(panel: EvalPanel.identifier, text: EvalPanel.saved(opening: paths))
    }

    /// Paths of the logs that the eval panel of a workspace has open; empty if it has none.
    public static func openEvalLogs(in workspace: Workspace) throws -> [String] {
        try workspace.state.value(Shell.screenKey(of: EvalPanel.identifier)).flatMap(EvalScreen.init(text:))?.paths
            ?? []
    }

    /// Makes it what the panel shows at the next start of a workspace.
    public func keep(in workspace: Workspace) { workspace.state.set(Shell.screenKey(of: panel), to: text) }
}
