internal import CTerminal

/// A line editor: readline, or a small built-in editor if the program was built without readline.
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
/// Use it only on the main thread, and edit only one line at a time. The editor draws nothing: the caller reads `state`
/// and draws it, so changes to the screen size need no special handling.
public final class LineEditor {
    /// The contents to draw.
    public struct State: Hashable, Sendable {
        /// Text before the line: the prompt, or the status of a history search.
        public var prompt = ""
        /// Text of the line.
        public var text = ""
        /// Column of the cursor, counted from the start of the prompt.
        public var cursorColumn = 0
        /// Candidates found by Tab, if there are several.
        public var candidates: [String] = []
        /// Whether the line is being edited, finished, or canceled.
        public var outcome = Outcome.editing
    }

    /// Stages of editing a line.
    public enum Outcome: Hashable, Sendable {
        /// The line is being edited.
        case editing
        /// The user finished the line.
        case finished(String)
        /// The user canceled the line.
        case cancelled
    }

    /// Returns candidates for the last word of the text before the cursor, each a complete word.
    public typealias Completion = (_ beforeCursor: String) -> [String]

    /// Implementations of the editor.
    public enum Engine: Hashable, Sendable {
        /// GNU Readline.
        case readline
        /// The built-in editor.
        case plain

        /// Engine that the program was built with.
        public static var standard: Engine { cterminal_line_available() ? .readline : .plain }
    }

    /// Contents to draw.
    public private(set) var state = State()
    /// Engine in use.
    public let engine: Engine
    private let history: LineHistory
    private let completion: Completion
    private var plain = PlainLine()

    /// Creates an editor; the plain engine is used if readline is missing.
    public init(
        history: LineHistory = LineHistory(), engine: Engine = .standard,
        completion: @escaping Completion = { _ in [] }
    ) {
        self.history = history
        self.engine = cterminal_line_available() ? engine : .plain
        self.completion = completion
    }

    // A finished line has already released readline, and another line may already be using it.
    deinit { if engine == .readline, state.outcome == .editing { cterminal_line_end() } }

    /// Version of readline; `nil` if the program was built without readline.
    public static var readlineVersion: String? {
        cterminal_line_available() ? String(cString: cterminal_line_version()) : nil
    }

    /// Starts a new line, optionally with text to edit.
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

    /// Handles a key: Enter finishes, Esc and Ctrl-C cancel, and other keys edit.
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
            // In a history search, Escape ends the search but not the line.
            let bytes = key == Key(.escape) ? [0x07] : key.bytes
            cterminal_line_feed(bytes, bytes.count)
        case .plain: plain.handle(key, completion: completion)
        }
        update()
        return state
    }

    /// Inserts text at the cursor, such as a paste. Control characters become spaces.
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

    /// Cancels the line, for example if its screen closes.
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
