internal import Kernels

/// The codes of all slots, one after the other in memory.
final class VamanaCodes: @unchecked Sendable {  // written once, by the initializer
    let coding: VamanaCoding
    private let memory: UnsafeMutablePointer<UInt8>
    private let rows: DistanceKernels.Codes

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
                    throw SegmentError(key, problem: "the codes belong to other vectors")
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
