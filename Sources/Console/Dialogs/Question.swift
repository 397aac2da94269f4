/// A question in a box, answered by one key. Every irreversible action asks one first.
///
/// ```swift
/// Question("Stop training \"tiny2\"?", lines: ["Step 1,204 of 5,000. The last checkpoint is 40 s old."], [
///     .init("s", "stop and keep the checkpoint", value: .stop),
///     .init("b", "keep running in the background", value: .detach),
/// ])
/// ```
public struct Question<Value: Sendable>: Sendable {
    /// One of the answers.
    public struct Option: Sendable {
        /// Key that selects the answer.
        public var key: Character
        /// Effect of the key as a verb phrase, never just "yes": `stop and keep the checkpoint`.
        public var label: String
        /// Value of the answer.
        public var value: Value

        /// Creates an answer.
        public init(_ key: Character, _ label: String, value: Value) {
            self.key = key
            self.label = label
            self.value = value
        }
    }

    /// Title in the border, usually the question.
    public var title: String
    /// Facts that the user should know before answering.
    public var lines: [String]
    /// Possible answers.
    public var options: [Option]
    /// Effect of Esc, as a verb phrase.
    public var escape: String

    /// Creates a question.
    public init(_ title: String, lines: [String] = [], escape: String = "go back", _ options: [Option]) {
        self.title = title
        self.lines = lines
        self.escape = escape
        self.options = options
    }

    /// Returns the question with its values transformed.
    public func map<Other>(_ transform: (Value) -> Other) -> Question<Other> {
        Question<Other>(
            title, lines: lines, escape: escape,
            options.map { .init($0.key, $0.label, value: transform($0.value)) })
    }

    /// Results of pressing a key.
    public enum Outcome: Sendable {
        /// The question stays open.
        case stays
        /// The user chose an answer.
        case chosen(Value)
        /// The user closed the question without an answer.
        case closed
    }

    /// Whether `n` closes the question: true if no answer has the key `n`, and there is only one answer or one has `y`.
    private var takesNo: Bool {
        (options.count == 1 || options.contains { $0.key == "y" }) && !options.contains { $0.key == "n" }
    }

    /// Handles a key: the key of an answer, Esc, or `n` if it closes the question. Other keys, including Enter, do
    /// nothing.
    public func press(_ key: Key) -> Outcome {
        switch (key.code, key.modifiers) {
        case (.escape, _), (.character("c"), .control): return .closed
        case (.character(let character), let modifiers) where modifiers.isSubset(of: .shift):
            if let option = options.first(where: { $0.key == character }) { return .chosen(option.value) }
            return takesNo && character == "n" ? .closed : .stays
        default: return .stays
        }
    }

    /// Returns the answer drawn at a point on the screen; `nil` if there is none.
    public func click(at point: Point, in screen: Rect) -> Value? {
        let rows = optionRows(in: popup(in: screen).area(in: screen).inset(columns: 2, rows: 1))
        return zip(rows, options).first { $0.0.contains(point) }?.1.value
    }

    // MARK: Drawing

    /// Draws the question in the middle of the screen.
    public func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        let inside = popup(in: screen).draw(into: &surface, in: screen, theme: theme)
        guard !inside.isEmpty else { return }
        var text = body(in: screen)
        text.layout(Size(inside.columns, max(0, inside.rows - options.count)))
        var look = theme
        look[.text] = theme[.popup]
        let area = Rect(
            column: inside.column, row: inside.row, columns: text.size.columns, rows: text.size.rows)
        text.draw(into: &surface, in: area, theme: look)
        for (row, option) in zip(optionRows(in: inside), options) {
            draw(String(option.key), option.label, into: &surface, in: row, theme: theme)
        }
        let key = takesNo ? "[n]o  Esc" : "Esc"
        Popup.drawHints([KeyHint(key, escape, priority: 0)], into: &surface, below: inside, theme: theme)
        surface.cursor = nil
    }

    private func draw(_ key: String, _ label: String, into surface: inout Surface, in row: Rect, theme: Theme) {
        let used = surface.put("[\(key)]", at: row.origin, style: theme[.popup].overlaid(with: theme[.key]))
        surface.put(
            label, at: Point(column: row.column + used + 1, row: row.row), style: theme[.popup],
            width: row.columns - used - 1)
    }

    /// Returns the text above the answers, wrapped to the width of the box.
    private func body(in screen: Rect) -> TextView {
        var body = TextView(lines.map { TextSection(StyledLine($0, .text)) })
        body.layout(Size(width(in: screen), 1))
        return body
    }

    private func width(in screen: Rect) -> Int {
        let texts = lines + options.map { "[k] \($0.label)" } + [title + "    "]
        let widest = texts.map { DisplayWidth.of($0) }.max() ?? 0
        return max(8, min(max(34, widest), 68, screen.columns - 8))
    }

    private func popup(in screen: Rect) -> Popup {
        let rows = lines.isEmpty ? 0 : body(in: screen).rowCount(upTo: 8) + 1
        return Popup(FrameLabel(title), content: Size(width(in: screen), rows + options.count))
    }

    private func optionRows(in inside: Rect) -> [Rect] {
        var rest = inside
        return options.map { _ in rest.takeBottom(1) }.reversed()
    }
}
