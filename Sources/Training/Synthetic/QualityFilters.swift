/// What a document must be to come into a corpus.
public struct QualityFilters: Hashable, Sendable {
    /// Why a document was passed over. Raw values are names in data cards.
    public enum Verdict: String, CaseIterable, Sendable {
        case exactDuplicate = "exact duplicate"
        case nearDuplicate = "near duplicate"
        case tooShort = "too short"
        case tooLong = "too long"
        case foreignCharacters = "foreign characters"
        case repetitive = "repetitive"
        case commonTemplate = "template too common"
        case heldOut = "held out"
    }

    /// Bytes.
    public var shortest = 1
    public var longest = 100_000
    /// The largest share that one group of five words may have among all groups of a document.
    public var repetition = 1.0
    /// The largest share that one template may have among the documents of a source.
    public var templateShare = 1.0

    public init() {}

    /// What is wrong with a text on its own; `nil` if nothing is.
    public func verdict(on text: String) -> Verdict? {
        let bytes = text.utf8
        if bytes.count < shortest { return .tooShort }
        if bytes.count > longest { return .tooLong }
        if !bytes.allSatisfy({ ($0 >= 0x20 && $0 < 0x7f) || $0 == 0x0a }) { return .foreignCharacters }
        if repetition < 1, Shingles.largestShare(of: text) > repetition { return .repetitive }
        return nil
    }
}

/// Finds names and calculations of the held-out region in texts.
public struct LeakDetector: Sendable {
    private let region: HeldOutRegion
    private let known: Set<String>

    /// - Parameter grammar: words that it writes itself are not names.
    public init(_ grammar: Grammar, region: HeldOutRegion) {
        self.region = region
        known = grammar.capitalizedWords.union([
            "Story", "Document", "Question", "Thought", "Action", "Observation", "Answer", "Tools", "The", "I", "There",
            "What", "That",
        ])
    }

    /// The first thing in a text that training must not see.
    public func leak(in text: String) -> String? {
        for word in CapitalizedWords(text) where !known.contains(String(word)) && region.contains(word) {
            return String(word)
        }
        return Self.calculations(in: text).first { region.contains($0) }
    }

    /// Every `12 + 7` in a text.
    static func calculations(in text: String) -> [String] {
        var found: [String] = []
        let words = text.utf8.split { $0 == 0x20 || $0 == 0x0a }
        for index in words.indices.dropFirst().dropLast() {
            let sign = words[index]
            guard sign.count == 1, let byte = sign.first, byte == 0x2b || byte == 0x2d || byte == 0x2a else { continue }
            let left = words[index - 1].reversed().prefix { Self.isDigit($0) || $0 == 0x29 }.reversed()
            let right = words[index + 1].prefix { Self.isDigit($0) }
            if left.contains(0x29) {
                guard let group = Self.group(words, endingAt: index - 1), !right.isEmpty else { continue }
                found.append(
                    "\(group) \(String(decoding: sign, as: UTF8.self)) \(String(decoding: right, as: UTF8.self))")
            } else if !left.isEmpty, !right.isEmpty, !words[index + 1].contains(0x29) {
                found.append(
                    [left.map { $0 }, Array(sign), Array(right)].map { String(decoding: $0, as: UTF8.self) }
                        .joined(separator: " "))
            }
        }
        return found
    }

    /// `(1 + 2)`, whose last word is at an index.
    private static func group(_ words: [Substring.UTF8View], endingAt last: Int) -> String? {
        guard last >= 2 else { return nil }
        var text = words[last - 2...last].map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        guard let open = text.lastIndex(of: "(") else { return nil }
        text = String(text[open...])
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
