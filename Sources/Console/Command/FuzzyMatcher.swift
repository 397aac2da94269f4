/// Where and how well a query fits a text.
public struct FuzzyMatch: Hashable, Sendable {
    /// The better the higher; comparable for one query.
    public var score: Int
    /// The bytes of the text that matched, in order.
    public var positions: [Int]
}

/// Finds texts by a few of their letters, as people abbreviate: `nerr` finds `next-error`.
///
/// Every word of the query must be a subsequence of the text. Letters that start a word, that begin a hump of camel
/// case or else that follow each other count more; gaps cost. Case counts where the query has an upper-case letter. The
/// best placement is found by dynamic programming over (letter of the word, byte of the text), as alignments are.
///
/// - Source: Smith and Waterman, "Identification of common molecular subsequences", Journal of Molecular Biology 147
///   (1981), with affine gaps as in Gotoh (1982) and bonuses for word starts.
public struct FuzzyMatcher: Sendable {
    public let query: String
    private let words: [[UInt8]]
    private let exact: Bool

    public init(_ query: String) {
        self.query = query
        exact = query.contains { $0.isUppercase }
        let text = exact ? query : query.lowercased()
        words = text.utf8.split(separator: 0x20).map { Array($0.prefix(64)) }
    }

    /// Whether everything matches.
    public var isEmpty: Bool { words.isEmpty }

    /// The score of a text; nil where it does not match.
    public func score(_ text: String) -> Int? {
        FuzzyTable.with { table in score(text, &table) }
    }

    /// How a text matches; nil where it does not.
    public func match(_ text: String) -> FuzzyMatch? {
        FuzzyTable.with { table in
            var positions: Set<Int> = []
            var total = 0
            for word in words {
                let found = withBytes(text) { bytes in
                    table.fold(bytes, exact: exact)
                    return table.placement(of: word)
                }
                guard let found else { return nil }
                total += found.score
                positions.formUnion(found.positions)
            }
            return FuzzyMatch(score: total, positions: positions.sorted())
        }
    }

    /// The indices of the texts that match: best first, of equals the shorter, then the earlier one.
    public func rank(_ texts: [String]) -> [Int] {
        guard !isEmpty else { return Array(texts.indices) }
        // Score, length and index in one number sort faster than any comparison of three.
        var found: [UInt64] = []
        FuzzyTable.with { table in
            for (index, text) in texts.enumerated() {
                guard let score = score(text, &table) else { continue }
                let place = UInt64(max(0, (1 << 23) - score)) << 40 | UInt64(min(text.utf8.count, 4_095)) << 28
                found.append(place | UInt64(index & 0xFFF_FFFF))
            }
        }
        found.sort()
        return found.map { Int($0 & 0xFFF_FFFF) }
    }

    private func score(_ text: String, _ table: inout FuzzyTable) -> Int? {
        withBytes(text) { bytes in
            // Most texts fall out here, before anything is weighed.
            for word in words where !holds(word, bytes) { return nil }
            table.fold(bytes, exact: exact)
            var total = 0
            for word in words {
                guard let score = table.score(of: word) else { return nil }
                total += score
            }
            return total
        }
    }

    /// Whether a word is a subsequence of a text.
    private func holds(_ word: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var next = 0
        for byte in text where word[next] == (!exact && byte &- 0x41 < 26 ? byte | 0x20 : byte) {
            next += 1
            if next == word.count { return true }
        }
        return false
    }

    private func withBytes<Result>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        DisplayWidth.withUTF8(of: text) { body(UnsafeBufferPointer(rebasing: $0.prefix(FuzzyTable.longest))) }
    }
}
