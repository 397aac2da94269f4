package import Console
package import Workspace

/// The workbench without its terminal: takes input events, draws surfaces, and asks the engine for work.
///
/// The terminal's loop, `orrery show` and tests drive the same shell. It is used by one thread.
package final class Shell {
    let workspace: Workspace
    let settings: Settings
    let engine: any Engine
    let clock: @Sendable () -> Int64
    package let panels: [any PanelHosting]
    package var theme: Theme
    package var size: Size
    package var current = 0
    /// Where `open` came from, most recent last.
    var backStack: [Place] = []
    /// What lies over the panel and takes the keys.
    var overlay: Overlay?
    var toast: ToastState?
    /// For the terminal after the screen is gone: what continues without the workbench.
    var parting = ""
    /// True while messages report news that no key asked for, such as the end of a job.
    var isAnnouncing = false
    /// Keys without an action whose message was shown, with their panel.
    var refusedKeys: Set<String> = []
    /// The guided tour, while it runs.
    package var tour: Tour? {
        didSet { if oldValue != tour { place() } }
    }
    /// What was said, oldest first.
    var messages: [(sentence: String, severity: Severity)] = []
    var jobs: [RunningJob] = []
    var asked: [AskKey: Asked] = [:]
    var waits: [AskKey: Wait] = [:]
    /// Runs that can continue in the background, while the user is asked whether to leave.
    var departures: [Departure] = []
    /// Whether ``departures`` are being read again.
    var isReadingDepartures = false
    var nextTicket: UInt64 = 1
    /// What the shell wants of the terminal: a copy, a suspension, the end.
    var requests: [TerminalRequest] = []
    var keymap: Keymap<ShellAction>
    var placedArea: [Int: Rect] = [:]
    /// The themes that can be chosen, as last read.
    var themeNames = Theme.builtIn.map(\.name)
    var needsDrawing = true
    /// Without a terminal nothing of the last screen is brought back or kept.
    package var isHeadless = false
    /// A screen to begin with, instead of what its panel showed last.
    package var firstScreen: PanelScreen?

    struct Place {
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
        /// Its last answer is wanted even after it was cancelled: what came by then.
        var isStream = false
    }

    /// True while an answer of work that tells how it goes is outstanding.
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
        keymap = Keymap(ShellAction.bindings(of: entries), rebindings: settings.keys, panel: nil)
    }

    var panel: any PanelHosting { panels[current] }

    /// Begins with a panel; brings back what it showed last time. A thing that several panels show is opened in that one,
    /// or else in the first that can: nobody is asked at the start.
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
        // A message of one panel says nothing about another.
        if index != current { toast = nil }
        current = index
        needsDrawing = true
        place()
        if !panel.isStarted { perform(panel.start(saved: savedScreen(of: panel.identifier)), for: index) }
    }

    /// Tells the panel in front how large it is.
    func place() {
        let area = panelArea
        guard placedArea[current] != area else { return }
        placedArea[current] = area
        perform(panel.place(area), for: current)
    }

    /// Between the title line and the footer.
    var panelArea: Rect {
        var area = Rect(size)
        _ = area.takeTop(1)
        _ = area.takeBottom(1 + tourRows)
        return area
    }

    /// The time at which something happens without input; nil where nothing will.
    package var nextDeadline: ContinuousClock.Instant? {
        var ends = waits.values.map(\.deadline)
        if let toast { ends.append(toast.until) }
        if let placesDeadline { ends.append(placesDeadline) }
        return ends.min()
    }

    /// When a list of panels that is awaited becomes visible; nil where it is, or none is awaited.
    private var placesDeadline: ContinuousClock.Instant? {
        guard case .places(let menu) = overlay, menu.isWaiting, menu.asked + PlaceMenu.patience > .now else {
            return nil
        }
        return menu.asked + PlaceMenu.patience
    }

    /// Tells a panel that the editor which it asked for was left.
    package func edited(panel: Int, answer: any Sendable) {
        perform(panels[panel].answer(answer), for: panel)
    }

    /// Hands on what has come due.
    package func passDeadlines(at now: ContinuousClock.Instant) {
        if let toast, toast.until <= now {
            self.toast = nil
            needsDrawing = true
        }
        if case .places(let menu) = overlay, menu.isWaiting { needsDrawing = true }
        for (key, wait) in waits where wait.deadline <= now {
            waits[key] = nil
            needsDrawing = true
            perform(panels[key.panel].answer(wait.answer), for: key.panel)
        }
    }
}

/// What only the terminal can do for the shell.
package enum TerminalRequest {
    case copy(String)
    /// The answer goes to the panel when the editor is left.
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
    /// nil until it is under way.
    var handle: JobHandle?
    /// As it last said.
    var job: Job?
    var isCancelled = false
}
