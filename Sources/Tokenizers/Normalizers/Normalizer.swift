/// A step that changes text before it is cut into pieces.
package enum Normalizer: Sendable {
    case form(NormalizationForm)
    case lowercase
    /// White space at the ends goes.
    case strip(left: Bool, right: Bool)
    /// All combining marks go.
    case stripAccents
    /// Written before a text that is not empty.
    case prepend([UInt8])
    case replace(Replacement)
    case charactersMap(CharactersMap)
    case bert(BertNormalizer)
    /// The cleaning of NMT models.
    case nmt
    /// Runs of spaces become one, and those at the ends go.
    case collapseSpaces
    /// Bytes in GPT-2's alphabet.
    case byteAlphabet

    /// Whether the text is sure to stay as it is, found without changing anything.
    package func leavesUnchanged(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .form(let form): form.leavesUnchanged(text)
        case .stripAccents: isASCIIText(text)
        case .prepend(let prefix): text.isEmpty || prefix.isEmpty
        case .replace(let replacement): !replacement.mayChange(text)
        default: text.isEmpty
        }
    }

    package func apply(to text: AlignedText) -> AlignedText {
        if text.count == 0 { return text }
        switch self {
        case .form(let form): return text.isASCII ? text : form.apply(to: text)
        case .lowercase: return Lowercase.apply(to: text)
        case .strip(let left, let right): return Self.stripped(text, left, right)
        case .stripAccents:
            if text.isASCII { return text }
            return text.mapScalars { ScalarTable.shared.classes($0) & ScalarClass.mark.rawValue != 0 ? .drop : .keep }
        case .prepend(let prefix): return Self.prepended(prefix, to: text)
        case .replace(let replacement): return replacement.apply(to: text)
        case .charactersMap(let map): return map.apply(to: text)
        case .bert(let normalizer): return normalizer.apply(to: text)
        case .nmt: return text.mapScalars(Self.nmt)
        case .collapseSpaces: return Self.collapsed(text)
        case .byteAlphabet:
            var result = text.rewritten()
            for (index, byte) in text.bytes.enumerated() {
                result.append(scalar: ByteAlphabet.scalars[Int(byte)], for: index..<index + 1, of: text)
            }
            return result
        }
    }

    /// The text with `prefix`, which stands for the first character.
    package static func prepended(_ prefix: [UInt8], to text: AlignedText) -> AlignedText {
        guard text.count > 0 else { return text }
        let first = text.bytes.withUnsafeBufferPointer { scalar($0.baseAddress!, at: 0, end: $0.count).length }
        var result = text.rewritten()
        result.append(prefix, for: 0..<first, of: text)
        result.append(text, 0..<text.count)
        return result
    }

    private static func stripped(_ text: AlignedText, _ left: Bool, _ right: Bool) -> AlignedText {
        var start: Int?
        var end = 0
        text.forEachScalar { value, range in
            if ScalarTable.shared.classes(value) & ScalarClass.space.rawValue != 0 { return }
            if start == nil { start = range.lowerBound }
            end = range.upperBound
        }
        let kept = left ? start ?? text.count : 0
        var result = text.part(kept..<(right ? max(end, kept) : text.count))
        // A character can be stripped in part: its normalized form may begin with a space.
        if let first = result.origins?.first { result.startsText = text.startsText && first.start == 0 }
        return result
    }

    private static func collapsed(_ text: AlignedText) -> AlignedText {
        var result = text.rewritten()
        let space = UInt8(ascii: " ")
        var end = text.count
        while end > 0 {
            // A ▁ at the end is taken for the space that it stands for elsewhere.
            if text.bytes[end - 1] == space {
                end -= 1
            } else if text.bytes[..<end].suffix(3).elementsEqual(Metaspace.lowerBlock) {
                end -= 3
            } else {
                break
            }
        }
        var index = 0
        while index < end, text.bytes[index] == space { index += 1 }
        while index < end {
            var stop = index
            while stop < end, text.bytes[stop] != space { stop += 1 }
            result.append(text, index..<stop)
            index = stop
            while index < end, text.bytes[index] == space { index += 1 }
            if index > stop { result.append([space], for: stop..<index, of: text) }
        }
        return result
    }

    private static func nmt(_ value: UInt32) -> ScalarChange {
        switch value {
        case 0x1...0x8, 0xB, 0xE...0x1F, 0x7F, 0x8F, 0x9F: .drop
        case 0x9, 0xA, 0xC, 0xD, 0x1680, 0x200B...0x200F, 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD: .replace(0x20)
        default: .keep
        }
    }
}
