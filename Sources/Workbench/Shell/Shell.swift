package import Console
package import Presentation
package import Workspace

/// The workbench without its terminal: it handles input events, draws surfaces, and sends work to the engine.
///
/// The terminal's loop, `orrery show`, and tests use the same shell. Only one thread uses it.
package final class Shell {
    let workspace: Workspace
    let settings: Settings
    let engine: any Engine
    let clock: @Sendable () -> Int64
    package let panels: [any PanelHosting]
    package var theme: Theme
    package var size: Size
    package var current = 0
    /// Pages that `open` came from, most recent last.
    var backStack: [Origin] = []
    /// Places of the title line, with their pages.
    let places: [PlacePages]
    /// Page of each place that was shown last.
    var lastPages: [PlaceInfo: Int] = [:]
    /// Whether the mouse was pressed in the panel and not yet released.
    var isPanelPressed = false
    /// Overlay that covers the panel and receives the keys.
    var overlay: Overlay?
    var toast: ToastState?
    /// Text for the terminal after the workbench ends: the work that continues in the background.
    var parting = ""
    /// True while messages report news that no key asked for, such as the end of a job.
    var isAnnouncing = false
    /// Keys without an action whose message was shown, with their panel.
    var refusedKeys: Set<String> = []
    /// The guided tour, while it runs.
    package var tour: Tour? {
        didSet { if oldValue != tour { place() } }
    }
    /// Messages, oldest first.
    var messages: [(sentence: String, severity: Severity)] = []
    var jobs: [RunningJob] = []
    var asked: [AskKey: Asked] = [:]
    var waits: [AskKey: Wait] = [:]
    /// Runs that can continue in the background, while the user is asked whether to leave.
    var departures: [Departure] = []
    /// Whether ``departures`` are being read again.
    var isReadingDepartures = false
    var nextTicket: UInt64 = 1
    /// Requests to the terminal: a copy, a suspension, or the end.
    var requests: [TerminalRequest] = []
    var keymap: Keymap<ShellAction>
    var placedArea: [Int: Rect] = [:]
    /// Names of the available themes, as last read.
    var themeNames = Theme.builtIn.map(\.name)
    var needsDrawing = true
    /// Whether there is no terminal; screens are then neither restored nor saved.
    package var isHeadless = false
    /// Whether the title line marks a read-only workspace. A picture has no keys, so it needs no mark.
    var marksReadOnly = true
    /// Initial screen, instead of the panel's saved screen.
    package var firstScreen: PanelScreen?

    struct Origin {
        var panel: Int
        var reference: Reference?
    }

    struct AskKey: Hashable {
        var panel: Int
        var key: String
    }

    struct Asked {
        var ticket: UInt64
        var cancellation: Cancellation
        /// Whether the last answer is used even after cancellation, because it contains the values so far.
        var isStream = false
    }

    /// Whether work that reports progress is still running.
    var isStreaming: Bool { asked.values.contains(where: \.isStream) }

    struct Wait {
        var deadline: ContinuousClock.Instant
        var answer: any Sendable
    }

    package init(
        workspace: Workspace, settings: Settings, theme: Theme, size: Size, engine: any Engine,
        clock: @escaping @Sendable () -> Int64, panels entries: [PanelEntry] = Panels.all
    ) {
        self.workspace = workspace
        self.settings = settings
        self.theme = theme
        self.size = size
        self.engine = engine
        self.clock = clock
        let context = PanelContext(workspace: workspace, settings: settings, now: clock)
        panels = entries.map { $0.host(context) }
        places = PlacePages.of(entries)
        keymap = Keymap(ShellAction.bindings(of: entries), rebindings: settings.keys, panel: nil)
    }

    var panel: any PanelHosting { panels[current] }

    /// Starts with a panel and restores its screen. An object that several panels can show opens in the given panel, or
    /// otherwise in the first panel that can show it, without asking.
    package func start(panel identifier: String?, opening reference: Reference?) {
        if let identifier, let index = panels.firstIndex(where: { $0.identifier == identifier }) { current = index }
        show(current)
        guard let reference else { return }
        let able = panels(opening: reference)
        let first = able.first { panels[$0].homeOf.contains(reference.kind) } ?? able.first
        if let home = able.contains(current) ? current : first {
            open(reference, in: home, leavingTrail: false)
        } else {
            open(reference, leavingTrail: false)
        }
    }

    /// Brings a panel to the front.
    package func show(_ index: Int) {
        // Messages belong to their panel.
        if index != current { toast = nil }
        current = index
        lastPages[places[currentPlace].info] = index
        needsDrawing = true
        place()
        if !panel.isStarted { return perform(panel.start(saved: savedScreen(of: panel.identifier)), for: index) }
        // Another page of the place may have changed state that both share.
        perform(panel.settle(), for: index)
    }

    /// Sends the current panel its area.
    func place() {
        let area = panelArea
        guard placedArea[current] != area else { return }
        placedArea[current] = area
        perform(panel.place(area), for: current)
    }

    /// Area of the panel, between the title line and the footer.
    var panelArea: Rect {
        var area = Rect(size)
        _ = area.takeTop(1)
        _ = area.takeBottom(1 + tourRows)
        return area
    }

    /// Time of the next change without input, or `nil`.
    package var nextDeadline: ContinuousClock.Instant? {
        var ends = waits.values.map(\.deadline)
        if let toast { ends.append(toast.until) }
        if let openMenuDeadline { ends.append(openMenuDeadline) }
        return ends.min()
    }

    /// Time at which a pending list of panels becomes visible; `nil` if it is visible or none is pending.
    private var openMenuDeadline: ContinuousClock.Instant? {
        guard case .open(let menu) = overlay, menu.isWaiting, menu.asked + OpenMenu.patience > .now else {
            return nil
        }
        return menu.asked + OpenMenu.patience
    }

    /// Notifies a panel that its editor has exited.
    package func edited(panel: Int, answer: any Sendable) {
        perform(panels[panel].answer(answer), for: panel)
    }

    /// Handles expired deadlines.
    package func passDeadlines(at now: ContinuousClock.Instant) {
        if let toast, toast.until <= now {
            self.toast = nil
            needsDrawing = true
        }
        if case .open(let menu) = overlay, menu.isWaiting { needsDrawing = true }
        for (key, wait) in waits where wait.deadline <= now {
            waits[key] = nil
            needsDrawing = true
            perform(panels[key.panel].answer(wait.answer), for: key.panel)
        }
    }
}

/// A request to the terminal.
package enum TerminalRequest {
    case copy(String)
    /// Opens an editor; the answer goes to the panel when it exits.
    case edit(path: String, panel: Int, answer: any Sendable)
    case suspend
    case redraw
    case quit(status: Int32)
}

/// A message that disappears after some time, or with the next key.
struct ToastState {
    var sentence: String
    var severity: Severity
    /// Whether no key asked for it.
    var isNews: Bool
    var shown: ContinuousClock.Instant
    var until: ContinuousClock.Instant

    /// Whether the next key may dismiss the message. News that arrives while the user types stays for a second.
    var wasSeen: Bool { !isNews || severity == .failure || shown + .seconds(1) < .now }
}

/// A job with a bar in the title line.
struct RunningJob {
    var ticket: UInt64
    var panel: Int
    var title: String
    /// Handle of the job; `nil` until the job has started.
    var handle: JobHandle?
    /// Last reported state of the job.
    var job: Job?
    var isCancelled = false
}
