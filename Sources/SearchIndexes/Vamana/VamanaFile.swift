internal import Bytes
internal import Kernels
internal import Synchronization

/// A Vamana graph whose nodes stay in their store: in memory are a short code of each vector, the labels, and a few
/// nodes that were read lately.
///
/// A walk is steered by the codes; each node that it expands is read, with the full vector and the links, and ranked by
/// the full vector. With 4-bit codes memory holds about an eighth of the vectors' bytes.
///
/// The file is a picture of its index at one moment: after the index was saved again a new one is made. Several threads
/// may search at once, each with a store of its own.
public final class VamanaFile: Sendable {
    public let metric: Metric
    public let dimension: Int
    /// Slots, those of removed vectors included.
    public let count: Int
    public let settings: VamanaSettings
    /// The slot that every walk begins at.
    public let entry: Int?
    /// Removed slots.
    public let removed: SlotSet
    /// The label of each slot.
    public let labels: [Int64]
    let coding: VamanaCoding
    let codes: VamanaCodes
    private let cache: Mutex<VamanaNodeCache>
    private let scratches = Mutex<[VamanaFileScratch]>([])

    /// Reads everything but the nodes.
    ///
    /// - Parameter cacheBytes: Memory for nodes that were read.
    public init(from store: some SegmentStore, cacheBytes: Int = 16 << 20) throws(SegmentError) {
        let header = try VamanaHeader(from: store)
        (metric, dimension, count) = (header.metric, header.dimension, header.count)
        (settings, coding, entry) = (header.settings, header.coding, header.entry.map(Int.init))
        labels = try VamanaTables.labels(from: store, count: count)
        removed = try VamanaTables.removed(from: store, count: count).removed
        codes = try VamanaCodes(from: store, header.coding, header.metric, count: count)
        cache = Mutex(VamanaNodeCache(dimension: dimension, links: settings.width, bytes: cacheBytes))
    }

    /// Number of vectors that can be found.
    public var liveCount: Int { count - removed.count }
    /// Bytes of the codes in memory.
    public var codeBytes: Int { count * coding.byteCount }
    /// Nodes that were found in memory, and nodes that were read from a store, so far.
    public var cacheUse: (hits: Int, misses: Int) { cache.withLock { ($0.hits, $0.misses) } }

    /// Returns the `request.k` nearest vectors, nearest first, by their full vectors; removed ones never.
    ///
    /// With `request.allowed` the walk is widened until `k` are found; where it would expand as many nodes as are
    /// allowed, those are read instead. Fewer than `k` come back only where fewer are allowed.
    ///
    /// - Parameters:
    ///   - request: `effort` is the number of candidates kept on the way, at least `k`; `nil` takes twice `k`. A few
    ///     more are kept, since codes rank near ones only nearly right.
    ///   - store: Where the index was saved, in the same state.
    ///   - beamWidth: Nodes that are expanded at a time. More than one reads nodes that a walk of one would not need.
    public func search(
        _ query: UnsafePointer<Float>, _ request: VectorRequest, in store: borrowing some SegmentStore,
        beamWidth: Int = 1
    ) throws(SegmentError) -> [Neighbor] {
        let prepared = try VamanaQuery(query, dimension, metric)
        let usable = usableCount(request.allowed)
        guard entry != nil, request.k > 0, usable > 0 else { return [] }
        let wanted = min(request.k, usable)
        var effort = max(request.effort ?? 2 * wanted, wanted)
        while true {
            let capacity = min(effort + effort / 8 + (coding.bits == 8 ? 2 : 4), count)
            // Who keeps as many candidates expands as many nodes.
            if request.allowed != nil, capacity >= usable || capacity == count {
                return try exact(query, k: wanted, allowed: request.allowed, in: store)
            }
            let found = try walk(prepared, wanted, request.allowed, capacity, max(1, beamWidth), store)
            if found.count >= wanted || capacity == count { return found }
            effort = effort.multipliedReportingOverflow(by: 4).overflow ? count : effort * 4
        }
    }

    private func walk(
        _ query: VamanaQuery, _ wanted: Int, _ allowed: SlotSet?, _ capacity: Int, _ beamWidth: Int,
        _ store: borrowing some SegmentStore
    ) throws(SegmentError) -> [Neighbor] {
        guard let entry else { return [] }
        let scratch = scratches.withLock { $0.popLast() } ?? VamanaFileScratch(coding, settings, dimension)
        defer { scratches.withLock { $0.append(scratch) } }
        coding.encodeQuery(query.numbers, forProducts: metric == .innerProduct, into: scratch.query)
        scratch.begin(query.numbers, slots: count, capacity: capacity, entry: UInt32(entry))
        codes.insert(1, scratch, capacity)
        var nearest = TopNeighbors(k: wanted)
        let unit = coding.unit(of: query.numbers, metric)
        var place = 0
        while let first = scratch.walk.unexpanded(from: place) {
            let expanded = scratch.takeRound(from: first, most: beamWidth)
            place = first + 1
            for index in 0..<expanded {
                let slot = scratch.round[index]
                try read(slot, scratch, store)
                let distance = scratch.exactDistance(metric)
                let exact = distance * unit.scale + unit.offset
                place = min(
                    place, scratch.walk.replace(slot, by: Int32(exact.isFinite ? min(max(exact, -1e9), 1e9) : 1e9)))
                if !removed.contains(Int(slot)), allowed?.contains(Int(slot)) ?? true {
                    nearest.insert(labels[Int(slot)], distance)
                }
                let unseen = scratch.unseen(codes)
                if unseen > 0 { place = min(place, codes.insert(unseen, scratch, capacity)) }
            }
        }
        return nearest.sorted
    }

    /// Returns the exact nearest of the allowed vectors: every one of them is read, in the order of the file.
    ///
    /// - Parameter allowed: Nil allows all.
    public func exact(
        _ query: UnsafePointer<Float>, k: Int, allowed: SlotSet? = nil, in store: borrowing some SegmentStore
    ) throws(SegmentError) -> [Neighbor] {
        let prepared = try VamanaQuery(query, dimension, metric)
        guard k > 0 else { return [] }
        let scratch = scratches.withLock { $0.popLast() } ?? VamanaFileScratch(coding, settings, dimension)
        defer { scratches.withLock { $0.append(scratch) } }
        scratch.begin(prepared.numbers)
        var nearest = TopNeighbors(k: min(k, count))
        for word in 0..<(count + 63) / 64 {
            var rest = words(word, allowed)
            while rest != 0 {
                let slot = UInt32(word << 6 | rest.trailingZeroBitCount)
                rest &= rest - 1
                try read(slot, scratch, store, keeps: false)
                nearest.insert(labels[Int(slot)], scratch.exactDistance(metric))
            }
        }
        return nearest.sorted
    }

    /// How many of the allowed slots live.
    private func usableCount(_ allowed: SlotSet?) -> Int {
        guard allowed != nil else { return liveCount }
        return (0..<(count + 63) / 64).reduce(0) { $0 + words($1, allowed).nonzeroBitCount }
    }

    // The bits of 64 slots that are there, live and allowed.
    private func words(_ word: Int, _ allowed: SlotSet?) -> UInt64 {
        var bits = UInt64.max
        if let allowed { bits = word < allowed.words.count ? allowed.words[word] : 0 }
        if word < removed.words.count { bits &= ~removed.words[word] }
        let last = count - word << 6
        return last >= 64 ? bits : bits & ((1 << UInt64(max(last, 0))) &- 1)
    }

    private func read(
        _ slot: UInt32, _ scratch: VamanaFileScratch, _ store: borrowing some SegmentStore, keeps: Bool = true
    ) throws(SegmentError) {
        if cache.withLock({ $0.read(slot, into: scratch.node) }) { return }
        let (dimension, width) = (dimension, settings.width)
        try store.withSegment(VamanaLayout.node(Int(slot))) { bytes throws(SegmentError) in
            let degree = try VamanaNode(bytes, Int(slot), dimension).degree
            guard degree <= width else {
                throw SegmentError(
                    VamanaLayout.node(Int(slot)), problem: "the node has \(degree) links, more than \(width)")
            }
            for place in 0..<dimension + degree {
                let raw = bytes.loadUnaligned(fromByteOffset: 4 + 4 * place, as: UInt32.self)
                scratch.node[place] = UInt32(littleEndian: raw)
            }
            if degree < width { scratch.node[dimension + degree] = GraphWalk.none }
            scratch.node[dimension + width] = UInt32(degree)
            for place in dimension..<dimension + degree where Int(scratch.node[place]) >= count {
                throw SegmentError(VamanaLayout.node(Int(slot)), problem: "the node links to a missing slot")
            }
        }
        if keeps { cache.withLock { $0.write(slot, scratch.node) } }
    }
}

extension VamanaFile: StoredIndex {
    package func search(
        _ query: UnsafePointer<Float>, _ request: VectorRequest, in store: borrowing some SegmentStore
    ) throws(SegmentError) -> [Neighbor] {
        try search(query, request, in: store, beamWidth: 1)
    }

    package func vector(in slot: Int, of store: borrowing some SegmentStore) throws(SegmentError) -> [Float] {
        let key = VamanaLayout.node(slot)
        return try store.withSegment(key) { bytes throws(SegmentError) in
            var reader = SegmentReader(bytes, key)
            _ = try reader.read(UInt32.self)
            var vector: [Float] = []
            for _ in 0..<dimension { vector.append(try reader.readFloat()) }
            return vector
        }
    }

    package func defaultEffort(k: Int) -> Int? { 2 * k }
}
