internal import Kernels
internal import Synchronization

/// Memory of one search, kept for the next.
package final class SearchScratch {
    let nearest = SlotHeap()
    let lists = SlotHeap()
    private var memory: UnsafeMutableRawPointer
    private var room: Int

    /// Vectors whose distances are taken at once.
    static let block = 1024

    init() {
        room = 1 << 16
        memory = .allocate(byteCount: room, alignment: 64)
    }

    deinit {
        memory.deallocate()
        distances.deallocate()
        positions.deallocate()
    }

    /// Returns pieces of memory for the given numbers of floats, aligned to 64 bytes.
    func floats(_ first: Int, _ second: Int = 0, _ third: Int = 0) -> (
        UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
    ) {
        let (begin, middle) = ((first + 15) / 16 * 16, (first + 15) / 16 * 16 + (second + 15) / 16 * 16)
        let wanted = (middle + third) * 4
        if wanted > room {
            memory.deallocate()
            room = wanted + wanted / 4
            memory = .allocate(byteCount: room, alignment: 64)
        }
        let start = memory.assumingMemoryBound(to: Float.self)
        return (start, start + begin, start + middle)
    }

    /// Memory for slots, apart from ``floats(_:_:_:)``.
    func withSlots(_ count: Int, _ body: (UnsafeMutablePointer<UInt32>) -> Void) {
        if slots.count < count { slots = [UInt32](repeating: 0, count: count + count / 4) }
        slots.withUnsafeMutableBufferPointer { slots in slots.baseAddress.map { body($0) } }
    }
    private var slots = [UInt32](repeating: 0, count: 256)

    let distances = UnsafeMutablePointer<Float>.allocate(capacity: SearchScratch.block)
    let positions = UnsafeMutablePointer<Int32>.allocate(capacity: SearchScratch.block)
}

extension SearchScratch {
    /// Keeps the nearest of `count` slots whose distances are in ``distances``.
    func keep(
        _ slots: UnsafePointer<UInt32>, _ count: Int, _ rows: VectorRows, _ allowed: SlotSet?,
        _ labels: UnsafePointer<Int64>
    ) {
        let found = CodeKernels.positions(of: distances, count: count, atMost: nearest.limit, into: positions)
        for position in 0..<found {
            let entry = Int(positions[position])
            guard distances[entry] <= nearest.limit else { continue }
            let slot = Int(slots[entry])
            guard !rows.removed.contains(slot), allowed?.contains(slot) ?? true else { continue }
            nearest.offer(distances[entry], slots[entry], labels)
        }
    }

    /// The same for slots one after the other.
    func keep(
        from first: Int, _ count: Int, _ rows: VectorRows, _ allowed: SlotSet?, _ labels: UnsafePointer<Int64>
    ) {
        let found = CodeKernels.positions(of: distances, count: count, atMost: nearest.limit, into: positions)
        for position in 0..<found {
            let entry = Int(positions[position])
            guard distances[entry] <= nearest.limit else { continue }
            let slot = first + entry
            guard !rows.removed.contains(slot), allowed?.contains(slot) ?? true else { continue }
            nearest.offer(distances[entry], UInt32(slot), labels)
        }
    }
}

/// Scratch memory for as many searches as run at once.
final class ScratchPool: Sendable {
    private let idle = Mutex<[Lent]>([])

    /// One search at a time has it.
    private struct Lent: @unchecked Sendable {
        let scratch: SearchScratch
    }

    func with<Result>(_ body: (SearchScratch) throws(SegmentError) -> Result) throws(SegmentError) -> Result {
        let lent = idle.withLock { $0.popLast() } ?? Lent(scratch: SearchScratch())
        defer { idle.withLock { $0.append(lent) } }
        return try body(lent.scratch)
    }
}
