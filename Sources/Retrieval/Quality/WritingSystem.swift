/// Writing systems that help to identify languages.
enum WritingSystem: Int, CaseIterable, Sendable {
    case latin, cyrillic, arabic, greek, hebrew, devanagari, thai, hangul, kana, han

    /// Returns the script of a letter; `nil` for other characters and for letters of other scripts.
    init?(_ scalar: UInt32) {
        switch scalar {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x1E00...0x1EFF: self = .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
        case 0x400...0x52F: self = .cyrillic
        case 0x590...0x5FF: self = .hebrew
        case 0x600...0x6FF, 0x750...0x77F, 0xFB50...0xFDFF, 0xFE70...0xFEFC: self = .arabic
        case 0x900...0x97F: self = .devanagari
        case 0xE00...0xE7F: self = .thai
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7A3: self = .hangul
        case 0x3040...0x30FF, 0x31F0...0x31FF: self = .kana
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: self = .han
        default: return nil
        }
    }

    /// The language of texts in it where there is one that nearly all are in.
    var language: String? {
        switch self {
        case .latin, .cyrillic, .arabic: nil
        case .greek: "el"
        case .hebrew: "he"
        case .devanagari: "hi"
        case .thai: "th"
        case .hangul: "ko"
        case .kana: "ja"
        case .han: "zh"
        }
    }
}
