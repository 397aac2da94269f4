extension Surface {
    /// The same screen without a byte above 0x7F: lines, blocks and arrows become their nearest signs, anything else a
    /// `?` a column, so that nothing moves.
    public func transliterated() -> Surface {
        var surface = self
        surface.transliterate()
        return surface
    }

    /// Does in place what `transliterated` does.
    public mutating func transliterate() {
        let clusters = clusters
        updateCells { cells in
            for index in cells.indices where cells[index].glyph > 0x7E || cells[index].width != 1 {
                var glyph = cells[index].glyph
                if glyph >= Cell.firstCluster {
                    // A letter without its marks is nearer than a question mark.
                    glyph = clusters[Int(glyph - Cell.firstCluster)].unicodeScalars.first?.value ?? 0x3F
                }
                cells[index].glyph = cells[index].width == 1 ? ASCIISubstitute.of(glyph) : 0x3F
                cells[index].width = 1
            }
        }
    }
}
