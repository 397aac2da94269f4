internal import Hashing
public import Kernels

/// Finds texts that are nearly the same as others, without comparing each with each: MinHash with banding.
///
/// ```swift
/// var index = MinHashIndex(MinHashSettings(threshold: 0.7))
/// index.add("the dome turns …", label: 1)
/// index.add("the dome turned …", label: 2)            // [SimilarPair(1, 2, similarity: 0.83)]
/// ```
/// Texts come one by one or in batches, at any time; each is compared with those before it, so that every pair comes
/// once. Texts whose signatures are equal share one place in the bands. It takes 4 bytes for each permutation, and
/// about 30 for each band, a text.
public struct MinHashIndex: Sendable {
    public let hasher: MinHasher
    /// Number of earlier texts of one band to examine: if thousands come from one template, each is still
    /// joined to some of them.
    public static let longestChain = 1_000

    private var labels: [Int64] = []
    private var slots: [Int64: Int32] = [:]
    private var minima: [UInt32] = []
    private var removed = SlotSet()
    private var tables: [BandTable]
    /// Signatures that are the same in all places.
    private var twins = BandTable()

    public init(_ settings: MinHashSettings = MinHashSettings()) {
        hasher = MinHasher(settings)
        tables = [BandTable](repeating: BandTable(), count: settings.banding.bands)
    }

    public var settings: MinHashSettings { hasher.settings }
    /// Texts that can be found.
    public var count: Int { slots.count }

    /// Adds a text and says which earlier ones are at least as similar as the threshold, by their signatures.
    ///
    /// A text without words is not added. A text with a known label replaces the earlier one.
    @discardableResult
    public mutating func add(_ text: String, label: Int64) -> [SimilarPair] {
        guard let signature = hasher.signature(of: text) else { return [] }
        return add(signature, label: label)
    }

    /// Adds a precomputed signature; a signature with other settings is not added.
    @discardableResult
    public mutating func add(_ signature: MinHashSignature, label: Int64) -> [SimilarPair] {
        guard signature.minima.count == settings.permutations, labels.count < Int(Int32.max) else { return [] }
        remove(label)
        let pairs = similar(to: signature).map { SimilarPair($0.label, label, similarity: $0.similarity) }
        let slot = Int32(labels.count)
        labels.append(label)
        slots[label] = slot
        minima += signature.minima
        let whole = Self.hash(signature.minima, 0..<signature.minima.count)
        let isTwin = twin(of: signature, whole) != nil
        twins.append(whole)
        for band in tables.indices {
            if isTwin { tables[band].skip() } else { tables[band].append(hash(signature.minima, band: band)) }
        }
        return pairs
    }

    /// Adds many texts, whose signatures are made by all threads of a pool.
    ///
    /// - Returns: Pairs of similar ones, of the batch and before.
    @discardableResult
    public mutating func add(_ texts: [(label: Int64, text: String)], pool: ThreadPool = .shared) -> [SimilarPair] {
        let size = 64
        var signatures = [MinHashSignature?](repeating: nil, count: texts.count)
        let hasher = hasher
        signatures.withUnsafeMutableBufferPointer { signatures in
            nonisolated(unsafe) let signatures = signatures  // each chunk writes its own places
            pool.run(chunks: (texts.count + size - 1) / size) { chunk, _ in
                var elements: [UInt64] = []
                for index in chunk * size..<min(texts.count, chunk * size + size) {
                    elements.removeAll(keepingCapacity: true)
                    hasher.settings.shingling.append(hashesOf: texts[index].text, to: &elements)
                    signatures[index] = hasher.signature(of: elements)
                }
            }
        }
        var pairs: [SimilarPair] = []
        for (text, signature) in zip(texts, signatures) {
            if let signature { pairs += add(signature, label: text.label) }
        }
        return pairs
    }

    /// Takes a text out.
    public mutating func remove(_ label: Int64) {
        if let slot = slots.removeValue(forKey: label) { removed.insert(Int(slot)) }
    }

    /// Texts that are at least as similar as the threshold, by their signatures: the most similar first.
    public func similar(to text: String) -> [(label: Int64, similarity: Double)] {
        hasher.signature(of: text).map(similar(to:)) ?? []
    }

    /// Returns the texts similar to a signature.
    public func similar(to signature: MinHashSignature) -> [(label: Int64, similarity: Double)] {
        candidates(of: signature).compactMap { slot in
            let similarity = similarity(signature.minima, slot)
            return similarity >= settings.threshold ? (labels[Int(slot)], similarity) : nil
        }.sorted { $0.similarity != $1.similarity ? $0.similarity > $1.similarity : $0.label < $1.label }
    }

    /// Returns the labels of all that meet a text in a band, whatever their signatures' similarity, in the order of
    /// adding.
    public func candidates(of text: String) -> [Int64] {
        hasher.signature(of: text).map { candidates(of: $0).map { labels[Int($0)] } } ?? []
    }

    /// Returns the signature under a label.
    public func signature(of label: Int64) -> MinHashSignature? {
        guard let slot = slots[label] else { return nil }
        let start = Int(slot) * settings.permutations
        return MinHashSignature(minima: Array(minima[start..<start + settings.permutations]))
    }
}

extension MinHashIndex {
    /// Slots that share a band, each once; twins of those that do belong to them.
    private func candidates(of signature: MinHashSignature) -> [Int32] {
        guard signature.minima.count == settings.permutations else { return [] }
        var found: Set<Int32> = []
        for band in tables.indices {
            var slot = tables[band].last(hash(signature.minima, band: band))
            var steps = 0
            while slot >= 0, steps < Self.longestChain {
                found.insert(slot)
                slot = tables[band].links[Int(slot)]
                steps += 1
            }
        }
        var all = found
        for slot in found {
            let start = Int(slot) * settings.permutations
            let whole = Self.hash(minima, start..<start + settings.permutations)
            var twin = twins.last(whole)
            var steps = 0
            while twin >= 0, steps < Self.longestChain {
                all.insert(twin)
                twin = twins.links[Int(twin)]
                steps += 1
            }
        }
        return all.filter { !removed.contains(Int($0)) }.sorted()
    }

    /// Returns a slot with the very same signature.
    private func twin(of signature: MinHashSignature, _ whole: UInt64) -> Int32? {
        let slot = twins.last(whole)
        return slot >= 0 && similarity(signature.minima, slot) == 1 ? slot : nil
    }

    private func similarity(_ signature: [UInt32], _ slot: Int32) -> Double {
        let start = Int(slot) * settings.permutations
        var equal = 0
        signature.withUnsafeBufferPointer { one in
            minima.withUnsafeBufferPointer { all in
                for index in 0..<one.count where one[index] == all[start + index] { equal += 1 }
            }
        }
        return Double(equal) / Double(settings.permutations)
    }

    private func hash(_ minima: [UInt32], band: Int) -> UInt64 {
        Self.hash(minima, band * settings.banding.rows..<(band + 1) * settings.banding.rows)
    }

    private static func hash(_ minima: [UInt32], _ range: Range<Int>) -> UInt64 {
        var hash: UInt64 = 0
        for index in range { hash = WordHashes.mixed(hash ^ UInt64(minima[index])) &+ SplitMix64.gamma }
        return hash
    }
}
