import Hashing

/// Groups of five words of a text, as hashes.
enum Shingles {
    static let length = 5

    /// The hash of every group, in the order of the text; of the whole text where it has fewer words.
    static func hashes(of text: String) -> [UInt64] {
        var words: [UInt64] = []
        var hash: UInt64 = 0
        for byte in text.utf8 {
            let lower = byte | 0x20
            if (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) {
                hash = (hash ^ UInt64(lower)) &* 0x100_0000_01b3 &+ 1
            } else if hash != 0 {
                words.append(hash)
                hash = 0
            }
        }
        if hash != 0 { words.append(hash) }
        guard words.count > length else { return [TextHash.mixed(words.reduce(0) { TextHash.mixed($0 ^ $1) })] }
        return (0...words.count - length).map { start in
            var hash: UInt64 = 0
            for word in words[start..<start + length] { hash = (hash &* SplitMix64.gamma) ^ word }
            return TextHash.mixed(hash)
        }
    }

    /// The share of the most frequent group among all.
    static func largestShare(of text: String) -> Double {
        let hashes = hashes(of: text).sorted()
        guard hashes.count > 1 else { return 0 }
        var longest = 1
        var run = 1
        for index in 1..<hashes.count {
            run = hashes[index] == hashes[index - 1] ? run + 1 : 1
            longest = max(longest, run)
        }
        return longest == 1 ? 0 : Double(longest) / Double(hashes.count)
    }
}

/// Passes every text once: exact and near duplicates are reported.
///
/// Near duplicates are found by MinHash over groups of five words: one permutation whose range is cut into bins, and
/// bands of four bins as keys of tables; candidates are compared over all bins.
///
/// - Source: Broder 1997 (resemblance); Li, Owen, Zhang, NeurIPS 2012 (one permutation); Leskovec, Rajaraman, Ullman,
///   Mining of Massive Datasets, 3.4 (banding).
public struct Deduplication: Sendable {
    static let bins = 64
    static let band = 4
    /// Estimated Jaccard similarity at which texts are near duplicates; 1 turns the search for them off.
    public let threshold: Double
    private var exact: Set<UInt64> = []
    private var signatures: [[UInt32]] = []
    private var bands: [UInt64: [Int32]] = [:]

    public init(threshold: Double = 0.9) { self.threshold = threshold }

    /// What a text repeats; `nil` if it is new, and then it is remembered.
    public mutating func verdict(on text: String, searchingNear: Bool = true) -> QualityFilters.Verdict? {
        let hash = TextHash.mixed(TextHash.of(text.utf8))
        guard exact.insert(hash).inserted else { return .exactDuplicate }
        guard searchingNear, threshold < 1 else { return nil }
        let signature = Self.signature(of: text)
        let keys = Self.keys(of: signature)
        var compared: Set<Int32> = []
        for key in keys {
            for other in bands[key] ?? [] where compared.insert(other).inserted {
                if Self.similarity(signature, signatures[Int(other)]) >= threshold { return .nearDuplicate }
            }
        }
        // Common bands would make every comparison slow: 64 texts a band are enough to find what is near.
        for key in keys where (bands[key]?.count ?? 0) < 64 { bands[key, default: []].append(Int32(signatures.count)) }
        signatures.append(signature)
        return nil
    }

    static func signature(of text: String) -> [UInt32] {
        var least = [UInt32](repeating: .max, count: bins)
        for hash in Shingles.hashes(of: text) {
            let bin = Int(hash % UInt64(bins))
            least[bin] = min(least[bin], UInt32(truncatingIfNeeded: hash >> 32))
        }
        return least
    }

    /// The share of equal bins among those that either text fills.
    static func similarity(_ a: [UInt32], _ b: [UInt32]) -> Double {
        var equal = 0
        var filled = 0
        for (x, y) in zip(a, b) where x != .max || y != .max {
            filled += 1
            if x == y { equal += 1 }
        }
        return filled == 0 ? 1 : Double(equal) / Double(filled)
    }

    private static func keys(of signature: [UInt32]) -> [UInt64] {
        stride(from: 0, to: bins, by: band).compactMap { start in
            let part = signature[start..<start + band]
            if part.allSatisfy({ $0 == .max }) { return nil }
            return part.reduce(UInt64(start)) { TextHash.mixed($0 ^ UInt64($1)) }
        }
    }
}
