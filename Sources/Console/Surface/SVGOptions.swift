/// How a surface is painted as a picture.
public struct SVGOptions: Hashable, Sendable {
    /// CSS font families, monospaced, best first.
    public var fontFamily: String
    /// Pixels of the font's em.
    public var fontSize: Double
    /// The advance of a glyph and the height of a line, in parts of the em; these are DejaVu Sans Mono's.
    public var advance: Double
    public var lineHeight: Double
    /// Pixels around the grid.
    public var margin: Double
    /// Pixels of the rounding of the picture's corners.
    public var cornerRadius: Double
    /// What a screen reader reads.
    public var title: String

    public init(
        fontFamily: String = "DejaVu Sans Mono, Menlo, Consolas, monospace", fontSize: Double = 14,
        advance: Double = 0.60205, lineHeight: Double = 1.2, margin: Double = 12, cornerRadius: Double = 8,
        title: String = "Orrery"
    ) {
        self.fontFamily = fontFamily
        self.fontSize = fontSize
        self.advance = advance
        self.lineHeight = lineHeight
        self.margin = margin
        self.cornerRadius = cornerRadius
        self.title = title
    }
}

extension Surface {
    /// The surface as an SVG picture on the theme's canvas.
    ///
    /// Every run of text stands at its column; lines, blocks and braille are drawn as shapes, so that they meet
    /// whatever font is at hand.
    public func svg(theme: Theme, options: SVGOptions = SVGOptions()) -> String {
        var writer = SVGWriter(surface: self, canvas: theme.canvas, options: options)
        return writer.write()
    }
}
