/// Options for exporting a surface as an SVG picture.
public struct SVGOptions: Hashable, Sendable {
    /// Monospaced CSS font families, in order of preference.
    public var fontFamily: String
    /// Font size in pixels.
    public var fontSize: Double
    /// Width of a cell as a multiple of the font size (default: DejaVu Sans Mono).
    public var advance: Double
    /// Height of a line as a multiple of the font size.
    public var lineHeight: Double
    /// Margin around the grid, in pixels.
    public var margin: Double
    /// Radius of the picture's corners, in pixels.
    public var cornerRadius: Double
    /// Title for screen readers.
    public var title: String

    /// Creates options.
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
    /// Returns the surface as an SVG picture on the theme's canvas.
    ///
    /// Every run of text has an explicit position. Lines, blocks, and braille are drawn as shapes, so they connect in
    /// any font.
    public func svg(theme: Theme, options: SVGOptions = SVGOptions()) -> String {
        var writer = SVGWriter(surface: self, canvas: theme.canvas, options: options)
        return writer.write()
    }
}
