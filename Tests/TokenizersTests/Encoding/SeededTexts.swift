/// Texts that are hard to tokenize, the same for a seed: words, spaces of all kinds, scripts, emoji, digits, runs.
struct SeededTexts: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// Steele, Lea and Flood's generator (OOPSLA 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static let parts = [
        "the", "The", "OF", "orrery", "tokenizer", "fooBar", "naïve", "Straße", "ΑΒΓ", "привет", "東京", "你好", "안녕",
        "مرحبا",
        "नमस्ते", "ǅ", "ʰ", "e\u{301}", "İ", "ﬁ", "'s", "'S", "'ll", "'LL", "'\u{17F}", "'", "''x", "1", "42", "2024", "½",
        "٣",
        "...", "!?", "/*", "//", "_", "-", "<|", "▁", "😀", "👩‍👩‍👧", "🇩🇪", "\u{200D}", "\u{FE0F}", "\u{0}", "\u{7F}",
        "\u{AD}",
        "\u{E000}", "\u{FFFD}", "\u{378}",
    ]
    private static let spaces = [
        " ", " ", " ", "  ", "    ", "\t", "\n", "\n\n", "\r\n", "\u{A0}", "\u{3000}", "\u{85}", "\u{B}",
    ]

    mutating func text() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &self) {
            switch Int.random(in: 0..<5, using: &self) {
            case 0...1: text += Self.parts.randomElement(using: &self) ?? ""
            case 2: text += Self.spaces.randomElement(using: &self) ?? ""
            case 3:
                if let scalar = Unicode.Scalar(UInt32.random(in: 0x20...0x2FFF, using: &self)) {
                    text.unicodeScalars.append(scalar)
                }
            default:
                let part = Self.parts.randomElement(using: &self) ?? ""
                text += String(repeating: part, count: Int.random(in: 1...5, using: &self))
            }
        }
        return text
    }

    /// One to four faults of the kinds that files suffer.
    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            let end = min(bytes.count, place + Int.random(in: 1...8, using: &self))
            switch Int.random(in: 0..<7, using: &self) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: bytes[place] = [0, 0x22, 0x39, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4 where place > bytes.count / 2: bytes.removeSubrange(place...)
            case 5:
                // A digit more: numbers and counts out of range.
                if let digit = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) {
                    bytes.insert(0x39, at: digit)
                }
            default: for index in place..<end { bytes[index] = 0x5A }
            }
        }
        return bytes
    }
}
