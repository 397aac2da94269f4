internal import CTerminal
internal import Glibc
internal import Synchronization

/// The screen and keyboard of this process.
///
/// ```swift
/// let terminal = try Terminal()
/// terminal.present(surface)
/// for event in terminal.wait(until: nil) { ... }
/// terminal.stop()
/// ```
///
/// All of it belongs to the main thread, which sleeps in `wait`; the other threads post to a `Mailbox`, or call `wake`.
/// Whatever ends the process, a fault and a trap included, the terminal is left as it was found. While the screen is
/// up, standard error goes to the log.
public final class Terminal {
    /// What the terminal can do, and was asked to.
    public let colors: ColorDepth
    /// Whether the locale's encoding is UTF-8. Where it is not, signs outside ASCII are shown as their nearest in it.
    public let isUTF8: Bool
    /// Whether only ASCII is sent: the theme should draw with `Glyphs.ascii`.
    public let isASCII: Bool
    /// The terminal's type, as TERM says.
    public let type: String
    /// What the background is, once the terminal has said so; before, what the environment tells.
    public private(set) var isDarkBackground: Bool?

    let options: Options
    /// A file that receives each surface before the terminal does (`Surface.cellDump`), so a test can compare the two.
    let mirror = Environment["ORRERY_SURFACE"]
    let modes: ScreenModes
    var painter: Painter
    var queries: Queries
    private var parser: InputParser
    /// When input came last, in milliseconds.
    private var inputAt: Int64 = 0
    /// Events that were noticed outside of `wait`.
    private var deferred: [InputEvent] = []
    private var hasInput = true
    private var isStarted = true

    private static let inUse = Mutex(false)

    /// What a person or a test chooses.
    public struct Options: Sendable {
        public var color: ColorDepth.Choice = .automatic
        /// Only ASCII is sent, whatever the locale.
        public var ascii = false
        public var mouse = true
        public var bracketedPaste = true
        public var synchronizedOutput: SynchronizedOutput = .automatic
        /// How long Escape waits for the rest of a sequence, in milliseconds.
        public var escapeDelay = 25
        /// A file that takes what is written to standard error while the screen is up; see `LogFile`.
        public var log: String?

        public init() {}
    }

    /// Whether frames are bracketed, so that a terminal shows them whole (mode 2026).
    public enum SynchronizedOutput: String, Hashable, Sendable, CaseIterable {
        /// Where the terminal says that it can.
        case automatic = "auto"
        case always
        case never
    }

    /// Takes the terminal: alternate screen, raw keyboard.
    public init(_ options: Options = Options()) throws(TerminalError) {
        type = try Self.check()
        isUTF8 = cterminal_set_locale()
        isASCII = options.ascii || !isUTF8
        self.options = options
        guard Self.take() else { throw .inUse }
        let description = Self.probeRicher(type, options.color)
        let capability = { (name: String) in cterminal_capability(name).map { String(cString: $0) } }
        colors = ColorDepth.resolve(colors: Int(cterminal_probed_colors()), setting: options.color)
        let family = Family(type: type)
        let isBracketed = family.answers && options.synchronizedOutput != .never
        modes = ScreenModes(
            mouse: options.mouse && family.isEmulator, paste: options.bracketedPaste && family.isEmulator)
        let restore = Array(modes.restoring(synchronized: isBracketed, capability: capability).utf8)
        parser = InputParser(
            special: KeySequences.special(capability: capability),
            erase: capability("kbs") == "\u{8}" ? 0x08 : 0x7F)
        let log = options.log.flatMap(LogFile.open)
        let farewell = log == nil ? "" : "orrery crashed; \(options.log ?? "") has what it said last.\n"
        let code = cterminal_start(
            description, restore, restore.count, farewell, log ?? -1, colors != .monochrome)
        if let log { close(log) }
        guard code == 0 else {
            Self.inUse.withLock { $0 = false }
            throw .system(code: code)
        }
        painter = Painter(colors: colors, isASCII: isASCII)
        queries = Queries(isAsked: family.answers, wantsMode: options.synchronizedOutput == .automatic)
        isDarkBackground = Environment.colorFGBG
        painter.isSynchronized = options.synchronizedOutput == .always
        send(modes.entering)
    }

    deinit { stop() }

    /// Whether a terminal is there and can be drawn on; nothing is sent.
    ///
    /// - Returns: the terminal's type.
    @discardableResult
    public static func check() throws(TerminalError) -> String {
        guard isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0 else { throw .notATerminal }
        guard let type = Environment["TERM"], !type.isEmpty else { throw .noType }
        if type == "dumb" { throw .tooSimple(type: type) }
        switch Int(cterminal_probe(type)) {
        case CTERMINAL_READY: return type
        case CTERMINAL_UNKNOWN: throw .unknownType(type)
        case CTERMINAL_NO_DATABASE: throw .noDescriptions
        default: throw .tooSimple(type: type)
        }
    }

    /// The description to draw by: that of the type with 256 colors where TERM names a type of old and the person, or
    /// COLORTERM, tells of more.
    private static func probeRicher(_ type: String, _ choice: ColorDepth.Choice) -> String {
        let isTold = choice == .palette || choice == .automatic && Environment["COLORTERM"]?.isEmpty == false
        guard isTold, ["xterm", "screen", "tmux", "rxvt"].contains(type) else { return type }
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

    /// Gives the terminal back. What comes after does nothing.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        if hasInput, queries.areOpen(at: Self.now) { awaitAnswers() }
        send(modes.leaving)
        cterminal_stop()
        Self.inUse.withLock { $0 = false }
    }

    /// An answer that comes after the end would land in the shell's prompt: waits for it, 100 ms at most.
    private func awaitAnswers() {
        let deadline = Self.now + 100
        var events: [InputEvent] = []
        while queries.areOpen(at: Self.now), Self.now < deadline {
            let bits = Int(cterminal_wait(Int32(deadline - Self.now), true))
            if bits & CTERMINAL_HANGUP != 0 { return }
            if bits & CTERMINAL_INPUT != 0 { readInput(into: &events) }
            if !hasInput { return }
        }
    }

    /// The extent of the screen.
    public var size: Size {
        var rows: Int32 = 0
        var columns: Int32 = 0
        return cterminal_size(&rows, &columns) ? Size(Int(columns), Int(rows)) : Size(80, 24)
    }

    /// Ends a `wait`, this or the next. Any thread may call it, and a signal handler.
    public static func wake() { cterminal_wake() }

    // MARK: Input

    /// Sleeps until there is something to handle: input, a message, a signal, or the deadline.
    ///
    /// The process uses no time while it sleeps. Reports of the terminal's extent are passed on once, however many
    /// came. An empty answer says that the deadline has come.
    public func wait(until deadline: ContinuousClock.Instant?) -> [InputEvent] {
        var events = deferred
        deferred = []
        if !events.isEmpty { return events }
        repeat {
            let limit = timeout(until: deadline)
            let bits = Int(cterminal_wait(limit, hasInput))
            handle(bits, into: &events)
            let now = Self.now
            if let patience, now - inputAt >= patience { parser.flush(at: now, into: &events) }
        } while events.isEmpty && !isOver(deadline)
        return events
    }

    /// Silence in milliseconds after which what has come is taken for all there is; nil where nothing is amiss.
    private var patience: Int64? {
        if parser.isWaiting { return Int64(options.escapeDelay) }
        // The end of a paste that got lost must not block the keyboard for ever.
        return parser.isPasting ? 5_000 : nil
    }

    private func timeout(until deadline: ContinuousClock.Instant?) -> Int32 {
        if !hasInput, deadline == nil { return -1 }
        var limit: Int64 = -1
        if let deadline {
            let left = ContinuousClock.now.duration(to: deadline).components
            // Rounded up, so that the deadline is over when the sleep is.
            limit = max(
                0, min(left.seconds, 86_400) * 1_000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        }
        if let patience {
            let left = max(0, patience - (Self.now - inputAt))
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
            // End-of-file or EIO: the terminal is gone, and would stay readable for ever.
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

    /// Milliseconds of the clock that goes on while the machine sleeps not.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    // MARK: Stopping and sizes

    /// Stops the process, as ^Z does in a program that does not read it, and returns when it goes on: draw anew then.
    public func suspend() {
        send(modes.leaving)
        cterminal_suspend()
        send(modes.entering)
        // Nobody was told while it slept.
        deferred.append(.resize(adoptSize()))
    }

    /// Gives the terminal to another program, an editor, until `body` returns: draw anew then.
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

    /// Has everything drawn at the next `present`, for a screen that something else has written on.
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
