public import Workspace

/// The first screen of a panel, in the format of its saved state.
public struct PanelScreen: Hashable, Sendable {
    /// Identifier of the panel.
    public var panel: String
    public var text: String

    /// Returns the eval panel with logs from other programs, which stay in place.
    public static func evalLogs(at paths: [String]) -> PanelScreen {
        PanelScreen(panel: EvalPanel.identifier, text: EvalPanel.saved(opening: paths))
    }

    /// Returns the paths of logs open in the eval panel of a workspace; empty if there are none.
    public static func openEvalLogs(in workspace: Workspace) throws -> [String] {
        try workspace.state.value(Shell.screenKey(of: EvalPanel.identifier)).flatMap(EvalScreen.init(text:))?.paths
            ?? []
    }

    /// Saves the screen, which the panel then shows at the next start.
    public func keep(in workspace: Workspace) { workspace.state.set(Shell.screenKey(of: panel), to: text) }
}
