/// Glyphs that an SVG picture draws as shapes, and the lines of box-drawing characters.
enum CellShape {
    /// Weights of the lines from the center of a cell to its sides: 0 none, 1 light, 2 heavy.
    struct Arms: Hashable {
        var left: UInt8
        var right: UInt8
        var up: UInt8
        var down: UInt8
    }

    static func covers(_ glyph: UInt32) -> Bool {
        switch glyph {
        case 0x2500...0x257F: arms(of: glyph) != nil || (0x256D...0x2570).contains(glyph)
        case 0x2580...0x259F, 0x2801...0x28FF: true
        default: false
        }
    }

    /// Returns whether a glyph is a block element: a filled part of the cell, or a shade.
    static func paintsArea(_ glyph: UInt32) -> Bool { (0x2580...0x259F).contains(glyph) }

    /// Returns the lines of a light or heavy box-drawing glyph; `nil` for arcs, dashes, double lines, and diagonals.
    static func arms(of glyph: UInt32) -> Arms? {
        guard glyph >= 0x2500, glyph <= 0x257F else { return nil }
        let code = table[Int(glyph - 0x2500)]
        guard code != 0 else { return nil }
        return Arms(
            left: UInt8(code / 1000), right: UInt8(code / 100 % 10), up: UInt8(code / 10 % 10), down: UInt8(code % 10))
    }

    /// Weights of left, right, up, and down as four decimal digits, for U+2500 to U+257F; 0 if the glyph has no arms.
    private static let table: [UInt16] = [
        1100, 2200, 11, 22, 0, 0, 0, 0, 0, 0, 0, 0,
        101, 201, 102, 202, 1001, 2001, 1002, 2002,
        110, 210, 120, 220, 1010, 2010, 1020, 2020,
        111, 211, 121, 112, 122, 221, 212, 222,
        1011, 2011, 1021, 1012, 1022, 2021, 2012, 2022,
        1101, 2101, 1201, 2201, 1102, 2102, 1202, 2202,
        1110, 2110, 1210, 2210, 1120, 2120, 1220, 2220,
        1111, 2111, 1211, 2211, 1121, 1112, 1122, 2121, 1221, 2112, 1212, 2221, 2212, 2122, 1222, 2222,
        0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0,
        1000, 10, 100, 1, 2000, 20, 200, 2, 1200, 12, 2100, 21,
    ]
}
