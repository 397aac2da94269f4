/// A line of text inside a chooser or a form, edited with the keys of `PlainLine`.
struct TextField: Sendable {
    private var line: PlainLine
    /// Whether the text is only proposed: it is drawn as selected, and the first typed character replaces it.
    private(set) var isSelected: Bool

    init(_ text: String = "", isSelected: Bool = false) {
        line = PlainLine(text: text)
        self.isSelected = isSelected && !text.isEmpty
    }

    var text: String { line.text }

    var beforeCursor: String { line.beforeCursor }

    /// Candidates of the most recent completion, if there were several.
    var candidates: [String] { line.candidates }

    /// Handles a key.
    mutating func press(_ key: Key) {
        var isTyped = false
        if case .character = key.code { isTyped = key.modifiers.subtracting(.shift).isEmpty }
        let isErasing = key.code == .backspace || key.code == .delete
        if isSelected, isTyped || isErasing { line = PlainLine() }
        let wasErased = isSelected && isErasing
        isSelected = false
        if !wasErased { line.handle(Key(key.code, isTyped ? [] : key.modifiers), completion: { _ in [] }) }
    }

    /// Makes proposed text editable.
    mutating func deselect() { isSelected = false }

    /// Completes the text before the cursor as far as all candidates agree.
    mutating func complete(with candidates: [String]) {
        isSelected = false
        line.complete(candidates)
    }

    /// Inserts pasted text, without line breaks.
    mutating func insert(_ text: String) {
        if isSelected { line = PlainLine() }
        isSelected = false
        line.insert(String(text.prefix(4_096).filter { !$0.isNewline }))
    }

    /// Draws the part of the text around the cursor that fits into one row.
    ///
    /// - Parameter isFocused: Whether the field receives keys and shows the terminal's cursor.
    func draw(into surface: inout Surface, in area: Rect, style: Style, theme: Theme, isFocused: Bool) {
        guard !area.isEmpty else { return }
        let before = DisplayWidth.of(line.beforeCursor)
        let shift = isFocused ? max(0, before - area.columns + 1) : 0
        surface.clipped(to: area) { surface in
            surface.put(
                text, at: Point(column: area.column - shift, row: area.row),
                style: isSelected ? style.overlaid(with: theme[.selection]) : style)
        }
        if isFocused { surface.cursor = Point(column: area.column + before - shift, row: area.row) }
    }
}
