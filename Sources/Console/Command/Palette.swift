/// A list that is narrowed by typing a few letters: all actions by name, or the places that can open a thing.
public struct Palette<Value: Sendable>: Sendable {
    public struct Item: Sendable {
        public var title: String
        /// What stands dimmed before the title, such as the panel's name.
        public var group: String
        /// What stands at the right, such as the keys.
        public var keys: String
        /// Why it cannot be chosen now; nil where it can.
        public var disabled: String?
        public var value: Value

        public init(
            _ title: String, group: String = "", keys: String = "", disabled: String? = nil, value: Value
        ) {
            self.title = title
            self.group = group
            self.keys = keys
            self.disabled = disabled
            self.value = value
        }
    }

    public let title: String
    public let items: [Item]
    public private(set) var query = ""
    /// The items that match, best first, as indices of `items`.
    public private(set) var matches: [Int]
    public private(set) var list: ListView
    private let texts: [String]

    public init(_ title: String, _ items: [Item]) {
        self.title = title
        self.items = items
        texts = items.map { $0.group.isEmpty ? $0.title : "\($0.group) \($0.title)" }
        matches = Array(items.indices)
        list = ListView(count: items.count, height: Self.rows, context: 1)
    }

    /// Rows of the list, and columns of the whole, where the screen has them.
    private static var rows: Int { 14 }
    private static var columns: Int { 72 }

    /// The item under the cursor, even if it is disabled; nil where nothing matches.
    public var selected: Item? { matches.isEmpty ? nil : items[matches[list.selection]] }

    /// Looks for another text.
    public mutating func setQuery(_ query: String) {
        self.query = query
        matches = FuzzyMatcher(query).rank(texts)
        list = ListView(count: matches.count, height: Self.rows, context: 1)
    }

    /// What became of a key.
    public enum Outcome: Sendable {
        case stays
        case chosen(Value)
        /// The item cannot be chosen now: why.
        case refused(String)
        case closed
    }

    /// Takes a key: letters and Backspace edit, arrows move, Enter chooses, Esc closes.
    public mutating func press(_ key: Key) -> Outcome {
        switch (key.code, key.modifiers) {
        case (.escape, _), (.character("c"), .control), (.character("p"), .control): return .closed
        case (.enter, _):
            guard let selected else { return .stays }
            return selected.disabled.map { .refused($0) } ?? .chosen(selected.value)
        case (.up, _), (.character("k"), .control), (.tab, .shift): list.move(by: -1)
        case (.down, _), (.character("j"), .control), (.character("n"), .control), (.tab, []): list.move(by: 1)
        case (.pageUp, _): list.movePages(-1)
        case (.pageDown, _): list.movePages(1)
        case (.home, _): list.moveToStart()
        case (.end, _): list.moveToEnd()
        case (.character("u"), .control): setQuery("")
        case (.character("w"), .control):
            var kept = Substring(query)
            while kept.last == " " { kept.removeLast() }
            while let last = kept.last, last != " " { kept.removeLast() }
            setQuery(String(kept))
        case (.backspace, _):
            if query.isEmpty { return .closed }
            setQuery(String(query.dropLast()))
        case (.character(let character), let modifiers) where modifiers.isSubset(of: .shift):
            setQuery(query + String(character))
        default: break
        }
        return .stays
    }

    /// Adds pasted text to the query, without what no query has.
    public mutating func paste(_ text: String) {
        setQuery(query + String(text.prefix(200).filter { !$0.isNewline }))
    }

    /// Moves to the item at a place of the screen on which it was drawn; true where there is one.
    public mutating func click(at point: Point, in screen: Rect) -> Bool {
        guard let row = list.row(at: point, in: Self.listArea(in: inside(screen))) else { return false }
        list.select(row)
        return true
    }

    // MARK: Drawing

    private var popup: Popup {
        let count = query.isEmpty ? Format.count(items.count) : "\(Format.count(matches.count)) of \(items.count)"
        return Popup(
            FrameLabel(title), content: Size(Self.columns, 2 + min(Self.rows, max(3, items.count))),
            trailing: [FrameLabel(count, role: .dim)])
    }

    private func inside(_ screen: Rect) -> Rect {
        popup.area(in: screen).inset(columns: 2, rows: 1)
    }

    private static func listArea(in inside: Rect) -> Rect {
        var list = inside
        _ = list.takeTop(2)
        return list
    }

    /// Draws the popup over the middle of the screen and puts the cursor behind the query.
    public func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        var inside = popup.draw(into: &surface, in: screen, theme: theme)
        guard !inside.isEmpty else { return }
        let input = inside.takeTop(1)
        drawQuery(into: &surface, in: input, theme: theme)
        surface.fill(inside.takeTop(1), with: theme.glyphs.horizontal, style: theme[.border])
        let matcher = FuzzyMatcher(query)
        let shown = list.fitted(to: inside.rows)
        if matches.isEmpty {
            surface.put("nothing is called so", at: inside.origin, style: theme[.dim], width: inside.columns)
        }
        for row in shown.visible {
            let line = Rect(column: inside.column, row: inside.row + row - shown.top, columns: inside.columns, rows: 1)
            draw(matches[row], matcher, isSelected: row == list.selection, into: &surface, in: line, theme)
        }
        let edge = Rect(column: inside.endColumn + 1, row: inside.row, columns: 1, rows: inside.rows)
        ScrollBar(shown).draw(into: &surface, in: edge, theme: theme)
    }

    private func drawQuery(into surface: inout Surface, in row: Rect, theme: Theme) {
        let sign = theme.glyphs.isASCII ? ">" : "›"
        surface.put(sign, at: row.origin, style: theme[.accent], width: row.columns)
        let room = row.columns - 3
        guard room > 0 else { return }
        // Of a query that is too long the end is seen.
        var tail = Substring(query)
        while DisplayWidth.of(tail) > room { tail = tail.dropFirst() }
        let used = surface.put(tail, at: Point(column: row.column + 2, row: row.row), style: theme[.strong])
        if query.isEmpty {
            surface.put(
                "type a few letters", at: Point(column: row.column + 2, row: row.row), style: theme[.faint], width: room
            )
        }
        surface.cursor = Point(column: row.column + 2 + used, row: row.row)
    }

    private func draw(
        _ index: Int, _ matcher: FuzzyMatcher, isSelected: Bool, into surface: inout Surface, in line: Rect,
        _ theme: Theme
    ) {
        let item = items[index]
        let look: RowLook = isSelected ? .selected : .plain
        surface.fill(line, style: theme.style(.text, in: look))
        let keys = DisplayWidth.of(item.keys)
        var room = line.columns
        if keys > 0, keys < line.columns / 2 {
            surface.put(
                item.keys, at: Point(column: line.endColumn - keys, row: line.row),
                style: theme.style(item.disabled == nil ? .key : .faint, in: look))
            room -= keys + 2
        }
        let positions = Set(matcher.match(texts[index])?.positions ?? [])
        let lead = item.group.isEmpty ? 0 : item.group.utf8.count + 1
        var column = line.column
        var offset = 0
        for character in texts[index] where column - line.column < room {
            let role: Role = offset < lead ? .dim : item.disabled == nil ? .text : .faint
            var style = theme.style(role, in: look)
            if positions.contains(offset) { style = theme.style(.accent, in: look).adding([.bold, .underline]) }
            column += surface.put(
                String(character), at: Point(column: column, row: line.row), style: style,
                width: room - (column - line.column))
            offset += character.utf8.count
        }
        guard let reason = item.disabled, room - (column - line.column) > 8 else { return }
        surface.put(
            "  " + reason, at: Point(column: column, row: line.row), style: theme.style(.faint, in: look),
            width: room - (column - line.column))
    }
}
