/// The signs that a screen is built from, as Unicode or as plain ASCII.
public struct Glyphs: Hashable, Sendable {
    /// Frames: lines, rounded corners, and the places where frames meet.
    public var horizontal: Unicode.Scalar
    public var vertical: Unicode.Scalar
    public var topLeft: Unicode.Scalar
    public var topRight: Unicode.Scalar
    public var bottomLeft: Unicode.Scalar
    public var bottomRight: Unicode.Scalar
    public var teeDown: Unicode.Scalar
    public var teeUp: Unicode.Scalar
    public var teeRight: Unicode.Scalar
    public var teeLeft: Unicode.Scalar
    public var cross: Unicode.Scalar

    /// The bar at the left of the line that has the cursor.
    public var cursorBar: Unicode.Scalar
    public var expanded: Unicode.Scalar
    public var collapsed: Unicode.Scalar
    public var ascending: Unicode.Scalar
    public var descending: Unicode.Scalar
    public var right: Unicode.Scalar
    public var left: Unicode.Scalar
    public var up: Unicode.Scalar
    public var down: Unicode.Scalar
    public var bullet: Unicode.Scalar
    /// What stands for zero or nothing in a column.
    public var nothing: Unicode.Scalar
    public var check: Unicode.Scalar
    public var failed: Unicode.Scalar
    public var diamond: Unicode.Scalar
    public var dot: Unicode.Scalar
    public var ring: Unicode.Scalar
    /// The mark of a row that the user has marked.
    public var mark: Unicode.Scalar
    public var multiply: Unicode.Scalar
    /// The sign between a number and its tolerance.
    public var plusMinus: Unicode.Scalar
    public var ellipsis: Unicode.Scalar
    public var heavyLine: Unicode.Scalar

    /// Bars of a length: from one part of a cell to all of it, in equal steps.
    public var bars: [Unicode.Scalar]
    /// Columns of a height: from one part of a cell to all of it, in equal steps.
    public var columns: [Unicode.Scalar]
    /// Shades from nearly nothing to full.
    public var shades: [Unicode.Scalar]
    /// A bar that leaves air above and below it.
    public var lowBar: Unicode.Scalar
    /// The ends of a gauge.
    public var gaugeStart: Unicode.Scalar
    public var gaugeEnd: Unicode.Scalar
    public var scrollThumb: Unicode.Scalar
    public var scrollTrack: Unicode.Scalar
    /// Whether finer signs, such as braille, may be drawn too.
    public var isASCII: Bool

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
