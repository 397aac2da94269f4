extension StringProtocol {
    /// Without white space at its ends.
    var trimmed: String {
        var slice = self[...]
        while let first = slice.first, first.isWhitespace { slice = slice.dropFirst() }
        while let last = slice.last, last.isWhitespace { slice = slice.dropLast() }
        return String(slice)
    }
}

extension String {
    /// The parts between the separators.
    func components(by separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}

/// The words of a text that begin with an ASCII capital letter: the candidates for names.
struct CapitalizedWords: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View

    init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

    mutating func next() -> Substring? {
        while !rest.isEmpty {
            let word = rest.prefix { Self.isLetter($0) }
            if word.isEmpty {
                rest = rest.dropFirst()
                continue
            }
            rest = rest[word.endIndex...]
            if let first = word.first, first < 0x60 { return Substring(word) }
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a }
}
