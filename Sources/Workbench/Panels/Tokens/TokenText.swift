package import Console
internal import Foundation

/// Tokens that flow over lines like text; the cursor can be on each of them.
///
/// Appending a token takes O(1), so answers grow on the screen at no cost; only a new width lays out all tokens again.
package struct TokenText: Sendable {
    /// Meaning of a piece of the text.
    package enum Piece: Hashable, Sendable {
        /// A heading, which the cursor skips.
        case label
        /// A token of the prompt.
        case prompt(Int)
        /// A step of the answer.
        case step(Int)
    }

    /// A piece on one line.
    package struct Fragment: Sendable {
        package var piece: Int
        package var column: Int
        package var columns: Int
        package var text: String
        /// Whether a line may end before it.
        var isBreakable: Bool
        /// Whether the piece is the first of its item.
        var isFirst: Bool
    }

    package struct Item: Sendable {
        package var piece: Piece
        package var text: String
        package var role: Role

        package init(piece: Piece, text: String, role: Role) {
            self.piece = piece
            self.text = text
            self.role = role
        }
    }

    package init() {}

    package private(set) var items: [Item] = []
    package private(set) var rows: [[Fragment]] = [[]]
    /// The row of each item's first fragment.
    private var firstRow: [Int] = []
    private(set) var width = 0
    package var height = 0 { didSet { if height != oldValue { showCursor() } } }
    package private(set) var top = 0
    /// Index in `items`; `nil` if no item can have the cursor.
    package private(set) var cursor: Int?
    /// The cursor follows the end while the answer grows.
    package var follows = true

    /// Matches of the search, as ranges of items in order.
    package private(set) var matches: [Range<Int>] = [] { didSet { matched = Set(matches.joined()) } }
    /// Items with a match.
    private var matched: Set<Int> = []

    package var cursorPiece: Piece? { cursor.map { items[$0].piece } }
    package var rowCount: Int { rows.count }
    package var visible: Range<Int> { top..<min(rows.count, top + max(0, height)) }
    /// Scroll position, from 0 to 1.
    package var fraction: Double { rows.count > height ? Double(top) / Double(rows.count - height) : 0 }
    package var isWhole: Bool { rows.count <= height }

    // MARK: Contents

    package mutating func removeAll() {
        items = []
        matches = []
        rows = [[]]
        firstRow = []
        cursor = nil
        top = 0
        follows = true
    }

    package mutating func append(_ item: Item) {
        items.append(item)
        layOut(items.count - 1)
        if cursor == nil || follows, item.piece != .label { cursor = items.count - 1 }
        if follows { showCursor() }
    }

    /// Changes the color roles of the items.
    package mutating func color(_ role: (Item) -> Role) {
        for index in items.indices { items[index].role = role(items[index]) }
    }

    package mutating func setWidth(_ width: Int) {
        guard width != self.width else { return }
        self.width = width
        rows = [[]]
        firstRow = []
        for index in items.indices { layOut(index) }
        showCursor()
    }

    /// Places a token on the next line if it does not fit, together with the start of its word.
    private mutating func layOut(_ index: Int) {
        let item = items[index]
        var isFirst = true
        let lines = item.text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (place, line) in lines.enumerated() {
            let ends = place < lines.count - 1
            // Show line breaks as a sign, so the cursor can be on them.
            let text = ends && item.piece != .label ? line + "↵" : line
            var isBreakable = place > 0 || startsWord(index)
            for word in TokenWords(text) {
                self.place(word, of: index, isBreakable: isBreakable, isFirst: &isFirst)
                isBreakable = true
            }
            if isFirst { add("", of: index, columns: 0, isBreakable: isBreakable, isFirst: &isFirst) }
            if ends { rows.append([]) }
        }
    }

    private func startsWord(_ index: Int) -> Bool {
        let before = items[..<index].last { !$0.text.isEmpty }
        guard let last = before?.text.last, let first = items[index].text.first else { return true }
        return last.isWhitespace || first.isWhitespace || TokenWords.canBreak(between: last, and: first)
    }

    /// Number of used columns in the last line.
    private var used: Int { rows[rows.count - 1].last.map { $0.column + $0.columns } ?? 0 }

    private mutating func add(_ text: String, of index: Int, columns: Int, isBreakable: Bool, isFirst: inout Bool) {
        if isFirst { firstRow.append(rows.count - 1) }
        rows[rows.count - 1].append(
            Fragment(
                piece: index, column: used, columns: columns, text: text, isBreakable: isBreakable, isFirst: isFirst))
        isFirst = false
    }

    private mutating func place(_ word: Substring, of index: Int, isBreakable: Bool, isFirst: inout Bool) {
        let width = max(4, self.width)
        let needed = DisplayWidth.of(word)
        if used + needed <= width {
            return add(String(word), of: index, columns: needed, isBreakable: isBreakable, isFirst: &isFirst)
        }
        // Spaces between words belong to the end of the line; a token of only spaces can still have the cursor.
        let bare = word.drop { $0 == " " }
        if bare.isEmpty, !isFirst || items[index].piece == .label { return }
        let rest = bare.isEmpty ? word : bare
        let columns = DisplayWidth.of(rest)
        if used > 0, columns <= width {
            breakLine(takingWordAlong: !isBreakable, needed: columns, width: width)
            return add(
                String(isBreakable ? rest : word), of: index, columns: isBreakable ? columns : needed,
                isBreakable: isBreakable, isFirst: &isFirst)
        }
        cut(word, of: index, width: width, isBreakable: isBreakable, isFirst: &isFirst)
    }

    /// Splits a word that is wider than a line.
    private mutating func cut(
        _ word: Substring, of index: Int, width: Int, isBreakable: Bool, isFirst: inout Bool
    ) {
        var piece = ""
        var columns = 0
        if used >= width { rows.append([]) }
        for character in word {
            let step = DisplayWidth.of(character)
            if used + columns + step > width, used + columns > 0 {
                if !piece.isEmpty {
                    add(piece, of: index, columns: columns, isBreakable: isBreakable, isFirst: &isFirst)
                }
                rows.append([])
                (piece, columns) = ("", 0)
            }
            piece.append(character)
            columns += step
        }
        add(piece, of: index, columns: columns, isBreakable: isBreakable, isFirst: &isFirst)
    }

    private mutating func breakLine(takingWordAlong: Bool, needed: Int, width: Int) {
        var moved: ArraySlice<Fragment> = []
        if takingWordAlong {
            let line = rows[rows.count - 1]
            let start = line.lastIndex(where: \.isBreakable) ?? 0
            let spaces = line[start].text.prefix { $0 == " " }.count
            let columns = line[start...].reduce(0) { $0 + $1.columns } - spaces
            if start > 0, columns + needed <= width {
                moved = line[start...]
                rows[rows.count - 1].removeSubrange(start...)
            }
        }
        rows.append([])
        var column = 0
        for var fragment in moved {
            if column == 0, let first = fragment.text.firstIndex(where: { $0 != " " }) {
                fragment.columns -= fragment.text.distance(from: fragment.text.startIndex, to: first)
                fragment.text.removeSubrange(..<first)
            }
            fragment.column = column
            column += fragment.columns
            rows[rows.count - 1].append(fragment)
            if fragment.isFirst { firstRow[fragment.piece] = rows.count - 1 }
        }
    }

    // MARK: The cursor

    /// Moves the cursor to the first item that satisfies a condition; `false` if there is none.
    @discardableResult
    package mutating func moveCursor(to piece: Piece) -> Bool {
        guard let index = items.firstIndex(where: { $0.piece == piece }) else { return false }
        stand(at: index)
        return true
    }

    package mutating func stand(at index: Int) {
        cursor = index
        follows = index == items.count - 1
        showCursor()
    }

    package mutating func move(by step: Int) {
        guard var index = cursor else { return }
        repeat { index += step } while items.indices.contains(index) && items[index].piece == .label
        if items.indices.contains(index) { stand(at: index) }
    }

    /// Moves the cursor to the item above or below. If there is none, only the view scrolls, so the text beyond can be
    /// read.
    package mutating func moveRows(by step: Int) {
        guard let cursor, cursor < firstRow.count else { return scroll(by: step) }
        let row = firstRow[cursor]
        let column = rows[row].first { $0.piece == cursor }?.column ?? 0
        var target = max(0, min(rows.count - 1, row + step))
        while rows.indices.contains(target), target != row {
            let places = rows[target].filter { items[$0.piece].piece != .label && $0.piece != cursor }
            if let best = places.min(by: { abs($0.column - column) < abs($1.column - column) }) {
                return stand(at: best.piece)
            }
            target += step > 0 ? 1 : -1
        }
        guard let end = step > 0 ? lastPlace : firstPlace, end != cursor else { return scroll(by: step) }
        stand(at: end)
    }

    mutating func move(_ motion: Motion) {
        switch motion {
        case .rows(let rows): moveRows(by: rows)
        case .pages(let pages): moveRows(by: pages * max(1, height - 2))
        case .start: moveToStart()
        case .end: moveToEnd()
        case .columns(let columns): move(by: columns)
        }
    }

    private var firstPlace: Int? { items.firstIndex { $0.piece != .label } }
    private var lastPlace: Int? { items.lastIndex { $0.piece != .label } }

    package mutating func moveToStart() {
        if let index = firstPlace, index != cursor { stand(at: index) } else { top = 0 }
    }

    package mutating func moveToEnd() {
        if let index = lastPlace, index != cursor { stand(at: index) } else { top = max(0, rows.count - height) }
    }

    /// Returns the item at a point of the drawn area.
    package func item(at point: Point, in area: Rect) -> Int? {
        let row = top + point.row - area.row
        guard area.contains(point), rows.indices.contains(row) else { return nil }
        return rows[row].last { $0.column <= point.column - area.column }?.piece
    }

    /// Scrolls the view without moving the cursor.
    package mutating func scroll(by lines: Int) {
        if lines < 0 { follows = false }
        top = max(0, min(top + lines, rows.count - height))
    }

    private mutating func showCursor() {
        guard height > 0 else { return }
        if let cursor, cursor < firstRow.count {
            let row = firstRow[cursor]
            let margin = min(2, (height - 1) / 2)
            top = max(row + margin - height + 1, min(top, row - margin))
        }
        top = max(0, min(top, rows.count - height))
    }

    // MARK: Finding

    /// Finds text, including text that spans several tokens, and ignores case. O(n).
    package mutating func find(_ needle: String) {
        var found: [Range<Int>] = []
        defer { matches = found }
        guard !needle.isEmpty else { return }
        var whole = ""
        /// End of each item.
        var ends: [Int] = []
        for item in items {
            // The cursor cannot be on labels, and no match spans them.
            whole += item.piece == .label ? "\u{0}" : item.text
            ends.append(whole.utf8.count)
        }
        var place = 0
        var start = whole.startIndex
        while let match = whole.range(of: needle, options: .caseInsensitive, range: start..<whole.endIndex) {
            let first = whole.utf8.distance(from: whole.startIndex, to: match.lowerBound)
            let end = whole.utf8.distance(from: whole.startIndex, to: match.upperBound)
            while ends[place] <= first { place += 1 }
            var last = place
            while ends[last] < end { last += 1 }
            found.append(place..<last + 1)
            start = match.upperBound
        }
    }

    // MARK: Drawing

    /// Draws the rows in view. An area narrower than the layout wraps them again, so no words are cut off.
    package func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool
    ) {
        if area.columns < width, !area.isEmpty {
            var narrow = self
            narrow.setWidth(area.columns)
            return narrow.draw(into: &surface, in: area, theme: theme, isFocused: isFocused)
        }
        for (offset, row) in visible.enumerated() where offset < area.rows {
            for fragment in rows[row] {
                let item = items[fragment.piece]
                var style = theme[matched.contains(fragment.piece) ? .match : item.role]
                if fragment.piece == cursor { style = cursorStyle(style, isFocused, theme) }
                surface.put(
                    fragment.text, at: Point(column: area.column + fragment.column, row: area.row + offset),
                    style: style, width: area.columns - fragment.column)
            }
            // A token may add nothing visible, such as the first bytes of a character: the cursor marks its position.
            if let hidden = rows[row].first(where: { $0.piece == cursor }), hidden.columns == 0, area.columns > 0 {
                surface.put(
                    "·", at: Point(column: area.column + min(hidden.column, area.columns - 1), row: area.row + offset),
                    style: cursorStyle(theme[.text], isFocused, theme))
            }
        }
    }

    private func cursorStyle(_ style: Style, _ isFocused: Bool, _ theme: Theme) -> Style {
        isFocused ? theme[.matchCurrent] : style.adding(.reverse)
    }
}
