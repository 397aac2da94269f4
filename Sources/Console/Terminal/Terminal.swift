internal import CTerminal
internal import Glibc
internal import Synchronization
public import System

/// The screen and keyboard of this process.
///
/// ```swift
/// let terminal = try Terminal()
/// terminal.present(surface)
/// for event in terminal.wait(until: deadline) { ... }
/// terminal.stop()
/// ```
///
/// Use it only on the main thread, which sleeps in ``wait(until:)``. Other threads post to a ``Mailbox`` or call
/// ``wake()``. The terminal is restored no matter how the process ends, even after a fault or a trap. While the screen
/// is active, standard error goes to the log.
public final class Terminal {
    /// Color depth in use, from the terminal's description and the options.
    public let colors: ColorDepth
    /// Whether the locale's encoding is UTF-8. If not, similar ASCII characters replace all others.
    public let isUTF8: Bool
    /// Whether only ASCII is sent; the theme should then use `Glyphs.ascii`.
    public let isASCII: Bool
    /// Terminal type from TERM.
    public let type: String
    /// Whether the background is dark, from the terminal's reply, or from the environment until the reply arrives;
    /// `nil` if unknown.
    public private(set) var isDarkBackground: Bool?

    let options: Options
    /// File that receives each surface before the terminal does, so that a test can compare it with the screen.
    let mirror = Environment["ORRERY_SURFACE"]
    let modes: ScreenModes
    var painter: Painter
    var queries: Queries
    private var parser: InputParser
    /// Time of the last input, in milliseconds.
    private var inputAt: Int64 = 0
    /// Events that occurred outside `wait`.
    private var deferred: [InputEvent] = []
    private var hasInput = true
    private var isStarted = true

    private static let inUse = Mutex(false)

    /// Options for starting the terminal.
    public struct Options: Sendable {
        /// Color setting.
        public var color: ColorDepth.Choice = .automatic
        /// Whether to send only ASCII, whatever the locale.
        public var ascii = false
        /// Whether to enable the mouse.
        public var mouse = true
        /// Whether to enable bracketed paste.
        public var bracketedPaste = true
        /// Policy for synchronized output.
        public var synchronizedOutput: SynchronizedOutput = .automatic
        /// Time to wait after Escape for the rest of a sequence, in milliseconds.
        public var escapeDelay = 25
        /// File that receives standard error while the screen is active; see `LogFile`.
        public var log: String?

        /// Creates the default options.
        public init() {}
    }

    /// Policies for synchronized output (mode 2026), which makes a terminal show only complete frames.
    public enum SynchronizedOutput: String, Hashable, Sendable, CaseIterable {
        /// Use it if the terminal reports support.
        case automatic = "auto"
        /// Always use it.
        case always
        /// Never use it.
        case never
    }

    /// Creates the terminal, which switches to the alternate screen and raw keyboard input.
    public init(_ options: Options = Options()) throws(Problem) {
        type = try Self.check()
        isUTF8 = cterminal_set_locale()
        isASCII = options.ascii || !isUTF8
        self.options = options
        guard Self.take() else {
            throw Problem(
                .busy, "", "This process is already using the terminal",
                remedy: "Stop the first use before starting another.")
        }
        let description = Self.probeRicher(type, options.color)
        let capability = { (name: String) in cterminal_capability(name).map { String(cString: $0) } }
        colors = ColorDepth.resolve(colors: Int(cterminal_probed_colors()), setting: options.color)
        let family = TerminalFamily(type: type)
        let isBracketed = family.answers && options.synchronizedOutput != .never
        modes = ScreenModes(
            mouse: options.mouse && family.isEmulator, paste: options.bracketedPaste && family.isEmulator)
        let restore = Array(modes.restoring(synchronized: isBracketed, capability: capability).utf8)
        parser = InputParser(
            special: KeySequences.special(capability: capability),
            erase: capability("kbs") == "\u{8}" ? 0x08 : 0x7F)
        let log = options.log.flatMap(LogFile.open)
        let farewell = log == nil ? "" : "orrery crashed. See \(options.log ?? "") for its last messages.\n"
        let code = cterminal_start(
            description, restore, restore.count, farewell, log ?? -1, colors != .monochrome)
        if let log { close(log) }
        guard code == 0 else {
            Self.inUse.withLock { $0 = false }
            throw Problem(
                .failed, "", "The terminal could not be set up (error \(code))", remedy: "Run \"orrery doctor\".")
        }
        painter = Painter(colors: colors, isASCII: isASCII)
        queries = Queries(isAsked: family.answers, wantsMode: options.synchronizedOutput == .automatic)
        isDarkBackground = Environment.colorFGBG
        painter.isSynchronized = options.synchronizedOutput == .always
        send(modes.entering)
    }

    deinit { stop() }

    /// Checks for a terminal that can be drawn on, without sending anything.
    ///
    /// - Returns: Type of the terminal.
    @discardableResult
    public static func check() throws(Problem) -> String {
        guard isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0 else {
            throw Problem(
                .unsupported, "", "Standard input or output is not a terminal",
                remedy: "Use \"orrery show PANEL\" to print a panel.")
        }
        guard let type = Environment["TERM"], !type.isEmpty else {
            throw Problem(
                .missing, "", "TERM is not set, so the terminal type is unknown",
                remedy: "Set it, for example TERM=xterm-256color.")
        }
        let name = "The terminal type \"\(Quotation.of(type))\""
        let tooSimple = Problem(
            .unsupported, "", "\(name) cannot move its cursor",
            remedy: "Set TERM to the type of the terminal, for example xterm-256color.")
        if type == "dumb" { throw tooSimple }
        switch Int(cterminal_probe(type)) {
        case CTERMINAL_READY: return type
        case CTERMINAL_UNKNOWN:
            throw Problem(
                .unknown, "", "\(name) is unknown",
                remedy: "Set TERM=xterm-256color, or install its description (Debian: ncurses-term).")
        case CTERMINAL_NO_DATABASE:
            throw Problem(
                .missing, "", "The terminfo database is missing",
                remedy: "Install it (Debian: ncurses-base), or set TERMINFO to its folder.")
        default: throw tooSimple
        }
    }

    /// Returns the name of the terminfo description to use.
    ///
    /// If TERM names an old type, and the color setting or COLORTERM indicates more colors, this is the 256-color
    /// version.
    private static func probeRicher(_ type: String, _ choice: ColorDepth.Choice) -> String {
        let wantsMore = choice == .palette || choice == .automatic && Environment["COLORTERM"]?.isEmpty == false
        guard wantsMore, ["xterm", "screen", "tmux", "rxvt"].contains(type) else { return type }
        if Int(cterminal_probe(type + "-256color")) == CTERMINAL_READY { return type + "-256color" }
        cterminal_probe(type)
        return type
    }

    private static func take() -> Bool {
        inUse.withLock { inUse in
            defer { inUse = true }
            return !inUse
        }
    }

    /// Restores the terminal. Later calls have no effect.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        if hasInput, queries.areOpen(at: Self.now) { awaitReplies() }
        send(modes.leaving)
        cterminal_stop()
        Self.inUse.withLock { $0 = false }
    }

    /// Waits up to 100 ms for the replies to queries, because a late reply would appear in the shell's prompt.
    private func awaitReplies() {
        let deadline = Self.now + 100
        var events: [InputEvent] = []
        while queries.areOpen(at: Self.now), Self.now < deadline {
            let bits = Int(cterminal_wait(Int32(deadline - Self.now), true))
            if bits & CTERMINAL_HANGUP != 0 { return }
            if bits & CTERMINAL_INPUT != 0 { readInput(into: &events) }
            if !hasInput { return }
        }
    }

    /// Size of the screen.
    public var size: Size {
        var rows: Int32 = 0
        var columns: Int32 = 0
        return cterminal_size(&rows, &columns) ? Size(Int(columns), Int(rows)) : Size(80, 24)
    }

    /// Ends the current or next ``wait(until:)``. Any thread and any signal handler can call it.
    public static func wake() { cterminal_wake() }

    // MARK: Input

    /// Sleeps until there is input, a message, or a signal, or until the deadline, and returns the events.
    ///
    /// The process uses no CPU time while it sleeps. Several size changes become one event. The result is empty only
    /// if the deadline has passed.
    public func wait(until deadline: ContinuousClock.Instant?) -> [InputEvent] {
        var events = deferred
        deferred = []
        if !events.isEmpty { return events }
        repeat {
            let limit = timeout(until: deadline)
            let bits = Int(cterminal_wait(limit, hasInput))
            handle(bits, into: &events)
            let now = Self.now
            if let inputTimeout, now - inputAt >= inputTimeout { parser.flush(at: now, into: &events) }
        } while events.isEmpty && !isOver(deadline)
        return events
    }

    /// Time in milliseconds after which incomplete input is used as is; `nil` if the input is complete.
    private var inputTimeout: Int64? {
        if parser.isWaiting { return Int64(options.escapeDelay) }
        // A lost end-of-paste sequence must not block the keyboard forever.
        return parser.isPasting ? 5_000 : nil
    }

    private func timeout(until deadline: ContinuousClock.Instant?) -> Int32 {
        if !hasInput, deadline == nil { return -1 }
        var limit: Int64 = -1
        if let deadline {
            let left = ContinuousClock.now.duration(to: deadline).components
            // Rounding up makes sure that the deadline has passed after the sleep.
            limit = max(
                0, min(left.seconds, 86_400) * 1_000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        }
        if let inputTimeout {
            let left = max(0, inputTimeout - (Self.now - inputAt))
            limit = limit < 0 ? left : min(limit, left)
        }
        return Int32(limit)
    }

    private func isOver(_ deadline: ContinuousClock.Instant?) -> Bool {
        guard let deadline else { return false }
        return ContinuousClock.now >= deadline
    }

    private func handle(_ bits: Int, into events: inout [InputEvent]) {
        if bits & CTERMINAL_INPUT != 0, hasInput { readInput(into: &events) }
        if bits & CTERMINAL_HANGUP != 0 {
            hasInput = false
            events.append(.hangup)
        }
        if bits & CTERMINAL_TERMINATE != 0 { events.append(.terminate) }
        if bits & CTERMINAL_STOP != 0 {
            suspend()
            events.append(.resumed)
        } else if bits & CTERMINAL_CONTINUED != 0 {
            cterminal_reclaim()
            send(modes.entering)
            painter.forget()
            events.append(.resumed)
        }
        if bits & CTERMINAL_RESIZED != 0 { events.append(.resize(adoptSize())) }
        if bits & CTERMINAL_WOKEN != 0 { events.append(.wake) }
    }

    private func readInput(into events: inout [InputEvent]) {
        let now = Self.now
        let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
            let count = cterminal_read(buffer.baseAddress, buffer.count)
            if count > 0 { parser.feed(buffer[..<count], at: now, into: &events) }
            return count
        }
        inputAt = now
        if count == 0 || count < 0 && count != -Int(EAGAIN) {
            // End-of-file or EIO: the terminal is closed and would stay readable forever.
            hasInput = false
            events.append(.hangup)
        }
        for report in parser.reports { take(report, into: &events) }
        parser.reports.removeAll()
    }

    private func take(_ report: InputParser.Report, into events: inout [InputEvent]) {
        switch report {
        case .deviceAttributes: queries.close()
        case .mode(2026, let settable):
            if settable, options.synchronizedOutput == .automatic { painter.isSynchronized = true }
        case .mode: break
        case .background(let color):
            let dark = !Quantizer.isLight(color)
            if dark != isDarkBackground { events.append(.background(dark: dark)) }
            isDarkBackground = dark
        }
    }

    /// Monotonic time in milliseconds, excluding the time during which the machine is suspended.
    static var now: Int64 {
        Clock.nanoseconds(.monotonic) / 1_000_000
    }

    // MARK: Suspending and resizing

    /// Suspends the process like Control-Z and returns after it resumes. Redraw the screen afterward.
    public func suspend() {
        send(modes.leaving)
        cterminal_suspend()
        send(modes.entering)
        // The process missed size changes while it was suspended.
        deferred.append(.resize(adoptSize()))
    }

    /// Gives the terminal to another program, such as an editor, until `body` returns. Redraw the screen afterward.
    public func lend<T>(_ body: () throws -> T) rethrows -> T {
        send(modes.leaving)
        cterminal_lend()
        defer {
            cterminal_take_back()
            send(modes.entering)
            deferred.append(.resize(adoptSize()))
        }
        return try body()
    }

    /// Makes the next ``present(_:)`` draw the whole screen, after another program has written on it.
    public func redraw() {
        painter.forget()
        cterminal_redraw()
    }

    private func adoptSize() -> Size {
        let size = size
        cterminal_resize(Int32(size.rows), Int32(size.columns))
        painter.forget()
        return size
    }
}
