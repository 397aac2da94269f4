internal import Kernels

/// The codes of all slots, one after the other in memory.
final class VamanaCodes: @unchecked Sendable {  // written once, by the initializer
    let coding: VamanaCoding
    private let memory: UnsafeMutablePointer<UInt8>
    private let rows: DistanceKernels.Codes

    /// How the codes of vectors are compared with that of a query.
    init(from store: some SegmentStore, _ coding: VamanaCoding, _ metric: Metric, count: Int) throws(SegmentError) {
        self.coding = coding
        rows = DistanceKernels(metric == .innerProduct ? .dot : .l2).codes
        let size = VamanaLayout.codesPerSegment(coding)
        let width = coding.byteCount
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(1, count * width), alignment: 64)
        memory = bytes.assumingMemoryBound(to: UInt8.self)
        for first in stride(from: 0, to: count, by: size) {
            let key = SegmentKey("codes", first / size)
            let wanted = min(size, count - first) * width
            try store.withSegment(key) { raw throws(SegmentError) in
                guard raw.count == wanted, let base = raw.baseAddress else {
                    throw SegmentError(key, problem: "it holds the codes of other vectors")
                }
                (bytes + first * width).copyMemory(from: base, byteCount: wanted)
            }
        }
    }

    deinit { memory.deallocate() }

    var base: UnsafePointer<UInt8> { UnsafePointer(memory) }

    /// Puts the first slots of `scratch.walk.found` into the beam; returns the lowest place that changed.
    @discardableResult
    func insert(_ number: Int, _ scratch: VamanaFileScratch, _ capacity: Int) -> Int {
        let slots = scratch.walk.found
        if coding.bits == 8 {
            memory.withMemoryRebound(to: Int8.self, capacity: 1) {
                rows(scratch.query, $0, coding.stride, slots, number, scratch.orders)
            }
        } else {
            let (width, stride, dimension) = (coding.byteCount, coding.stride, coding.dimension)
            let (memory, wide) = (memory, scratch.wide)
            for index in 0..<number {
                VamanaCoding.widen(
                    memory + Int(slots[index]) &* width, into: wide + index &* stride, stride: stride,
                    dimension: dimension)
            }
            rows(scratch.query, wide, stride, nil, number, scratch.orders)
        }
        return GraphWalk.insert(
            slots, orders: scratch.orders, count: number, into: scratch.walk.beam, size: &scratch.walk.beamSize,
            capacity: capacity, links: memory, linksBytes: 0)
    }
}

/// The memory of one search in a file, used by one thread at a time.
final class VamanaFileScratch: @unchecked Sendable {  // lent to one thread at a time
    let walk: VamanaScratch
    /// The vector of the node at hand, its links, how many those are.
    let node: UnsafeMutablePointer<UInt32>
    let query: UnsafeMutablePointer<Int8>
    let wide: UnsafeMutablePointer<Int8>
    let orders: UnsafeMutablePointer<Int32>
    var round = [UInt32](repeating: 0, count: 64)
    private let dimension: Int
    private let width: Int
    private var numbers: [Float] = []

    init(_ coding: VamanaCoding, _ settings: VamanaSettings, _ dimension: Int) {
        walk = VamanaScratch(width: settings.width)
        self.dimension = dimension
        width = settings.width
        node = .allocate(capacity: dimension + width + 1)
        query = .allocate(capacity: coding.stride)
        wide = .allocate(capacity: coding.bits == 8 ? 1 : (width + 1) * coding.stride)
        orders = .allocate(capacity: width + 16)
    }

    deinit {
        node.deallocate()
        query.deallocate()
        wide.deallocate()
        orders.deallocate()
    }

    func begin(_ query: [Float], slots: Int, capacity: Int, entry: UInt32) {
        numbers = query
        walk.begin(slots: slots, capacity: capacity)
        walk.found[0] = entry
        walk.visited[Int(entry) >> 6] |= 1 << (UInt64(entry) & 63)
    }

    /// The links of the node at hand that no node before had, in `walk.found`; returns how many.
    func unseen(_ codes: VamanaCodes) -> Int {
        GraphWalk.unvisited(
            node + dimension, width: width, visited: walk.visited, rows: codes.base, stride: codes.coding.byteCount,
            lines: min(4, codes.coding.byteCount / 64 + 1), into: walk.found)
    }

    /// The distance from the query to the vector of the node at hand.
    func exactDistance(_ metric: Metric) -> Float {
        var distance: Float = 0
        let kernel = DistanceKernels(metric == .l2 ? .l2 : .dot).rows
        node.withMemoryRebound(to: Float.self, capacity: dimension) {
            kernel(numbers, $0, dimension, dimension, metric == .cosine ? 1 : 0, nil, 1, &distance)
        }
        return distance
    }
}
