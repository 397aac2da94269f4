internal import Hashing
internal import Traces

/// Similarity of texts by their runs of three words.
enum Shingles {
    /// Digests of every run of three words; of the whole text where it has fewer.
    static func of(_ text: String) -> Set<UInt64> {
        let words = WordRuns.words(of: text).map { Digest.of($0.text) }
        guard words.count > 3 else { return words.isEmpty ? [] : [mixed(words[...])] }
        return Set((0...words.count - 3).map { mixed(words[$0..<$0 + 3]) })
    }

    /// Returns the Jaccard coefficient, |A ∩ B| / |A ∪ B|; 0 if either set is empty.
    static func likeness(_ one: Set<UInt64>, _ other: Set<UInt64>) -> Double {
        guard !one.isEmpty, !other.isEmpty else { return 0 }
        let (small, large) = one.count < other.count ? (one, other) : (other, one)
        let shared = small.count { large.contains($0) }
        return Double(shared) / Double(one.count + other.count - shared)
    }

    private static func mixed(_ digests: ArraySlice<UInt64>) -> UInt64 {
        digests.reduce(SplitMix64.gamma) { ($0 ^ $1) &* 0xFF51_AFD7_ED55_8CCD }
    }
}
