/// One character cell of a surface.
public struct Cell: Hashable, Sendable {
    /// Unicode scalar, or `firstCluster` plus the index of a grapheme cluster in the surface.
    package var glyph: UInt32
    /// Style of the cell.
    public var style: Style
    /// Width of the glyph in columns, 1 or 2; 0 for the right half of a wide glyph.
    public var width: UInt8

    package static let firstCluster: UInt32 = 0x11_0000

    package init(glyph: UInt32 = 0x20, style: Style = .plain, width: UInt8 = 1) {
        self.glyph = glyph
        self.style = style
        self.width = width
    }

    /// Blank cell in the plain style.
    public static let blank = Cell()
}
