/// A label in the border of a frame.
public struct FrameLabel: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Text of the label.
    public var text: String
    /// Style of the label; `nil` uses the default for its position: titles stand out, and other labels are dim.
    public var role: Role?

    /// Creates a label.
    public init(_ text: String, role: Role? = nil) {
        self.text = text
        self.role = role
    }

    /// Creates a label with the default style.
    public init(stringLiteral value: String) { self.init(value) }

    /// Whether the text starts with a number or an amount of money.
    var isFigure: Bool { text.first.map { $0.isNumber || $0 == "$" } ?? false }
}

/// The border of a pane, with its title, count, and details in the top line:
/// `╭─ Runs ─ 128 ── kind:agent ─────── 38 ms ─╮`.
///
/// If there is not enough room, labels are omitted in this order: details at the right, details at the left from last
/// to first, and the count. The title is shortened last, except that a long title is shortened earlier to make room for
/// the count and the figures after it. A figure is shown completely or not at all; titles and long details end after a
/// whole word.
public struct Frame: Hashable, Sendable {
    /// Title at the left.
    public var title: FrameLabel
    /// Number of rows or items, after the title.
    public var count: FrameLabel?
    /// Details after the count.
    public var details: [FrameLabel]
    /// Details at the right end of the line.
    public var trailing: [FrameLabel]
    /// Whether the pane receives keys, which highlights its border.
    public var isFocused: Bool
    /// Whether only the top line is drawn, to save rows on small screens.
    public var isOpen = false

    /// Creates a frame.
    public init(
        _ title: FrameLabel, count: FrameLabel? = nil, details: [FrameLabel] = [], trailing: [FrameLabel] = [],
        isFocused: Bool = false
    ) {
        self.title = title
        self.count = count
        self.details = details
        self.trailing = trailing
        self.isFocused = isFocused
    }

    /// Draws the border and returns the area inside it, which is empty if the area has only one row or column.
    @discardableResult
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) -> Rect {
        guard !area.isEmpty else { return area }
        let style = theme[isFocused ? .borderFocused : .border]
        if isOpen {
            let line = Rect(column: area.column, row: area.row, columns: area.columns, rows: 1)
            surface.fill(line, with: theme.glyphs.horizontal, style: style)
        } else if area.rows == 1 || area.columns == 1 {
            surface.fill(
                area, with: area.rows == 1 ? theme.glyphs.horizontal : theme.glyphs.vertical, style: style)
        } else {
            surface.box(area, style: style, glyphs: theme.glyphs)
        }
        drawTitle(into: &surface, in: area, theme: theme)
        return inside(of: area)
    }

    /// Returns the area inside the border.
    public func inside(of area: Rect) -> Rect {
        if isOpen {
            var rest = area
            _ = rest.takeTop(1)
            return rest
        }
        return area.columns < 2 || area.rows < 2
            ? Rect(column: area.column, row: area.row, columns: 0, rows: 0) : area.inset(columns: 1, rows: 1)
    }

    /// Draws the labels over an existing top line, such as a separator.
    public func drawTitle(into surface: inout Surface, in area: Rect, theme: Theme) {
        // Reserve `╭─ ` at the left and ` ─╮` at the right.
        let room = area.columns - 6
        guard room > 0, area.rows > 0 else { return }
        let titleRole: Role = isFocused ? .titleFocused : .title
        let (left, right) = fitting(room)
        let start = Point(column: area.column + 2, row: area.row)
        var column = start.column
        for (index, label) in left.enumerated() {
            // `─` precedes the count, `──` precedes details.
            if index > 0 { column += index == 1 && count != nil ? 1 : 2 }
            let used = surface.put(
                " \(label.text) ", at: Point(column: column, row: area.row),
                style: theme[label.role ?? (index == 0 ? titleRole : .dim)],
                width: area.endColumn - 2 - column)
            column += used
        }
        column = area.endColumn - 2
        for label in right.reversed() {
            let columns = DisplayWidth.of(label.text) + 2
            column -= columns
            surface.put(" \(label.text) ", at: Point(column: column, row: area.row), style: theme[label.role ?? .dim])
            column -= 2
        }
    }

    /// Minimum width of a shortened label. Figures are narrower, so they are never shortened.
    private static let minPart = 16

    /// Returns the width of the title, reduced if that makes room for figures. The first words still identify the pane,
    /// and the list or the pane itself shows the rest.
    private func titleRoom(_ room: Int) -> Int {
        let minimum = min(DisplayWidth.of(title.text), max(Self.minPart, room * 2 / 5))
        var figures = 0
        let widths =
            [count].compactMap(\.self).map { DisplayWidth.of($0.text) + 3 }
            + details.prefix(while: \.isFigure).map { DisplayWidth.of($0.text) + 4 }
        for columns in widths {
            guard minimum + figures + columns <= room else { break }
            figures += columns
        }
        return room - figures
    }

    /// Returns the labels that fit; the title is shortened if necessary.
    private func fitting(_ room: Int) -> (left: [FrameLabel], right: [FrameLabel]) {
        var cut = title
        cut.text = cut.text.truncatedBetweenWords(toColumns: titleRoom(room))
        var left = cut.text.isEmpty ? [] : [cut]
        var used = DisplayWidth.of(cut.text)
        if let count {
            // ` ─ ` separates the title and the count, ` ── ` separates the others.
            let columns = DisplayWidth.of(count.text) + 3
            guard used + columns <= room else { return (left, []) }
            left.append(count)
            used += columns
        }
        for detail in details {
            var detail = detail
            let columns = DisplayWidth.of(detail.text) + 4
            if used + columns > room {
                // Part of a sentence is better than nothing, but part of a figure is misleading.
                guard !detail.isFigure, room - used - 4 >= Self.minPart else { return (left, []) }
                detail.text = detail.text.truncatedBetweenWords(toColumns: room - used - 4)
                left.append(detail)
                return (left, [])
            }
            left.append(detail)
            used += columns
        }
        var right: [FrameLabel] = []
        for label in trailing {
            let columns = DisplayWidth.of(label.text) + 4
            guard used + columns <= room else { break }
            right.append(label)
            used += columns
        }
        return (left, right)
    }
}
