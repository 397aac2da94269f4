/// Tokens wrapped like text, each with a value as its background color, and a cursor on one token.
///
/// White-space tokens are drawn as visible symbols, and control characters are escaped.
/// - Complexity: O(tokens) to change the text or the width, O(word) to append, and O(visible rows) to draw.
public struct ShadedTokens: Sendable {
    /// A part of a token on one line.
    struct Fragment: Hashable {
        var token: Int
        var column: Int
        var columns: Int
        var text: String
    }

    /// Text of each token.
    public private(set) var texts: [String]
    /// Value of each token; tokens with NaN or without a value have no background color.
    public var values: [Float] = []
    /// Scale of the values.
    public var scale = HeatScale.sequential(max: 1)
    /// Tokens to underline, such as a chunk of a context.
    public var marked: Range<Int>?
    /// Index of the token under the cursor.
    public private(set) var cursor = 0
    /// Width of the area, in columns.
    public private(set) var width = 0
    /// Height of the area, in lines.
    public var height = 0 { didSet { showCursor() } }
    /// First visible line.
    public private(set) var top = 0
    /// Token ranges of the matches of the most recent search.
    public private(set) var matches: [Range<Int>] = []

    private(set) var rows: [[Fragment]] = [[]]
    /// Row of each token's first fragment.
    private var firstRow: [Int] = []
    /// First token of the last word, which may still grow, and the columns of that word so far.
    private var wordStart = 0
    private var wordColumns = 0

    /// Creates a view of tokens.
    public init(_ texts: [String] = []) { self.texts = texts }

    /// Number of lines, including those out of view.
    public var rowCount: Int { rows.count }
    /// Whether all lines are in view.
    public var isWhole: Bool { rows.count <= height }
    /// Scroll position, from 0 at the top to 1 at the bottom.
    public var fraction: Double { rows.count > height ? Double(top) / Double(rows.count - height) : 0 }

    // MARK: Contents

    /// Replaces the tokens; the cursor keeps its index, or moves to the last token.
    public mutating func setTokens(_ texts: [String]) {
        self.texts = texts
        matches = []
        marked = nil
        layOut()
        moveCursor(to: cursor)
    }

    /// Appends a token.
    public mutating func append(_ text: String) {
        texts.append(text)
        guard width > 0 else { return }
        layOutLast()
        showCursor()
    }

    /// Sets the width and wraps all tokens again.
    public mutating func setWidth(_ columns: Int) {
        guard columns != width else { return }
        width = columns
        layOut()
        showCursor()
    }

    private mutating func layOut() {
        (rows, firstRow, wordStart, wordColumns) = ([[]], [], 0, 0)
        guard width > 0 else { return }
        let all = texts
        texts = []
        texts.reserveCapacity(all.count)
        for text in all {
            texts.append(text)
            layOutLast()
        }
    }

    /// Returns the drawn form of a token, with symbols for white space that would otherwise be invisible.
    public static func visible(_ text: String) -> String {
        guard !text.isEmpty else { return "∅" }
        let isBlank = text.allSatisfy { $0 == " " }
        if isBlank { return String(repeating: "·", count: text.count) }
        guard text.contains(where: { $0.isNewline || $0 == "\t" }) else { return text }
        return String(
            text.map { character -> Character in
                character == "\t" ? "⇥" : character.isNewline ? "↵" : character
            })
    }

    /// Places the newest token; if it continues a word that no longer fits, the entire word moves to the next line.
    private mutating func layOutLast() {
        let index = texts.count - 1
        let text = texts[index]
        let previous = index > 0 ? texts[index - 1].last : nil
        let startsWord = previous?.isWhitespace ?? true || text.first?.isWhitespace ?? true || wordColumns > width
        let shown = Self.visible(text)
        let columns = DisplayWidth.of(shown)
        if startsWord { (wordStart, wordColumns) = (index, 0) }
        wordColumns += columns
        firstRow.append(rows.count - 1)
        if used + columns <= width {
            put(shown, columns, index)
        } else if wordColumns <= width {
            moveWord()
            put(
                startsWord && used == 0 && shown.count > 1 && shown.first == " " ? String(shown.dropFirst()) : shown,
                index)
        } else {
            cut(shown, index)
        }
        if text.last?.isNewline == true { rows.append([]) }
    }

    private var used: Int { rows[rows.count - 1].last.map { $0.column + $0.columns } ?? 0 }

    private mutating func put(_ text: String, _ index: Int) { put(text, DisplayWidth.of(text), index) }

    private mutating func put(_ text: String, _ columns: Int, _ index: Int) {
        if rows[rows.count - 1].last?.token != index { firstRow[index] = min(firstRow[index], rows.count - 1) }
        rows[rows.count - 1].append(Fragment(token: index, column: used, columns: columns, text: text))
    }

    /// Moves the last word, which may still grow, to a new line.
    private mutating func moveWord() {
        let last = rows.count - 1
        let start = rows[last].firstIndex { $0.token >= wordStart } ?? rows[last].count
        let moved = start > 0 ? Array(rows[last][start...]) : []
        if start > 0 { rows[last].removeSubrange(start...) }
        rows.append([])
        firstRow[texts.count - 1] = rows.count - 1
        for fragment in moved {
            firstRow[fragment.token] = rows.count - 1
            // A line does not start with the space that separates words.
            let isLed = used == 0 && fragment.text.count > 1 && fragment.text.first == " "
            put(
                isLed ? String(fragment.text.dropFirst()) : fragment.text, fragment.columns - (isLed ? 1 : 0),
                fragment.token)
        }
    }

    /// Splits a token that is wider than the remaining room across several lines.
    private mutating func cut(_ text: String, _ index: Int) {
        var (piece, columns, isFirst) = ("", 0, true)
        func needsLine(_ step: Int, _ used: Int) -> Bool { used + columns + step > width && used + columns > 0 }
        for character in text {
            let step = DisplayWidth.of(character)
            if needsLine(step, used) {
                if !piece.isEmpty {
                    put(piece, columns, index)
                    isFirst = false
                }
                rows.append([])
                if isFirst { firstRow[index] = rows.count - 1 }
                (piece, columns) = ("", 0)
            }
            piece.append(character)
            columns += step
        }
        put(piece, columns, index)
    }

    // MARK: Cursor

    /// Moves the cursor to a token.
    public mutating func moveCursor(to token: Int) {
        cursor = max(0, min(token, texts.count - 1))
        showCursor()
    }

    /// Moves the cursor by a number of tokens.
    public mutating func move(by tokens: Int) { moveCursor(to: cursor + tokens) }
    /// Moves the cursor to the first token.
    public mutating func moveToStart() { moveCursor(to: 0) }
    /// Moves the cursor to the last token.
    public mutating func moveToEnd() { moveCursor(to: texts.count - 1) }

    /// Moves the cursor by `step` rows, to the token nearest to the cursor's column.
    public mutating func moveRows(by step: Int) {
        guard cursor < firstRow.count else { return }
        let row = firstRow[cursor]
        let column = rows[row].first { $0.token == cursor }?.column ?? 0
        var target = max(0, min(rows.count - 1, row + step))
        // The line below a line break may be empty.
        while target > 0, rows[target].isEmpty { target -= 1 }
        guard target != row else { return moveCursor(to: step > 0 ? texts.count - 1 : 0) }
        let nearest = rows[target].min { abs($0.column - column) < abs($1.column - column) }
        if let nearest { moveCursor(to: nearest.token) }
    }

    /// Scrolls the view without moving the cursor.
    public mutating func scroll(by lines: Int) { top = max(0, min(top + lines, rows.count - height)) }

    private mutating func showCursor() {
        guard height > 0 else { return }
        if cursor < firstRow.count {
            let row = firstRow[cursor]
            let margin = min(2, (height - 1) / 2)
            top = max(row + margin - height + 1, min(top, row - margin))
        }
        top = max(0, min(top, rows.count - height))
    }

    /// Returns the token drawn at a point on the screen.
    public func token(at point: Point, in area: Rect) -> Int? {
        let row = top + point.row - area.row
        guard area.contains(point), rows.indices.contains(row) else { return nil }
        return rows[row].last { $0.column <= point.column - area.column }?.token
    }

    // MARK: Search

    /// Finds text, even across token boundaries, ignoring case.
    ///
    /// - Complexity: O(characters).
    public mutating func find(_ needle: String) {
        matches = TokenSearch.matches(of: needle, in: texts)
    }

    /// Returns the next match after a token, or before it, and wraps around; `nil` if there are no matches.
    public func match(after token: Int, forward: Bool) -> Int? {
        let places = matches.map(\.lowerBound)
        return forward
            ? places.first { $0 > token } ?? places.first : places.last { $0 < token } ?? places.last
    }
}
