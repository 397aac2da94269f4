internal import CTerminal

/// A style as one terminal shows it.
package struct Look: Hashable, Sendable {
    package var pair: Int32
    package var attributes: UInt16

    package init(_ style: Style, quantizer: Quantizer, pairs: inout ColorPairs) {
        var foreground = quantizer.entry(for: style.foreground)
        var background = quantizer.entry(for: style.background)
        // Where so few colors are left that text has the color of its ground, it takes the opposite.
        if foreground == background, foreground.index != nil, style.foreground != style.background {
            let ground = Quantizer.rgb(of: background.index ?? 0)
            foreground = Quantizer.Entry(index: Quantizer.isLight(ground) ? 0 : 7)
        }
        background.bright = false
        pair = pairs.number(foreground: foreground.index, background: background.index)
        attributes = Self.bits(style.attributes)
        if foreground.bright { attributes |= UInt16(CTERMINAL_BOLD) }
    }

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
