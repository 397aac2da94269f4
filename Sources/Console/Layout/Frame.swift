/// A piece of text in the border of a frame.
public struct FrameLabel: Hashable, Sendable, ExpressibleByStringInterpolation {
    public var text: String
    /// How it looks; nil as its place asks for: a title stands out, counts and details are dim.
    public var role: Role?

    public init(_ text: String, role: Role? = nil) {
        self.text = text
        self.role = role
    }

    public init(stringLiteral value: String) { self.init(value) }

    /// Whether the text begins with a number or an amount of money.
    var isFigure: Bool { text.first.map { $0.isNumber || $0 == "$" } ?? false }
}

/// The border of a pane, with its title, count and details set into the upper line:
/// `╭─ Runs ─ 128 ── kind:agent ─────── 38 ms ─╮`.
///
/// Where room is short, the details at the right go first, then those at the left from the last to the first, then the
/// count; the title is cut last, but a long title is shortened to make room for the count and the figures after it. A
/// figure is shown whole or not at all; a title or a long detail ends after a whole word.
public struct Frame: Hashable, Sendable {
    public var title: FrameLabel
    public var count: FrameLabel?
    public var details: [FrameLabel]
    /// Details at the right end of the line.
    public var trailing: [FrameLabel]
    public var isFocused: Bool
    /// Whether only the top line is drawn, to save rows on small screens.
    public var isOpen = false

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

    /// Draws the border and returns the area inside it. An area of one row or column has no inside.
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

    /// The area inside the border.
    public func inside(of area: Rect) -> Rect {
        if isOpen {
            var rest = area
            _ = rest.takeTop(1)
            return rest
        }
        return area.columns < 2 || area.rows < 2
            ? Rect(column: area.column, row: area.row, columns: 0, rows: 0) : area.inset(columns: 1, rows: 1)
    }

    /// Draws the labels over an upper line that is there already, such as a rule's.
    public func drawTitle(into surface: inout Surface, in area: Rect, theme: Theme) {
        // `╭─ ` before and ` ─╮` behind.
        let room = area.columns - 6
        guard room > 0, area.rows > 0 else { return }
        let titleRole: Role = isFocused ? .titleFocused : .title
        let (left, right) = fitting(room)
        let start = Point(column: area.column + 2, row: area.row)
        var column = start.column
        for (index, label) in left.enumerated() {
            // `─` before the count, `──` before details.
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

    /// The columns from which on a detail is cut rather than left out: more than figures have.
    private static let leastPart = 16

    /// Columns of the title: fewer than it has if that makes room for figures. Its first words still identify the pane,
    /// while the list or the pane itself shows the rest.
    private func titleRoom(_ room: Int) -> Int {
        let least = min(DisplayWidth.of(title.text), max(Self.leastPart, room * 2 / 5))
        var figures = 0
        let widths =
            [count].compactMap(\.self).map { DisplayWidth.of($0.text) + 3 }
            + details.prefix(while: \.isFigure).map { DisplayWidth.of($0.text) + 4 }
        for columns in widths {
            guard least + figures + columns <= room else { break }
            figures += columns
        }
        return room - figures
    }

    /// The labels that have room, the title cut where even it has not.
    private func fitting(_ room: Int) -> (left: [FrameLabel], right: [FrameLabel]) {
        var cut = title
        cut.text = cut.text.truncatedBetweenWords(toColumns: titleRoom(room))
        var left = cut.text.isEmpty ? [] : [cut]
        var used = DisplayWidth.of(cut.text)
        if let count {
            // ` ─ ` between title and count, ` ── ` between others.
            let columns = DisplayWidth.of(count.text) + 3
            guard used + columns <= room else { return (left, []) }
            left.append(count)
            used += columns
        }
        for detail in details {
            var detail = detail
            let columns = DisplayWidth.of(detail.text) + 4
            if used + columns > room {
                // The first words of a sentence are better than none; the first digits of a figure are not.
                guard !detail.isFigure, room - used - 4 >= Self.leastPart else { return (left, []) }
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
