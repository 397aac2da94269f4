/// Similar ASCII characters for characters that a terminal cannot show.
public enum ASCIISubstitute {
    /// Returns a code from 0x20 to 0x7E: the scalar itself, a similar character, or `?`.
    public static func of(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0x20...0x7E: scalar
        case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: 0x20
        default: table[scalar] ?? block(scalar)
        }
    }

    private static func ascii(_ sign: Unicode.Scalar) -> UInt32 { sign.value }

    private static func block(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        // Box drawing: horizontal and vertical lines, diagonals, and junctions.
        case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2550, 0x2574, 0x2576: ascii("-")
        case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551, 0x2575, 0x2577: ascii("|")
        case 0x2571: ascii("/")
        case 0x2572: ascii("\\")
        case 0x2500...0x257F: ascii("+")
        case 0x2581...0x2583: ascii("_")
        case 0x258F, 0x258E, 0x258D, 0x258C, 0x2590, 0x2595: ascii("|")
        case 0x2580...0x259F: ascii("#")
        case 0x2800: ascii(" ")
        case 0x2801...0x28FF: ascii("*")
        // Letters with diacritics, in the order of Latin-1.
        case 0xC0...0xFF: UInt32(latin[Int(scalar) - 0xC0])
        default: ascii("?")
        }
    }

    private static let latin = Array("AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty".utf8)

    private static let table: [UInt32: UInt32] = {
        let pairs: [(String, String)] = [
            ("‐‑‒–—―−─", "-"), ("‘’‚′", "'"), ("“”„″«»", "\""), ("…", "."), ("•·●◆■∙", "*"), ("○◇□", "o"),
            ("→⇒▸▶›▹", ">"), ("←⇐◂◀‹", "<"), ("↑▴▲⇑", "^"), ("↓▾▼⇓", "v"), ("✓✔", "+"), ("✗✘×", "x"), ("÷", "/"),
            ("░", "."), ("▒", ":"), ("▓█", "#"), ("±≈∼", "~"), ("≤", "<"), ("≥", ">"), ("≠", "#"), ("µμ", "u"),
            ("↵⏎", "<"), ("⇥", ">"), ("¦", "|"), ("§", "S"), ("©", "c"), ("®", "r"), ("°", "o"),
        ]
        var table: [UInt32: UInt32] = [:]
        for (signs, nearest) in pairs {
            for sign in signs.unicodeScalars { table[sign.value] = nearest.unicodeScalars.first!.value }
        }
        // Control pictures become the letter that is typed with Control.
        for code in UInt32(0)..<32 { table[0x2400 + code] = 0x40 + code }
        return table
    }()
}
