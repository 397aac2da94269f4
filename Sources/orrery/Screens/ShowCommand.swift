import ArgumentParser
import CommandSupport
import Commands
import Console
import Presentation
import Traces
import Workbench
import Workspace

/// The `orrery show PANEL` command: a screen as text.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a panel as text, optionally after pressing keys.",
        discussion: """
            orrery show traces --size 120x40 --keys "/kind:tool status:error<enter>"
            Named keys are in angle brackets: <enter> <esc> <tab> <down> <ctrl-p> <lt>. The workspace is opened \
            read-only, so keys that write do nothing.
            """)

    @Argument(
        help: "Panel: \(Panels.all.map(\.identifier).joined(separator: ", ")).",
        completion: .list(Panels.all.map(\.identifier)))
    var panel: String

    @Option(help: "Screen size in columns x rows.")
    var size: ScreenSize = ScreenSize(columns: 120, rows: 40)

    @Option(help: "Keys to press first.")
    var keys: String = ""

    @Option(help: "Format: text, ansi, or svg.")
    var format: ScreenFormat = .text

    @Option(help: "Trace to open first: id, unique prefix, or #row.")
    var trace: String?

    @Option(
        name: .long, parsing: .singleValue,
        help: "Eval log to open first; repeatable.", completion: .file())
    var log: [String] = []

    @OptionGroup var place: WorkspaceOptions
    @OptionGroup var appearance: AppearanceOptions

    func run() throws {
        try answering {
            if place.named == nil {
                let fresh = try place.open()
                defer { fresh.close() }
                try SampleData.fillIfNew(fresh)
            }
            // The screen is read-only, whatever keys are pressed.
            let workspace = try place.openForReading()
            let reference = try trace.map { Reference(try TraceStore(workspace).find($0)) }
            let settings = appearance.settings()
            let surface = try Workbench.show(
                panel: panel, workspace: workspace, settings: settings,
                size: Size(size.columns, size.rows), keys: keys, opening: reference,
                screen: try screen(in: workspace))
            switch format {
            case .text: Output.result(surface.textDump)
            case .ansi: Output.result(surface.ansi(colors: .palette))
            case .svg: Output.result(surface.svg(theme: Workbench.theme(for: settings)))
            }
        }
    }

    /// Returns the logs given with --log, or else the open logs of the workspace.
    private func screen(in workspace: Workspace) throws -> PanelScreen? {
        guard log.isEmpty else { return .evalLogs(at: log.map(EvalPaths.absolute)) }
        let opened = panel == "evals" ? try PanelScreen.openEvalLogs(in: workspace) : []
        return opened.isEmpty ? nil : .evalLogs(at: opened)
    }
}

enum ScreenFormat: String, ExpressibleByArgument, CaseIterable {
    case text, ansi, svg
}
