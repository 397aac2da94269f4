internal import Hashing
public import Kernels
public import SearchIndexes

/// Finds exact and near duplicates among texts that come by in batches.
///
/// ```swift
/// var finder = DuplicateFinder()
/// finder.add([(1, "the dome turns …"), (2, "the dome turned …")])
/// let report = finder.report()
/// ```
/// Texts with the same bytes are known by a 128-bit digest; of each only the first is compared with others.
public struct DuplicateFinder: Sendable {
    private struct Digest: Hashable, Sendable {
        var low: UInt64
        var high: UInt64

        init(_ text: String) {
            var text = text
            (low, high) = text.withUTF8 { bytes in
                var (a, b) = (UInt64(bytes.count), ~UInt64(bytes.count))
                let raw = UnsafeRawBufferPointer(bytes)
                var offset = 0
                while offset < raw.count {
                    var word: UInt64 = 0
                    if offset + 8 <= raw.count {
                        word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    } else {
                        for place in offset..<raw.count { word = word &<< 8 | UInt64(raw[place]) }
                    }
                    a = WordHashes.mixed(a ^ word) &+ SplitMix64.gamma
                    b = (b ^ word) &* 0xD6E8_FEB8_6659_FD93
                    b ^= b &>> 32
                    offset += 8
                }
                return (a, WordHashes.mixed(b))
            }
        }
    }

    private var index: MinHashIndex
    private var firsts: [Digest: Int64] = [:]
    private var copies: [(label: Int64, first: Int64)] = []
    private var lengths: [Int64: Int] = [:]
    private var pairs: [SimilarPair] = []
    private var withoutWords: [Int64] = []

    public init(_ settings: MinHashSettings = MinHashSettings()) { index = MinHashIndex(settings) }

    /// Takes in texts, each label once.
    public mutating func add(_ texts: [(label: Int64, text: String)], pool: ThreadPool = .shared) {
        var new: [(label: Int64, text: String)] = []
        for (label, text) in texts where lengths[label] == nil {
            lengths[label] = text.utf8.count
            let digest = Digest(text)
            if let first = firsts[digest] {
                copies.append((label, first))
            } else {
                firsts[digest] = label
                new.append((label, text))
            }
        }
        pairs += index.add(new, pool: pool)
        for (label, _) in new where index.signature(of: label) == nil { withoutWords.append(label) }
    }

    /// Returns the clusters so far.
    ///
    /// - Parameter text: Gives the text of a label, so that similarities are computed and pairs that the signatures
    ///   took for similar by chance are left out; without it they are estimates.
    public func report(verifying text: ((Int64) -> String?)? = nil) -> DuplicateReport {
        var sets: [Int64: [UInt64]] = [:]
        func shingles(_ label: Int64) -> [UInt64]? {
            if let known = sets[label] { return known }
            guard let found = text?(label) else { return nil }
            let set = Jaccard.set(index.settings.shingling.hashes(of: found))
            sets[label] = set
            return set
        }
        func similarity(_ one: Int64, _ other: Int64) -> (value: Double, isVerified: Bool) {
            if let a = shingles(one), let b = shingles(other) { return (Jaccard.similarity(a, b), true) }
            guard let a = index.signature(of: one), let b = index.signature(of: other) else { return (0, false) }
            return (a.similarity(to: b), false)
        }
        var joined = SimilarityClusters(
            pairs.filter { text == nil || similarity($0.first, $0.second).value >= index.settings.threshold })
        for (label, first) in copies { joined.join(label, first) }
        let originals = Dictionary(copies.map { ($0.label, $0.first) }, uniquingKeysWith: { first, _ in first })
        let clusters = joined.clusters.map { labels in
            let representative = labels.max { one, other in
                let (a, b) = (lengths[one] ?? 0, lengths[other] ?? 0)
                return a != b ? a < b : one > other
            }
            let chosen = representative ?? labels[0]
            let members = labels.filter { $0 != chosen }.map { label in
                let (one, other) = (originals[label] ?? label, originals[chosen] ?? chosen)
                if one == other {
                    return DuplicateReport.Member(label: label, isExact: true, similarity: 1, isVerified: true)
                }
                let found = similarity(one, other)
                return DuplicateReport.Member(
                    label: label, isExact: false, similarity: found.value, isVerified: found.isVerified)
            }
            return DuplicateReport.Cluster(representative: chosen, members: members)
        }
        return DuplicateReport(
            settings: index.settings, count: lengths.count,
            clusters: clusters.sorted { $0.representative < $1.representative }, withoutWords: withoutWords.sorted())
    }
}
