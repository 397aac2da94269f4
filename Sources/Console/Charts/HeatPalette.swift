/// How shares of a scale look in a theme: colors that run from the ground to full, or signs where there are few colors.
///
/// Sequential scales grow steadily in contrast to the ground; diverging ones leave it for blue below 0 and for orange
/// above it, which also the color-blind tell apart.
public struct HeatPalette: Sendable {
    /// Whether grounds are colored; else signs tell how much, and others below 0.
    public let isColored: Bool
    private let isASCII: Bool
    private let nothing: Unicode.Scalar
    private let shades: [Unicode.Scalar]
    private let ramp: [Channels]
    private let below: [Channels]
    private let above: [Channels]
    private let contrast: Channels

    /// A color in the making.
    private struct Channels: Sendable {
        var red: Float
        var green: Float
        var blue: Float

        init(_ hex: UInt32) {
            red = Float(hex >> 16 & 0xFF)
            green = Float(hex >> 8 & 0xFF)
            blue = Float(hex & 0xFF)
        }

        /// Relative luminance, 0 to 255.
        var luminance: Float { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

        func mixed(with other: Channels, _ share: Float) -> Channels {
            var result = self
            result.red += (other.red - red) * share
            result.green += (other.green - green) * share
            result.blue += (other.blue - blue) * share
            return result
        }

        var color: Color { .rgb(UInt8(red.rounded()), UInt8(green.rounded()), UInt8(blue.rounded())) }
    }

    public init(_ theme: Theme) {
        isASCII = theme.glyphs.isASCII
        nothing = theme.glyphs.nothing
        shades = theme.glyphs.isASCII ? Array(theme.glyphs.shades.dropFirst()) : theme.glyphs.shades
        // A theme of the terminal's own sixteen colors, or of none, is for terminals that have no more.
        switch theme[.series1].foreground.kind {
        case .terminal: isColored = false
        case .indexed(let index): isColored = index >= 16 && !isASCII
        case .rgb: isColored = !isASCII
        }
        var ground = Channels(0x1C1C1C)
        if case .rgb(let red, let green, let blue) = theme.canvas.background.kind {
            ground = Channels(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
        }
        let isDark = ground.luminance < 128
        contrast = Channels(isDark ? 0xFFFFFF : 0x000000)
        let first = ground.mixed(with: contrast, 0.05)
        ramp =
            [first]
            + (isDark ? [0x1F3F66, 0x2878A8, 0x58B8B8, 0xF0EAB0] : [0xCFE0EE, 0x7CB0D4, 0x2F6FA8, 0x0B2545])
            .map { Channels($0) }
        below =
            [first] + (isDark ? [0x1F4A7A, 0x4C90D0, 0xB8DCFF] : [0xB4D0EC, 0x4C86C4, 0x0F3C78]).map { Channels($0) }
        above =
            [first] + (isDark ? [0x7A3A14, 0xD87C34, 0xFFDDA8] : [0xF4CDAC, 0xD07830, 0x7A3404]).map { Channels($0) }
    }

    private func channels(_ share: Float, isDiverging: Bool) -> Channels {
        let stops = share < 0 ? below : isDiverging ? above : ramp
        let place = min(1, share.magnitude) * Float(stops.count - 1)
        let index = min(stops.count - 2, Int(place))
        return stops[index].mixed(with: stops[index + 1], place - Float(index))
    }

    /// The color of a value on its scale; nil for none.
    ///
    /// - Parameter isCrossed: a little nearer to the color of text, as the row and column of a cursor are.
    public func color(of value: Float, on scale: HeatScale, isCrossed: Bool = false) -> Color? {
        guard let share = scale.share(of: value) else { return nil }
        let plain = channels(share, isDiverging: scale.isDiverging)
        return isCrossed ? plain.mixed(with: contrast, 0.16).color : plain.color
    }

    /// The sign of a share where color says nothing: dots, then ever denser; lines below 0.
    public func glyph(_ share: Float) -> Unicode.Scalar {
        let signs = share < 0 ? (isASCII ? Self.asciiLines : Self.lines) : shades
        let level = Int((min(1, share.magnitude) * Float(signs.count)).rounded())
        // Little is told from nothing as soon as it is a twentieth.
        let shown = level == 0 && share.magnitude >= 0.05 ? 1 : level
        return shown == 0 ? nothing : signs[shown - 1]
    }

    private static let lines: [Unicode.Scalar] = ["╌", "-", "=", "≡"]
    private static let asciiLines: [Unicode.Scalar] = ["-", "=", "%"]

    /// How text looks on the ground of a value: readable on every color; without colors, ever more marked.
    public func textStyle(of value: Float, on scale: HeatScale, theme: Theme) -> Style {
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
        let ground = channels(share, isDiverging: scale.isDiverging)
        let text: Color = ground.luminance > 110 ? .indexed(16) : .indexed(255)
        return Style(foreground: text, background: ground.color, attributes: theme[.text].attributes)
    }
}
