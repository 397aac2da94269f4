/// A match of a query in a string.
public struct FuzzyMatch: Hashable, Sendable {
    /// Quality of the match; higher is better. Scores of one query are comparable.
    public var score: Int
    /// Offsets of the matched bytes, in ascending order.
    public var positions: [Int]
}

/// A fuzzy search that finds strings by a few of their letters: `nerr` finds `next-error`.
///
/// Every word of the query must be a subsequence of the string. Letters that start a word or a camel-case hump and
/// consecutive letters score more; gaps cost points. Case matters if the query has an uppercase letter. As in sequence
/// alignment, dynamic programming over pairs of query letters and string bytes finds the best placement.
///
/// - Source: Smith and Waterman, "Identification of common molecular subsequences", Journal of Molecular Biology 147
///   (1981), with affine gaps as in Gotoh (1982) and bonuses for word starts.
public struct FuzzyMatcher: Sendable {
    /// Text of the query.
    public let query: String
    private let words: [[UInt8]]
    private let exact: Bool

    /// Creates a matcher for a query.
    public init(_ query: String) {
        self.query = query
        exact = query.contains { $0.isUppercase }
        let text = exact ? query : query.lowercased()
        words = text.utf8.split(separator: 0x20).map { Array($0.prefix(64)) }
    }

    /// Whether the query is empty and therefore matches every string.
    public var isEmpty: Bool { words.isEmpty }

    /// Returns the score of a string; `nil` if the string does not match.
    public func score(_ text: String) -> Int? {
        FuzzyTable.with { table in score(text, &table) }
    }

    /// Returns the match in a string; `nil` if the string does not match.
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

    /// Returns the indices of the matching strings, best first. Ties go to the shorter string, then to the earlier one.
    public func rank(_ texts: [String]) -> [Int] {
        guard !isEmpty else { return Array(texts.indices) }
        // Score, length, and index are packed into one number, which sorts faster than comparing all three.
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
            // This test rejects most strings before the expensive alignment.
            for word in words where !isSubsequence(word, of: bytes) { return nil }
            table.fold(bytes, exact: exact)
            var total = 0
            for word in words {
                guard let score = table.score(of: word) else { return nil }
                total += score
            }
            return total
        }
    }

    /// Returns whether a word is a subsequence of a string.
    private func isSubsequence(_ word: [UInt8], of text: UnsafeBufferPointer<UInt8>) -> Bool {
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
