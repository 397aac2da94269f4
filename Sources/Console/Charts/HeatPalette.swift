/// The appearance of values in a heatmap: background colors, or characters of increasing density if colors are few.
///
/// On sequential scales, contrast with the background grows steadily. Diverging scales use blue below 0 and orange
/// above, which color-blind users can distinguish. Colors come from the 256-color palette, so that pictures look like
/// the terminal.
public struct HeatPalette: Sendable {
    /// Whether values have background colors; otherwise characters show the magnitude and the sign.
    public let isColored: Bool
    private let isASCII: Bool
    private let isDark: Bool
    private let nothing: Unicode.Scalar
    private let shades: [Unicode.Scalar]
    private let ramps: Ramps

    /// Palette indices from almost empty to full.
    private struct Ramps: Sendable {
        let sequential: [UInt8]
        let below: [UInt8]
        let above: [UInt8]

        static let dark = Ramps(
            sequential: [235, 236, 237, 238, 24, 31, 37, 79, 151, 187, 229],
            below: [235, 237, 24, 32, 75, 117, 153], above: [235, 237, 94, 130, 172, 215, 223])
        static let light = Ramps(
            sequential: [255, 254, 253, 153, 110, 74, 31, 24, 17],
            below: [255, 253, 153, 110, 68, 25, 18], above: [255, 253, 223, 215, 172, 130, 52])
    }

    /// Creates the palette of a theme.
    public init(_ theme: Theme) {
        isASCII = theme.glyphs.isASCII
        nothing = theme.glyphs.nothing
        shades = theme.glyphs.isASCII ? Array(theme.glyphs.shades.dropFirst()) : theme.glyphs.shades
        // Sixteen colors are too few for a ramp, and monochrome themes have no colors.
        isColored = theme.depth == .palette && !isASCII && theme[.series1].foreground != .terminal
        isDark = theme.canvas.background.rgb.map { !Quantizer.isLight($0) } ?? true
        ramps = isDark ? .dark : .light
    }

    /// Returns the color of a value on its scale; `nil` for NaN.
    ///
    /// - Parameter isCrossed: Whether the cell is in the cursor's row or column, which changes the color of nearly
    ///   empty cells.
    public func color(of value: Float, on scale: HeatScale, isCrossed: Bool = false) -> Color? {
        scale.share(of: value).map { .indexed(ground($0, on: scale, isCrossed)) }
    }

    private func ground(_ share: Float, on scale: HeatScale, _ isCrossed: Bool) -> UInt8 {
        let steps = share < 0 ? ramps.below : scale.isDiverging ? ramps.above : ramps.sequential
        let step = steps[Int((min(1, share.magnitude) * Float(steps.count - 1)).rounded())]
        // Only the grays of the palette, 232 to 255, can be shifted.
        guard isCrossed, step >= 232 else { return step }
        return isDark ? step + 2 : step - 2
    }

    /// Returns the character for a position on the scale if there are no colors: denser for larger magnitudes, dashes
    /// for negative positions.
    public func glyph(_ share: Float) -> Unicode.Scalar {
        let signs = share < 0 ? (isASCII ? Self.asciiLines : Self.lines) : shades
        let level = Int((min(1, share.magnitude) * Float(signs.count)).rounded())
        // A magnitude of 0.05 or more must differ from an empty cell.
        let shown = level == 0 && share.magnitude >= 0.05 ? 1 : level
        return shown == 0 ? nothing : signs[shown - 1]
    }

    private static let lines: [Unicode.Scalar] = ["╌", "-", "=", "≡"]
    private static let asciiLines: [Unicode.Scalar] = ["-", "=", "%"]

    /// Returns the style of text on a value's background: legible on every color. Without background colors, the style
    /// itself shows the value.
    public func textStyle(
        of value: Float, on scale: HeatScale, theme: Theme, isCrossed: Bool = false
    ) -> Style {
        guard let share = scale.share(of: value) else { return theme[.text] }
        guard isColored else {
            if share < -0.05 { return theme[.text].adding(share < -0.5 ? [.italic, .underline] : .italic) }
            switch share {
            case ..<0.05: return theme[.text]
            case ..<0.3: return theme[.heat2]
            case ..<0.65: return theme[.heat3]
            default: return theme[.heat4]
            }
        }
        guard share.magnitude >= 0.02 else { return theme[.text] }
        let ground = ground(share, on: scale, isCrossed)
        // At this luminance, black and white text have the same contrast, 4.58.
        let isLight = Quantizer.rgb(of: ground).luminance > 0.179
        return Style(
            foreground: .indexed(isLight ? 16 : 231), background: .indexed(ground),
            attributes: theme[.text].attributes)
    }
}
