/// One character cell of a surface.
public struct Cell: Hashable, Sendable {
    /// A Unicode scalar, or, from `firstCluster` on, the index of a grapheme cluster that the surface keeps.
    package var glyph: UInt32
    public var style: Style
    /// Columns the glyph takes: 1 or 2; 0 marks the right half of a wide glyph.
    public var width: UInt8

    package static let firstCluster: UInt32 = 0x11_0000

    package init(glyph: UInt32 = 0x20, style: Style = .plain, width: UInt8 = 1) {
        self.glyph = glyph
        self.style = style
        self.width = width
    }

    public static let blank = Cell()
}
