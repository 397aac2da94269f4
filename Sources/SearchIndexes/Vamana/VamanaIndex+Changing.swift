internal import Hashing
internal import Kernels

extension VamanaIndex {
    /// Links slots into the graph. Links are chosen twice for the first vectors, once for those that come later.
    ///
    /// Slots that were removed before they came into the graph are left out.
    public func add(
        slots: Range<Int>, threads: Int, progress: (Int) -> Bool
    ) throws(SegmentError) {
        let wanted = slots.clamped(to: linked..<max(linked, rows.count))
        guard !wanted.isEmpty else { return }
        graph.grow(to: rows.count)
        let isFirst = linked == 0
        if graph.entry == nil || isFirst { graph.entry = VamanaSpace(rows).medoid() }
        guard graph.entry != nil else { return }
        let space = VamanaSpace(rows)
        let order = VisitingOrder(wanted)
        let pool = ThreadPool(threads: threads)
        let scratches = (0..<pool.threads).map { _ in VamanaScratch(width: settings.width) }
        let passes = isFirst || wanted.count > linked ? settings.passes : 1
        let before = (0..<graph.count).map { Fingerprint(graph, $0) }
        var done = 0
        var goesOn = true
        for _ in 0..<passes where goesOn {
            let alpha = settings.alpha
            var start = 0
            while start < order.count, goesOn {
                // Small batches first: the first nodes need each other.
                let size = min(order.count - start, min(4096, max(pool.threads * 16, start)))
                pool.run(chunks: (size + 15) / 16) { chunk, worker in
                    for index in chunk * 16..<min(size, chunk * 16 + 16) {
                        let slot = order[start + index]
                        if rows.removed.contains(slot) { continue }
                        graph.link(slot, space, settings, alpha: alpha, scratches[worker])
                    }
                }
                start += size
                done += size
                goesOn = progress(done / passes)
            }
        }
        thin(pool, space, scratches)
        // A few new ones are linked to by those that they link to; to look at the whole graph for them is not worth it.
        if wanted.count * 100 >= graph.count { _ = graph.connect(space, settings, scratches[0]) }
        if goesOn { linked = wanted.upperBound }
        for slot in 0..<graph.count where before[slot] != Fingerprint(graph, slot) || wanted.contains(slot) {
            unsaved.insert(slot)
        }
    }

    /// Takes removed slots out of all lists: who linked to one links to its neighbors instead, as far as they are
    /// needed.
    public func repair(removed slots: [Int]) throws(SegmentError) {
        let gone = slots.filter { $0 >= 0 && $0 < graph.count && rows.removed.contains($0) }
        guard !gone.isEmpty else { return }
        var leaving = SlotSet(capacity: graph.count)
        for slot in gone { leaving.insert(slot) }
        let space = VamanaSpace(rows)
        let pool = ThreadPool.shared
        let scratches = (0..<pool.threads).map { _ in VamanaScratch(width: settings.width) }
        let touched = ChangedSlots(graph.count)
        pool.run(chunks: (graph.count + 255) / 256) { chunk, worker in
            for slot in chunk * 256..<min(graph.count, chunk * 256 + 256)
            where !leaving.contains(slot) && !released.contains(slot) {
                if rewire(slot, around: leaving, space, scratches[worker]) { touched.mark(slot) }
            }
        }
        for slot in gone {
            graph.list(slot)[0] = GraphWalk.none
            released.insert(slot)
            unsaved.insert(slot)
        }
        touched.forEach { unsaved.insert($0) }
        if let entry = graph.entry, rows.removed.contains(Int(entry)) { graph.entry = space.medoid() }
        for slot in graph.connect(space, settings, scratches[0]) { unsaved.insert(slot) }
    }

    // Lists of removed slots are only read, and each live list is written by one thread: no locks.
    private func rewire(
        _ slot: Int, around leaving: SlotSet, _ space: VamanaSpace, _ scratch: VamanaScratch
    ) -> Bool {
        let degree = graph.degree(slot)
        let list = graph.list(slot)
        guard (0..<degree).contains(where: { leaving.contains(Int(list[$0])) }) else { return false }
        var candidates = Set<UInt32>()
        for place in 0..<degree {
            let neighbor = Int(list[place])
            guard leaving.contains(neighbor) else {
                candidates.insert(UInt32(neighbor))
                continue
            }
            let beyond = graph.list(neighbor)
            for index in 0..<graph.degree(neighbor) where !rows.removed.contains(Int(beyond[index])) {
                candidates.insert(beyond[index])
            }
        }
        candidates.remove(UInt32(slot))
        let slots = Array(candidates)
        var distances = [Float](repeating: 0, count: slots.count)
        space.distances(from: slot, to: slots, count: slots.count, into: &distances)
        scratch.pool.removeAll(keepingCapacity: true)
        for (place, candidate) in slots.enumerated() {
            scratch.pool.append(VamanaCandidate(distance: distances[place], slot: candidate))
        }
        graph.prune(slot, space, degree: settings.degree, alpha: settings.alpha, scratch)
        scratch.kept.withUnsafeBufferPointer { graph.set(slot, to: $0) }
        return true
    }

    // Lists may grow beyond the degree during construction; thin them to the degree.
    private func thin(_ pool: ThreadPool, _ space: VamanaSpace, _ scratches: [VamanaScratch]) {
        pool.run(chunks: (graph.count + 255) / 256) { chunk, worker in
            let scratch = scratches[worker]
            for slot in chunk * 256..<min(graph.count, chunk * 256 + 256) where graph.degree(slot) > settings.degree {
                scratch.pool.removeAll(keepingCapacity: true)
                graph.append(graph.list(slot), to: slot, space, scratch)
                graph.prune(slot, space, degree: settings.degree, alpha: settings.alpha, scratch)
                scratch.kept.withUnsafeBufferPointer { graph.set(slot, to: $0) }
            }
        }
    }
}

/// Tells a list of links from another one.
private struct Fingerprint: Equatable {
    private let value: UInt64

    init(_ graph: VamanaGraph, _ slot: Int) {
        var value: UInt64 = SplitMix64.gamma
        let list = graph.list(slot)
        for place in 0..<graph.degree(slot) {
            let product = (value ^ UInt64(list[place])).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
            value = (product.high ^ product.low) &+ 0xE703_7ED1_A0B4_28DB
        }
        self.value = value
    }
}

/// Slots that threads mark, each its own.
private final class ChangedSlots: @unchecked Sendable {  // a byte a slot, written by one thread only
    private let marks: UnsafeMutablePointer<UInt8>
    private let count: Int

    init(_ count: Int) {
        self.count = count
        marks = .allocate(capacity: max(1, count))
        marks.initialize(repeating: 0, count: max(1, count))
    }

    deinit { marks.deallocate() }

    func mark(_ slot: Int) { marks[slot] = 1 }

    func forEach(_ body: (Int) -> Void) {
        for slot in 0..<count where marks[slot] == 1 { body(slot) }
    }
}

/// The numbers of a range in an order that looks random and is always the same.
private struct VisitingOrder {
    private var slots: [UInt32]

    init(_ range: Range<Int>) {
        slots = range.map(UInt32.init)
        var state: UInt64 = 0x2545_F491_4F6C_DD1D
        for index in slots.indices.dropFirst().reversed() {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            slots.swapAt(index, Int((state >> 33) % UInt64(index + 1)))
        }
    }

    var count: Int { slots.count }
    subscript(_ index: Int) -> Int { Int(slots[index]) }
}
