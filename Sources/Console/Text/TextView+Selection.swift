/// Text selected with the mouse, as the clusters under the first and the last cell.
struct TextSelection: Sendable {
    var start: Range<TextPosition>
    var end: Range<TextPosition>
    /// Whether the mouse has moved since the button was pressed.
    var isDragged = false

    var range: Range<TextPosition> {
        min(start.lowerBound, end.lowerBound)..<max(start.upperBound, end.upperBound)
    }
}

extension TextView {
    /// Starts a selection at a point of the area where the view is drawn, and discards the previous one.
    public mutating func beginSelection(at point: Point, in area: Rect) {
        selection = area.contains(point) ? cluster(at: point, in: area).map { TextSelection(start: $0, end: $0) } : nil
    }

    /// Extends the selection to a point, and scrolls by a row if the point is above or below the area.
    public mutating func extendSelection(to point: Point, in area: Rect) {
        guard var selection else { return }
        if point.row < area.row { scroll(by: -1) }
        if point.row >= area.endRow { scroll(by: 1) }
        selection.end = cluster(at: point, in: area) ?? selection.end
        selection.isDragged = true
        self.selection = selection
    }

    /// Discards the selection.
    public mutating func clearSelection() { selection = nil }

    /// Selected text, with a line feed between sections; `nil` if nothing is selected.
    public var selectedText: String? {
        guard let range = selectedRange else { return nil }
        let parts = (range.lowerBound.section...range.upperBound.section).map { section in
            sections[section].document.withBytes { bytes in
                let part = Self.part(of: range, in: section).clamped(to: 0..<bytes.count)
                return String(decoding: UnsafeBufferPointer(rebasing: bytes[part]), as: UTF8.self)
            }
        }
        return parts.joined(separator: "\n")
    }

    /// Positions of the selected text; `nil` until the mouse has selected something.
    var selectedRange: Range<TextPosition>? {
        selection.flatMap { $0.isDragged && !$0.range.isEmpty ? $0.range : nil }
    }

    /// Returns the bytes of a section that a range covers.
    static func part(of range: Range<TextPosition>, in section: Int) -> Range<Int> {
        guard (range.lowerBound.section...range.upperBound.section).contains(section) else { return 0..<0 }
        let start = range.lowerBound.section == section ? range.lowerBound.offset : 0
        return start..<(range.upperBound.section == section ? range.upperBound.offset : .max)
    }

    /// Returns the cluster at the cell nearest to a point; an empty range after the end of a row.
    private func cluster(at point: Point, in area: Rect) -> Range<TextPosition>? {
        guard var cursor = cursor(at: top) else { return nil }
        let isInText = move(&cursor, by: max(0, min(point.row - area.row, area.rows - 1)))
        let (row, section) = (cursor.row, cursor.section)
        let goal = isInText ? point.column - area.column - sections[section].margin.columns + left : .max
        return sections[section].document.withBytes { bytes in
            var scanner = TextColumns(bytes, from: row.start, to: row.end, tab: TextWrapper(columns: 1).tab)
            var (column, found) = (row.indent, row.start..<row.start)
            while let cluster = scanner.next(at: column) {
                column += cluster.columns
                found = column > goal ? cluster.start..<cluster.end : cluster.end..<cluster.end
                if column > goal { break }
            }
            return TextPosition(
                section: section, offset: found.lowerBound)..<TextPosition(section: section, offset: found.upperBound)
        }
    }
}
