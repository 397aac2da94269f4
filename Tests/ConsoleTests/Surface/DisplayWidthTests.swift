import Console
import Testing

/// All scalars except those inside the large uniform blocks: Han, Hangul, Tangut, and private use.
let notableScalars: [Unicode.Scalar] = {
    let ranges: [ClosedRange<UInt32>] = [
        0...0x3500, 0x4DB0...0x4E10, 0x9FF0...0xAC10, 0xD790...0xE010, 0xF8F0...0x17010, 0x18CC0...0x20010,
        0x2A6D0...0x2A720, 0x2FFF0...0x30010, 0x313A0...0x31400, 0xE0000...0xE0200, 0x10FFF0...0x10FFFF,
    ]
    return ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }
}()

@Suite("Display width")
struct DisplayWidthTests {
    @Test(
        "text is as wide as terminals draw it",
        arguments: [
            ("", 0), ("abc", 3), ("naïve", 5), ("日本語", 6), ("ｱｲｳ", 3), ("ＡＢ", 4), ("한국어", 6),
            // Combining marks share the cell of their letter.
            ("e\u{301}", 1), ("n\u{303}o\u{308}", 2), ("x\u{338}", 1),
            // Emoji: plain, with variation selectors and skin tones, joined, flags, keycaps, and tags.
            ("🚀", 2), ("✂", 1), ("✂️", 2), ("♻\u{FE0F}", 2), ("⌚\u{FE0E}", 2), ("©", 1), ("👍🏽", 2), ("👩‍💻", 2),
            ("👨‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2), ("🧑🏻‍🤝‍🧑🏿", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("🇩", 1), ("1️⃣", 2),
            ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2), ("🏽", 2), ("❤️‍🔥", 2),
            // Hangul composed of single jamo.
            ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1100}\u{1161}", 2), ("각\u{11A8}", 2),
            // In Devanagari and Thai, every spacing scalar takes a column.
            ("हि", 2), ("न्दी", 3), ("क्ष", 2), ("ภาษาไทย", 7), ("น้ำ", 2), ("ที่", 1),
            // Joiners in scripts that use them, and a variant of a Han character.
            ("می\u{200C}خواهم", 7), ("क्\u{200D}ष", 2), ("葛\u{E0100}", 2),
            // Line drawing and braille.
            ("╭─╮", 3), ("▏█", 2), ("⣀⠔", 2),
        ])
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
        #expect(text.reduce(0) { $0 + DisplayWidth.of($1) } == columns)
        var surface = Surface(Size(40, 1))
        #expect(surface.put(text, at: Point(column: 0, row: 0), style: .plain) == columns)
        #expect(surface.textDump.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test("scalars that Swift considers unassigned are escaped")
    func unassignedScalars() {
        // Swift may use a later version of Unicode than the table, but assigned scalars never become unassigned.
        for scalar in notableScalars {
            let value = scalar.value
            let isUnassigned = scalar.properties.generalCategory == .unassigned
            if isUnassigned, DisplayWidth.of(Character(scalar)) < 3 {
                Issue.record("U+\(String(value, radix: 16)) is unassigned but not escaped")
            }
        }
    }

    @Test("the width of a string is the sum of the widths of its clusters")
    func sums() {
        let text = "ab日本e\u{301} 👩‍💻🇩🇪\u{200B}x\r\ny हिन्दी ภาษา\u{202E}z한\u{1112}\u{1161}"
        #expect(DisplayWidth.of(text) == text.reduce(0) { $0 + DisplayWidth.of($1) })
        #expect(DisplayWidth.of(text[text.index(text.startIndex, offsetBy: 3)...]) == DisplayWidth.of(text) - 4)
    }

    @Test(
        "padded text has exactly the requested width",
        arguments: [("日本", 5), ("日本", 3), ("abc", 0), ("e\u{301}", 3), ("\u{1B}x", 4)])
    func padding(text: String, columns: Int) {
        #expect(DisplayWidth.of(text.paddedToColumns(columns)) == columns)
        #expect(DisplayWidth.of(text.paddedToColumns(columns, .right)) == columns)
    }
}
