import Console

/// Text that means to take the terminal over.
enum Hostile {
    /// As JSON strings hold it: colors, a title, a cleared screen, bells, bytes of C1, bidirectional overrides, zero
    /// widths, a name that is longer than any screen.
    static let json =
        #"\u001b[31mred\u001b]0;title\u0007\u001b[2J\r\nsecond\u009b5m\u202eright\u200b\u0000\u007f\ufeff\ud83d\udc69\u200d\ud83d\udcbb\t漢字"#

    /// The scalars on a screen that a terminal would act on, with their places.
    static func dangers(on screen: Surface) -> [String] {
        var found: [String] = []
        for row in 0..<screen.size.rows {
            for column in 0..<screen.size.columns {
                let cell = screen.text(at: Point(column: column, row: row))
                for scalar in cell.unicodeScalars where isDangerous(scalar) {
                    found.append("U+\(String(scalar.value, radix: 16)) at \(column), \(row)")
                }
            }
        }
        return found
    }

    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
