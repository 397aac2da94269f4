/// A small seeded generator (SplitMix64), which makes random tests reproducible.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Returns random text with words, lists, blanks, tabs, wide scripts, emoji, combining marks, and control characters.
func randomText(_ generator: inout SeededGenerator, words: Int) -> String {
    let pieces = [
        "the", "orrery", "turns", "antidisestablishmentarianism", "é", "naïve", "a", "—", "x=1", "(see", "below)",
        "行星", "天球儀、回る。", "テスト", "👩‍🚀", "🇨🇭", "👍🏽", "☃️", "e\u{301}", "\u{1B}[31m", "\u{202E}", "\u{200D}", "\r",
        "- ", "12. ", "> ", "    ", "\t", "  ", "\u{7F}", "ก็", "नमस्ते",
    ]
    var text = ""
    for _ in 0..<words {
        text += pieces.randomElement(using: &generator) ?? ""
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: text += "\n"
        case 1: text += ""
        case 2: text += "\r\n"
        default: text += " "
        }
    }
    return text
}
