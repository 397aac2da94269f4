import Console
import Workbench
import Workspace

/// A shell without a terminal, with the trace panel and a second one.
final class ShellDriver {
    let shell: Shell
    let engine = HeldEngine()
    private let stopObserving: @Sendable () -> Void
    /// What it asked of the terminal.
    private(set) var requests: [TerminalRequest] = []

    init(
        _ workspace: Workspace, size: Size = Size(120, 40), settings: Settings? = nil,
        panels: [PanelEntry] = [PanelEntry(TracePage.self), PanelEntry(NotePage.self)], opening: Reference? = nil,
        isHeadless: Bool = true, clock: @escaping @Sendable () -> Int64 = Place.now
    ) {
        let settings = settings ?? Place.settings()
        shell = Shell(
            workspace: workspace, settings: settings, theme: .dark, size: size, engine: engine, clock: clock,
            panels: panels)
        shell.isHeadless = isHeadless
        let engine = engine
        stopObserving = workspace.jobs.observe { engine.post(.progressed($0)) }
        engine.whenJobBegins = { [unowned shell] in shell.drainEngine() }
        shell.start(panel: panels.first?.identifier, opening: opening)
        settle()
    }

    deinit { stopObserving() }

    /// Types keys in the notation of `--keys`.
    func type(_ keys: String) throws {
        for key in try KeyNotation.typed(keys) { handle(.key(key)) }
    }

    func handle(_ event: InputEvent) {
        shell.handle(event)
        settle()
    }

    /// Lets held jobs run to their end.
    func finishJobs() {
        while engine.count > 0 {
            engine.letGo()
            settle()
        }
    }

    /// Lets all time pass until nothing waits any more.
    func passTime() {
        while let deadline = shell.nextDeadline {
            shell.passDeadlines(at: deadline)
            settle()
        }
    }

    private func settle() {
        shell.settle()
        requests += shell.takeRequests()
    }

    var text: String { shell.draw().textDump }
    func row(_ index: Int) -> String { shell.draw().textOfRow(index) }
    var footer: String { row(shell.size.rows - 1) }

    func asked(_ isWanted: (TerminalRequest) -> Bool) -> Bool { requests.contains(where: isWanted) }
}
