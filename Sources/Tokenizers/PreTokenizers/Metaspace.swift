/// Spaces become a visible character, ▁ as a rule, which then begins words.
///
/// - Source: Kudo, Richardson 2018 (SentencePiece).
package struct Metaspace: Sendable {
    package enum Prefix: String, Sendable {
        case always, first, never
    }

    package var replacement: [UInt8] = Metaspace.lowerBlock
    package var prefix = Prefix.always
    package var splits = true

    package init() {}

    /// U+2581, ▁.
    package static let lowerBlock: [UInt8] = [0xE2, 0x96, 0x81]

    func apply(to list: inout PieceList) {
        list.rewrite { text, piece, result in
            let starts =
                text.bytes[piece].starts(with: replacement)
                || (text.bytes[piece.lowerBound] == UInt8(ascii: " "))
            let isFirst = piece.lowerBound == 0 && text.startsText
            if !starts, prefix == .always || (prefix == .first && isFirst) {
                let first = text.bytes.withUnsafeBufferPointer {
                    scalar($0.baseAddress!, at: piece.lowerBound, end: piece.upperBound).length
                }
                result.append(replacement, for: piece.lowerBound..<piece.lowerBound + first, of: text)
            }
            var start = piece.lowerBound
            for index in piece where text.bytes[index] == UInt8(ascii: " ") {
                result.append(text, start..<index)
                result.append(replacement, for: index..<index + 1, of: text)
                start = index + 1
            }
            result.append(text, start..<piece.upperBound)
        }
        if splits {
            let wanted = replacement
            list.split(.mergedWithNext) { Replacement.occurrences(of: wanted, in: Array($0)) }
        }
    }

    /// Words with all the ▁ before them.
    static func words(_ text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        var index = 0
        var wasBlock = true
        while index < text.count {
            let isBlock =
                text[index] == 0xE2 && index + 2 < text.count && text[index + 1] == 0x96 && text[index + 2] == 0x81
            if isBlock, !wasBlock {
                ranges.append(start..<index)
                start = index
            }
            wasBlock = isBlock
            index += isBlock ? 3 : 1
        }
        if start < text.count { ranges.append(start..<text.count) }
        return ranges
    }
}
