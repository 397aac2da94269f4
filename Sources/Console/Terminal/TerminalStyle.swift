internal import CTerminal

/// A style in the colors and attributes of one terminal.
package struct TerminalStyle: Hashable, Sendable {
    package var pair: Int32
    package var attributes: UInt16
    /// Pair for blank cells if both colors of the style are equal on this terminal; otherwise `nil`.
    package var blank: Int32?
    /// Whether text and background have the same color in the style itself, which makes the text invisible on purpose.
    package var hidesText = false

    package init(_ style: Style, quantizer: Quantizer, pairs: inout ColorPairs) {
        var foreground = quantizer.entry(for: style.foreground)
        let background = quantizer.entry(for: style.background).index
        attributes = Self.bits(style.attributes)
        if let background, foreground.index == background {
            blank = pairs.number(foreground: nil, background: background)
            hidesText = style.foreground == style.background
            // If the colors coincide, use black or white text, whichever contrasts with the background.
            foreground = Quantizer.Entry(index: Quantizer.isLight(Quantizer.rgb(of: background)) ? 0 : 7)
        }
        pair = pairs.number(foreground: foreground.index, background: background)
        if foreground.bright { attributes |= UInt16(CTERMINAL_BOLD) }
        // Terminals with eight colors show bold black as gray, which has little contrast on light colors.
        if quantizer.depth == .eight, foreground.index == 0 { attributes &= ~UInt16(CTERMINAL_BOLD) }
    }

    /// Returns whether a glyph shows only the background.
    ///
    /// Block elements fill an area, so they disappear if both colors are equal.
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

/// A direct-mapped cache of terminal styles: a new entry replaces the entry in its slot.
struct StyleCache {
    private static let slots = 1024
    private var styles = [Style](repeating: .plain, count: slots)
    private var looks = [TerminalStyle?](repeating: nil, count: slots)

    subscript(style: Style) -> TerminalStyle? {
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
