extension TextView {
    /// Draws the rows starting at `top`, wrapped to the width of the area.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        var view = self
        view.size = area.size
        surface.clipped(to: area) { view.drawRows(into: &$0, in: area, theme: theme) }
    }

    private func drawRows(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard var cursor = cursor(at: top) else { return }
        var paint = TextPaint(self)
        for row in area.row..<area.endRow {
            let section = sections[cursor.section]
            let margin = surface.put(
                section.margin, at: Point(column: area.column, row: row), theme: theme, width: area.columns)
            let place = Point(column: area.column + margin, row: row)
            let document = section.document
            document.withBytes { bytes in
                paint.prepare(cursor, in: self, bytes)
                drawRow(cursor, bytes, paint, into: &surface, at: place, columns: area.endColumn - place.column, theme)
            }
            let position = cursor.position
            move(&cursor, by: 1)
            if cursor.position == position { break }
        }
    }

    /// Draws a row, one run of identically styled clusters at a time.
    private func drawRow(
        _ cursor: TextCursor, _ bytes: UnsafeBufferPointer<UInt8>, _ paint: TextPaint, into surface: inout Surface,
        at place: Point, columns: Int, _ theme: Theme
    ) {
        let row = cursor.row
        // Leave out blanks at a line break; they would be visible if underlined.
        var end = row.end
        while end > row.start, row.end < cursor.segment.end, bytes[end - 1] == 0x20 { end -= 1 }
        var looks = paint.looks(from: row.start)
        var scanner = TextColumns(bytes, from: row.start, to: end, tab: TextWrapper(columns: 1).tab)
        var column = row.indent
        var pending = (start: row.start, end: row.start, column: column, look: TextLook())
        func flush() {
            guard pending.end > pending.start, pending.column < left + columns else { return }
            let text = String(
                decoding: UnsafeBufferPointer(rebasing: bytes[pending.start..<pending.end]), as: UTF8.self)
            let shift = pending.column - left
            surface.put(
                text, at: Point(column: place.column + shift, row: place.row), style: pending.look.style(in: theme))
        }
        while column < left + columns, let cluster = scanner.next(at: column) {
            let look = looks.look(at: cluster.start)
            if cluster.isTab || look != pending.look || pending.end != cluster.start || column < left {
                flush()
                pending = (cluster.start, cluster.start, column, look)
            }
            if cluster.isTab {
                for blank in column..<column + cluster.columns where blank >= left && blank < left + columns {
                    surface.put(
                        " ", at: Point(column: place.column + blank - left, row: place.row),
                        style: look.style(in: theme), width: 1)
                }
            } else if column >= left {
                pending.end = cluster.end
            }
            column += cluster.columns
            if cluster.isTab || column <= left { pending = (cluster.end, cluster.end, column, look) }
        }
        flush()
    }
}

/// The appearance of a cluster before a theme is applied: its role, attributes, and highlight.
struct TextLook: Hashable {
    enum Mark: Hashable { case none, match, current, selected }

    var role = Role.text
    var attributes: Style.Attributes = []
    var mark = Mark.none

    func style(in theme: Theme) -> Style {
        switch mark {
        case .none: theme[role].adding(attributes)
        case .match: theme.style(role, found: .match).adding(attributes)
        case .current: theme.style(role, found: .matchCurrent).adding(attributes)
        case .selected: theme.style(role, in: .selected).adding(attributes)
        }
    }
}

/// The highlighted runs of the section being drawn, computed during drawing.
private struct TextPaint {
    private let matches: [TextMatch]
    private let current: Int?
    private let selected: Range<TextPosition>?
    private var section = -1
    private var role = Role.text
    private var highlighter = Highlighter(.plain)
    private var state = HighlightState(.plain)
    private var runs = HighlightRuns()
    private var fixed: [HighlightRun]?
    /// Offset after the last highlighted segment.
    private var painted = 0

    init(_ view: TextView) {
        matches = view.search?.matches ?? []
        current = view.currentMatch
        selected = view.selectedRange
    }

    /// Highlights the segment that contains the cursor, unless it is already highlighted.
    mutating func prepare(_ cursor: TextCursor, in view: TextView, _ bytes: UnsafeBufferPointer<UInt8>) {
        let shown = view.sections[cursor.section]
        let document = shown.document
        if cursor.section != section {
            section = cursor.section
            role = shown.role
            fixed = nil
            if case .runs(let given) = shown.coloring { fixed = given }
            highlighter = Highlighter(shown.language)
            let start = view.highlights[section].start(before: cursor.segment.start, in: document, bytes)
            state = start.state
            painted = start.offset
        }
        guard fixed == nil, highlighter.language != .plain, cursor.segment.start >= painted else { return }
        while painted <= cursor.segment.start {
            let segment = document.segment(from: painted, in: bytes)
            runs.reset(from: segment.start)
            highlighter.highlight(bytes, segment, state: &state, into: &runs)
            painted = segment.next ?? .max
        }
    }

    func looks(from start: Int) -> Looks {
        let runs = fixed ?? (highlighter.language == .plain ? [] : self.runs.runs)
        return Looks(
            runs: runs, run: Self.firstIndex(runs.count) { runs[$0].end > start }, role: role, matches: matches,
            match: Self.firstIndex(matches.count) {
                matches[$0].section > section || matches[$0].section == section && matches[$0].range.upperBound > start
            }, section: section, current: current,
            selected: selected.map { TextView.part(of: $0, in: section) } ?? 0..<0)
    }

    private static func firstIndex(_ count: Int, where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// An iterator over the appearance of a row, for offsets in ascending order.
private struct Looks {
    let runs: [HighlightRun]
    var run: Int
    let role: Role
    let matches: [TextMatch]
    var match: Int
    let section: Int
    let current: Int?
    let selected: Range<Int>

    mutating func look(at offset: Int) -> TextLook {
        while run < runs.count, runs[run].end <= offset { run += 1 }
        while match < matches.count, matches[match].section == section, matches[match].range.upperBound <= offset {
            match += 1
        }
        var look = TextLook(role: role)
        if run < runs.count {
            if runs[run].role != .text { look.role = runs[run].role }
            look.attributes = runs[run].attributes
        }
        if match < matches.count, matches[match].section == section, matches[match].range.lowerBound <= offset {
            look.mark = match == current ? .current : .match
        }
        if selected.contains(offset) { look.mark = .selected }
        return look
    }
}
