internal import CTerminal

/// A style as one terminal shows it.
package struct Look: Hashable, Sendable {
    package var pair: Int32
    package var attributes: UInt16
    /// The pair that paints a blank cell, if both colors of the style are the same on this terminal; otherwise nil.
    package var blank: Int32?
    /// Whether the style itself uses one color for text and background, so its text is meant to be invisible.
    package var hidesText = false

    package init(_ style: Style, quantizer: Quantizer, pairs: inout ColorPairs) {
        var foreground = quantizer.entry(for: style.foreground)
        let background = quantizer.entry(for: style.background).index
        attributes = Self.bits(style.attributes)
        if let background, foreground.index == background {
            blank = pairs.number(foreground: nil, background: background)
            hidesText = style.foreground == style.background
            // With this few colors, text takes the color that stands out against the background.
            foreground = Quantizer.Entry(index: Quantizer.isLight(Quantizer.rgb(of: background)) ? 0 : 7)
        }
        pair = pairs.number(foreground: foreground.index, background: background)
        if foreground.bright { attributes |= UInt16(CTERMINAL_BOLD) }
        // Terminals with eight colors show bold black as gray, which has no contrast on light colors.
        if quantizer.depth == .eight, foreground.index == 0 { attributes &= ~UInt16(CTERMINAL_BOLD) }
    }

    /// Whether a glyph shows nothing but the background in this look. Halves, eighths, and shades of a cell paint
    /// areas, so that two of the same color are one area.
    package func isBlank(_ glyph: UInt32) -> Bool { blank != nil && (hidesText || CellShape.paintsArea(glyph)) }

    private static func bits(_ attributes: Style.Attributes) -> UInt16 {
        var bits = 0
        if attributes.contains(.bold) { bits |= CTERMINAL_BOLD }
        if attributes.contains(.dim) { bits |= CTERMINAL_DIM }
        if attributes.contains(.italic) { bits |= CTERMINAL_ITALIC }
        if attributes.contains(.underline) { bits |= CTERMINAL_UNDERLINE }
        if attributes.contains(.reverse) { bits |= CTERMINAL_REVERSE }
        return UInt16(bits)
    }
}

/// The looks of the styles that were shown lately: a table in which a newcomer takes the place of an older one.
struct LookCache {
    private static let slots = 1024
    private var styles = [Style](repeating: .plain, count: slots)
    private var looks = [Look?](repeating: nil, count: slots)

    subscript(style: Style) -> Look? {
        get {
            let slot = Self.slot(of: style)
            return styles[slot] == style ? looks[slot] : nil
        }
        set {
            let slot = Self.slot(of: style)
            styles[slot] = style
            looks[slot] = newValue
        }
    }

    private static func slot(of style: Style) -> Int {
        let mixed =
            style.foreground.bits &* 0x9E37_79B1 ^ style.background.bits &* 0x85EB_CA77
            ^ UInt32(style.attributes.rawValue) &* 0xC2B2_AE3D
        return Int(mixed >> 16 ^ mixed) & (slots - 1)
    }
}
