/// A step that cuts text into the pieces that a model encodes one by one.
package enum PreTokenizer: Sendable {
    /// A published pattern with a scanner of its own; every match is a piece, and nothing is left over.
    case known(KnownPattern)
    case split(Matcher, PieceList.Behavior, inverted: Bool)
    /// White space separates pieces and goes.
    case whitespace
    /// White space goes, punctuation stands alone.
    case bert
    case metaspace(Metaspace)
    /// A space is written before a piece that does not begin with one.
    case spacePrefix
    /// Bytes in GPT-2's alphabet.
    case byteAlphabet
    /// Pieces with a fixed number of characters.
    case fixedLength(Int)
    /// A piece ends before each ▁ that follows something else.
    case wordStarts

    /// What is looked for.
    package enum Matcher: Sendable {
        case text([UInt8])
        case pattern(Pattern)
        /// Each character of these categories, alone.
        case categories(UInt32)
        /// Each character of ASCII's punctuation and symbols, and of the category P.
        case punctuation

        func matches(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
            switch self {
            case .text(let wanted): Replacement.occurrences(of: wanted, in: Array(text))
            case .pattern(let pattern): pattern.matches(in: text)
            case .categories(let set): Self.characters(text) { set >> UInt32(ScalarTable.shared.category($0)) & 1 == 1 }
            case .punctuation: Self.characters(text, PreTokenizer.isPunctuation)
            }
        }

        private static func characters(
            _ text: UnsafeBufferPointer<UInt8>, _ accept: (UInt32) -> Bool
        ) -> [Range<Int>] {
            guard let base = text.baseAddress else { return [] }
            var ranges: [Range<Int>] = []
            var index = 0
            while index < text.count {
                let (value, length) = scalar(base, at: index, end: text.count)
                if accept(value) { ranges.append(index..<index + length) }
                index += length
            }
            return ranges
        }
    }

    package func apply(to list: inout PieceList) {
        switch self {
        case .known(let pattern): list.split(.isolated) { pattern.pieces(of: $0) }
        case .split(let matcher, let behavior, let inverted):
            list.split(behavior, inverted: inverted) { matcher.matches(in: $0) }
        case .whitespace: list.split(.removed) { Self.spaces($0) }
        case .bert:
            list.split(.removed) { Self.spaces($0) }
            list.split(.isolated) { Matcher.punctuation.matches(in: $0) }
        case .metaspace(let metaspace): metaspace.apply(to: &list)
        case .spacePrefix:
            list.rewrite { text, piece, result in
                if text.bytes[piece.lowerBound] != UInt8(ascii: " ") {
                    let first = text.bytes.withUnsafeBufferPointer {
                        scalar($0.baseAddress!, at: piece.lowerBound, end: piece.upperBound).length
                    }
                    result.append([UInt8(ascii: " ")], for: piece.lowerBound..<piece.lowerBound + first, of: text)
                }
                result.append(text, piece)
            }
        case .byteAlphabet:
            list.rewrite { text, piece, result in
                for index in piece {
                    result.append(
                        scalar: ByteAlphabet.scalars[Int(text.bytes[index])], for: index..<index + 1, of: text)
                }
            }
        case .fixedLength(let length): list.split(.isolated) { Self.chunks($0, length) }
        case .wordStarts: list.split(.isolated) { Metaspace.words($0) }
        }
    }

    static func isPunctuation(_ value: UInt32) -> Bool {
        ScalarTable.shared.entry(value) & ScalarTable.punctuationBit != 0
    }

    private static func spaces(_ text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard let base = text.baseAddress else { return [] }
        let table = ScalarTable.shared
        var ranges: [Range<Int>] = []
        var index = 0
        while index < text.count {
            let (value, length) = scalar(base, at: index, end: text.count)
            if table.classes(value) & ScalarClass.space.rawValue != 0 { ranges.append(index..<index + length) }
            index += length
        }
        return ranges
    }

    private static func chunks(_ text: UnsafeBufferPointer<UInt8>, _ length: Int) -> [Range<Int>] {
        guard let base = text.baseAddress else { return [] }
        var ranges: [Range<Int>] = []
        var index = 0
        while index < text.count {
            let start = index
            var left = length
            while left > 0, index < text.count {
                index += scalar(base, at: index, end: text.count).length
                left -= 1
            }
            ranges.append(start..<index)
        }
        return ranges
    }
}
