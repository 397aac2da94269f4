extension Surface {
    /// Returns the screen in ASCII: similar characters replace lines, blocks, and arrows.
    ///
    /// All other characters become one `?` per column, so all text stays in place.
    public func transliterated() -> Surface {
        var surface = self
        surface.transliterate()
        return surface
    }

    /// Converts the screen to ASCII in place, like `transliterated()`.
    public mutating func transliterate() {
        let clusters = clusters
        updateCells { cells in
            for index in cells.indices where cells[index].glyph > 0x7E || cells[index].width != 1 {
                var glyph = cells[index].glyph
                if glyph >= Cell.firstCluster {
                    // A letter without its marks is more legible than a question mark.
                    glyph = clusters[Int(glyph - Cell.firstCluster)].unicodeScalars.first?.value ?? 0x3F
                }
                cells[index].glyph = cells[index].width == 1 ? ASCIISubstitute.of(glyph) : 0x3F
                cells[index].width = 1
            }
        }
    }
}
