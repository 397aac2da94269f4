/// Characters for frames, markers, and charts, in Unicode or in plain ASCII.
public struct Glyphs: Hashable, Sendable {
    /// Horizontal line of a frame.
    public var horizontal: Unicode.Scalar
    /// Vertical line of a frame.
    public var vertical: Unicode.Scalar
    /// Top left corner of a frame.
    public var topLeft: Unicode.Scalar
    /// Top right corner of a frame.
    public var topRight: Unicode.Scalar
    /// Bottom left corner of a frame.
    public var bottomLeft: Unicode.Scalar
    /// Bottom right corner of a frame.
    public var bottomRight: Unicode.Scalar
    /// Horizontal line with a branch down.
    public var teeDown: Unicode.Scalar
    /// Horizontal line with a branch up.
    public var teeUp: Unicode.Scalar
    /// Vertical line with a branch to the right.
    public var teeRight: Unicode.Scalar
    /// Vertical line with a branch to the left.
    public var teeLeft: Unicode.Scalar
    /// Crossing of a horizontal and a vertical line.
    public var cross: Unicode.Scalar

    /// Bar at the left of the cursor's row.
    public var cursorBar: Unicode.Scalar
    /// Marker of an expanded tree node.
    public var expanded: Unicode.Scalar
    /// Marker of a collapsed tree node.
    public var collapsed: Unicode.Scalar
    /// Marker of a column sorted in ascending order.
    public var ascending: Unicode.Scalar
    /// Marker of a column sorted in descending order.
    public var descending: Unicode.Scalar
    /// Arrow to the right.
    public var right: Unicode.Scalar
    /// Arrow to the left.
    public var left: Unicode.Scalar
    /// Arrow up.
    public var up: Unicode.Scalar
    /// Arrow down.
    public var down: Unicode.Scalar
    /// Bullet of a list item.
    public var bullet: Unicode.Scalar
    /// Placeholder for zero or a missing value in a column.
    public var nothing: Unicode.Scalar
    /// Marker of success.
    public var check: Unicode.Scalar
    /// Marker of failure.
    public var failed: Unicode.Scalar
    /// Diamond.
    public var diamond: Unicode.Scalar
    /// Filled circle.
    public var dot: Unicode.Scalar
    /// Open circle.
    public var ring: Unicode.Scalar
    /// Marker of a row that the user has marked.
    public var mark: Unicode.Scalar
    /// Multiplication sign.
    public var multiply: Unicode.Scalar
    /// Sign between a number and its tolerance.
    public var plusMinus: Unicode.Scalar
    /// Ellipsis after truncated text.
    public var ellipsis: Unicode.Scalar
    /// Heavy horizontal line.
    public var heavyLine: Unicode.Scalar

    /// Block characters for horizontal bars, from the shortest to a full cell, in equal steps.
    public var bars: [Unicode.Scalar]
    /// Block characters for vertical bars, from the lowest to a full cell, in equal steps.
    public var columns: [Unicode.Scalar]
    /// Shades from the lightest to a full cell.
    public var shades: [Unicode.Scalar]
    /// Horizontal bar lower than a full cell, so that bars in adjacent rows stay apart.
    public var lowBar: Unicode.Scalar
    /// Left end of a gauge.
    public var gaugeStart: Unicode.Scalar
    /// Right end of a gauge.
    public var gaugeEnd: Unicode.Scalar
    /// Thumb of a scroll bar.
    public var scrollThumb: Unicode.Scalar
    /// Track of a scroll bar.
    public var scrollTrack: Unicode.Scalar
    /// Whether only ASCII may be drawn, which rules out finer characters such as braille.
    public var isASCII: Bool

    /// Unicode characters.
    public static let unicode = Glyphs(
        horizontal: "─", vertical: "│", topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯",
        teeDown: "┬", teeUp: "┴", teeRight: "├", teeLeft: "┤", cross: "┼",
        cursorBar: "▌", expanded: "▾", collapsed: "▸", ascending: "▴", descending: "▾", right: "→", left: "←",
        up: "↑", down: "↓", bullet: "•", nothing: "·", check: "✓", failed: "✗", diamond: "◇", dot: "●", ring: "○",
        mark: "★",
        multiply: "×", plusMinus: "±", ellipsis: "…", heavyLine: "━",
        bars: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"], columns: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
        shades: ["░", "▒", "▓", "█"], lowBar: "▆", gaugeStart: "▕", gaugeEnd: "▏",
        scrollThumb: "┃", scrollTrack: "│", isASCII: false)

    /// ASCII characters.
    public static let ascii = Glyphs(
        horizontal: "-", vertical: "|", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
        teeDown: "+", teeUp: "+", teeRight: "+", teeLeft: "+", cross: "+",
        cursorBar: ">", expanded: "v", collapsed: ">", ascending: "^", descending: "v", right: ">", left: "<",
        up: "^", down: "v", bullet: "*", nothing: ".", check: "+", failed: "x", diamond: "o", dot: "*", ring: "o",
        mark: "!",
        multiply: "x", plusMinus: "~", ellipsis: "~", heavyLine: "=",
        bars: ["#"], columns: [".", ":", "|", "#"],
        shades: [".", ":", "+", "#"], lowBar: "#", gaugeStart: "[", gaugeEnd: "]",
        scrollThumb: "#", scrollTrack: "|", isASCII: true)
}
