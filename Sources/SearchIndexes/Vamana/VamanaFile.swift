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
    /// - Parameter cacheBytes: memory for nodes that were read.
    public init(from store: some SegmentStore, cacheBytes: Int = 16 << 20) throws(SegmentError) {
        let header = try VamanaHeader(from: store)
        (metric, dimension, count) = (header.metric, header.dimension, header.count)
        (settings, coding, entry) = (header.settings, header.coding, header.entry.map(Int.init))
        labels = try VamanaTables.labels(from: store, count: count)
        removed = try VamanaTables.removed(from: store, count: count).removed
        codes = try VamanaCodes(from: store, header.coding, header.metric, count: count)
        cache = Mutex(VamanaNodeCache(dimension: dimension, links: settings.width, bytes: cacheBytes))
    }

    /// How many vectors can be found.
    public var liveCount: Int { count - removed.count }
    /// Bytes of the codes in memory.
    public var codeBytes: Int { count * coding.byteCount }
    /// Nodes that were found in memory, and nodes that were read from a store, so far.
    public var cacheUse: (hits: Int, misses: Int) { cache.withLock { ($0.hits, $0.misses) } }

    /// The `request.k` nearest vectors, nearest first, by their full vectors; removed ones never.
    ///
    /// - Parameters:
    ///   - request: `effort` is the number of candidates kept on the way, at least `k`; nil takes twice `k`. A few more
    ///     are kept, since codes rank near ones only nearly right.
    ///   - store: where the index was saved, in the same state.
    ///   - beamWidth: nodes that are expanded at a time. More than one reads nodes that a walk of one would not need.
    public func search(
        _ query: UnsafePointer<Float>, _ request: VectorRequest, in store: borrowing some SegmentStore,
        beamWidth: Int = 1
    ) throws(SegmentError) -> [Neighbor] {
        let prepared = try PreparedQuery(query, dimension, metric)
        guard let entry, request.k > 0, count > 0 else { return [] }
        let wanted = min(request.k, count)
        let effort = max(request.effort ?? 2 * wanted, wanted)
        let capacity = min(effort + effort / 8 + (coding.bits == 8 ? 2 : 4), count)
        let scratch = scratches.withLock { $0.popLast() } ?? VamanaFileScratch(coding, settings, dimension)
        defer { scratches.withLock { $0.append(scratch) } }
        coding.encodeQuery(prepared.numbers, forProducts: metric == .innerProduct, into: scratch.query)
        scratch.begin(prepared.numbers, slots: count, capacity: capacity, entry: UInt32(entry))
        codes.insert(1, scratch, capacity)
        var nearest = NearestSlots(wanted)
        let unit = coding.unit(of: prepared.numbers, metric)
        var place = 0
        while let first = scratch.walk.unexpanded(from: place) {
            var expanded = 0
            var next: Int? = first
            while let found = next, expanded < max(1, beamWidth) {
                scratch.walk.beam[found] |= 1
                scratch.round[expanded % scratch.round.count] = GraphWalk.slot(scratch.walk.beam[found])
                expanded += 1
                next = expanded < scratch.round.count ? scratch.walk.unexpanded(from: found + 1) : nil
            }
            place = first + 1
            for index in 0..<expanded {
                let slot = scratch.round[index]
                try read(slot, scratch, store)
                let distance = scratch.exactDistance(metric)
                let exact = distance * unit.scale + unit.offset
                place = min(place, scratch.walk.replace(slot, by: Int32(min(max(exact, -1e9), 1e9))))
                if !removed.contains(Int(slot)), request.allowed?.contains(Int(slot)) ?? true {
                    nearest.insert(distance, slot, labels[Int(slot)])
                }
                let unseen = scratch.unseen(codes)
                if unseen > 0 { place = min(place, codes.insert(unseen, scratch, capacity)) }
            }
        }
        return nearest.neighbors
    }

    private func read(
        _ slot: UInt32, _ scratch: VamanaFileScratch, _ store: borrowing some SegmentStore
    ) throws(SegmentError) {
        if cache.withLock({ $0.read(slot, into: scratch.node) }) { return }
        let (dimension, width) = (dimension, settings.width)
        try store.withSegment(VamanaLayout.node(Int(slot))) { bytes throws(SegmentError) in
            let degree = try VamanaNode(bytes, Int(slot), dimension).degree
            guard degree <= width else {
                throw SegmentError(VamanaLayout.node(Int(slot)), problem: "it has \(degree) links, more than \(width)")
            }
            for place in 0..<dimension + degree {
                let raw = bytes.loadUnaligned(fromByteOffset: 4 + 4 * place, as: UInt32.self)
                scratch.node[place] = UInt32(littleEndian: raw)
            }
            if degree < width { scratch.node[dimension + degree] = GraphWalk.none }
            scratch.node[dimension + width] = UInt32(degree)
            for place in dimension..<dimension + degree where Int(scratch.node[place]) >= count {
                throw SegmentError(VamanaLayout.node(Int(slot)), problem: "it links to a slot that is not there")
            }
        }
        cache.withLock { $0.write(slot, scratch.node) }
    }
}
