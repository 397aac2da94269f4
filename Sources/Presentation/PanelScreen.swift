internal import JSON
public import Workspace

/// The first screen of a panel, in the format of its saved state.
public struct PanelScreen: Hashable, Sendable {
    /// Identifier of the panel.
    public var panel: String
    /// Saved state of the panel.
    public var text: String

    /// Returns the eval panel with logs from other programs, which stay in place. The first one is selected.
    public static func evalLogs(at paths: [String]) -> PanelScreen {
        var json = JSONWriter()
        json.object { json in
            if !paths.isEmpty { json.member("run", Int64(-1)) }
            json.member("logs", paths)
        }
        return PanelScreen(panel: "evals", text: json.text)
    }

    /// Returns the paths of logs open in the eval panel of a workspace; empty if there are none.
    public static func openEvalLogs(in workspace: Workspace) throws -> [String] {
        guard let text = try workspace.state.value(key(of: "evals")) else { return [] }
        // The panel ignores a screen that it cannot read and starts with no open logs.
        return (try? JSONValue(json: text))?["logs"]?.elements?.compactMap(\.string) ?? []
    }

    /// Saves the screen, which the panel then shows at the next start.
    public func keep(in workspace: Workspace) { workspace.state.set(Self.key(of: panel), to: text) }

    /// Key of the identifier of the panel in front.
    package static let key = "workbench.screen"

    /// Returns the key of a panel's saved screen in the workspace.
    package static func key(of panel: String) -> String { "\(key).\(panel)" }
}
