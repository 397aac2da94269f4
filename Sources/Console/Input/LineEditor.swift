internal import CTerminal

/// One line of text that a person edits: readline behind a queue of keys, or a small editor of our own where the
/// program was built without it.
///
/// ```swift
/// let editor = LineEditor(history: LineHistory.named("command")) { before in complete(before) }
/// editor.begin(prompt: ":", text: "")
/// switch editor.feed(key).outcome {
/// case .editing: draw(editor.state)
/// case .finished(let line): run(line)
/// case .cancelled: break
/// }
/// ```
///
/// It belongs to the main thread, and one line is edited at a time. Nothing is drawn: whoever draws asks for the state
/// and puts it where the screen has room, so that a new size needs nothing.
public final class LineEditor {
    /// What is to be drawn.
    public struct State: Hashable, Sendable {
        /// What stands before the text: the prompt, or what a search in the history says.
        public var prompt = ""
        public var text = ""
        /// The cursor's column from the start of the prompt.
        public var cursorColumn = 0
        /// What Tab found where it found more than one thing.
        public var candidates: [String] = []
        public var outcome = Outcome.editing
    }

    public enum Outcome: Hashable, Sendable {
        case editing
        case finished(String)
        case cancelled
    }

    /// Candidates for the last word of the text before the cursor, each whole.
    public typealias Completion = (_ beforeCursor: String) -> [String]

    public enum Engine: Hashable, Sendable {
        case readline
        case plain

        /// What the program was built with.
        public static var standard: Engine { cterminal_line_available() ? .readline : .plain }
    }

    public private(set) var state = State()
    public let engine: Engine
    private let history: LineHistory
    private let completion: Completion
    private var plain = PlainLine()

    public init(
        history: LineHistory = LineHistory(), engine: Engine = .standard,
        completion: @escaping Completion = { _ in [] }
    ) {
        self.history = history
        self.engine = cterminal_line_available() ? engine : .plain
        self.completion = completion
    }

    // A line that has ended has let readline go; the next one may have it by now.
    deinit { if engine == .readline, state.outcome == .editing { cterminal_line_end() } }

    /// The release of readline: nil where there is none.
    public static var readlineVersion: String? {
        cterminal_line_available() ? String(cString: cterminal_line_version()) : nil
    }

    /// Starts with an empty line, or with a text to be changed.
    public func begin(prompt: String, text: String = "") {
        state = State()
        state.prompt = prompt
        switch engine {
        case .readline:
            cterminal_line_history_clear()
            for line in history.lines { cterminal_line_history_add(line) }
            let context = Unmanaged.passUnretained(self).toOpaque()
            cterminal_line_begin(prompt, Self.clean(text), { before, context in complete(before, context) }, context)
        case .plain:
            plain = PlainLine(text: Self.clean(text), history: history.lines)
        }
        update()
    }

    /// Handles a key: Enter finishes, Esc and Ctrl-C cancel, the rest edits.
    @discardableResult
    public func feed(_ key: Key) -> State {
        guard state.outcome == .editing else { return state }
        let isSearching = engine == .readline && cterminal_line_searching()
        if key == .control("c") || key == Key(.escape) && !isSearching {
            end(.cancelled)
            return state
        }
        switch engine {
        case .readline:
            // Within a search, Escape gives the search up and not the line.
            let bytes = key == Key(.escape) ? [0x07] : key.bytes
            cterminal_line_feed(bytes, bytes.count)
        case .plain: plain.handle(key, completion: completion)
        }
        update()
        return state
    }

    /// Puts text at the cursor, as a paste does. What is no character of a line becomes a blank.
    @discardableResult
    public func insert(_ text: String) -> State {
        guard state.outcome == .editing else { return state }
        switch engine {
        case .readline: cterminal_line_insert(Self.clean(text))
        case .plain: plain.insert(Self.clean(text))
        }
        update()
        return state
    }

    /// Ends without a result, for a screen that goes away.
    public func cancel() {
        if state.outcome == .editing { end(.cancelled) }
    }

    private func end(_ outcome: Outcome) {
        if engine == .readline { cterminal_line_end() }
        state.outcome = outcome
        state.candidates = []
        if case .finished(let line) = outcome { history.add(line) }
    }

    private func update() {
        switch engine {
        case .readline:
            state.text = String(cString: cterminal_line_text())
            switch cterminal_line_outcome() {
            case 1: return end(.finished(state.text))
            case 2: return end(.cancelled)
            default: break
            }
            state.prompt = String(cString: cterminal_line_prompt())
            state.candidates = (0..<cterminal_line_candidate_count()).map {
                String(cString: cterminal_line_candidate($0))
            }
            let before = String(decoding: state.text.utf8.prefix(Int(cterminal_line_point())), as: UTF8.self)
            state.cursorColumn = DisplayWidth.of(state.prompt) + DisplayWidth.of(before)
        case .plain:
            state.text = plain.text
            state.candidates = plain.candidates
            if let outcome = plain.outcome { return end(outcome) }
            state.cursorColumn = DisplayWidth.of(state.prompt) + DisplayWidth.of(plain.beforeCursor)
        }
    }

    fileprivate func offer(for before: String) {
        for candidate in completion(before) { cterminal_line_offer(candidate) }
    }

    private static func clean(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(65_536) {
            clean.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(clean)
    }
}

private func complete(_ before: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?) {
    guard let before, let context else { return }
    Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue().offer(for: String(cString: before))
}
