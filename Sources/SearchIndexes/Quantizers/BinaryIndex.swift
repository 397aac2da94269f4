package import Bytes
internal import Kernels

/// An index that compares bits: vectors are scanned by the number of bits that differ.
package typealias BinaryIndex = CodeIndex<BinaryCode>

/// One bit per number of a vector: whether the number is above the mean.
package struct BinaryCode: VectorCode {
    package static let kind = "binary"
    package static let candidates = (perResult: 50, minimum: 200)

    private let dimension: Int
    package let length: Int

    package init(dimension: Int) {
        self.dimension = dimension
        length = (dimension + 63) / 64
    }

    package func fit(to rows: VectorRows, _ center: inout [Float]) {}

    package func encode(
        _ row: UnsafePointer<Float>, center: UnsafePointer<Float>, into words: UnsafeMutablePointer<UInt64>
    ) {
        for word in 0..<length {
            var value: UInt64 = 0
            for column in word * 64..<min(dimension, word * 64 + 64) where row[column] > center[column] {
                value |= 1 << UInt64(column & 63)
            }
            words[word] = value
        }
    }

    package func choose(
        _ wanted: Int, near query: UnsafePointer<UInt64>, among codes: UnsafePointer<UInt64>, count: Int,
        of rows: VectorRows, _ allowed: SlotSet?, _ scratch: SearchScratch, _ labels: UnsafePointer<Int64>
    ) {
        scratch.withSlots((count + 1) / 2) { memory in
            let distances = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: UInt16.self)
            CodeKernels.differingBits(query, rows: codes, words: length, count: count, into: distances)
            choose(wanted, distances, count: count, removed: rows.removed, allowed, scratch.nearest)
        }
    }

    /// Adds the slots with the fewest differing bits, of equal ones the lower: first counts the slots of each distance.
    private func choose(
        _ wanted: Int, _ distances: UnsafePointer<UInt16>, count: Int, removed: SlotSet, _ allowed: SlotSet?,
        _ nearest: SlotHeap
    ) {
        let most = length * 64
        let isWhole = removed.count == 0 && allowed == nil
        func isFound(_ slot: Int) -> Bool { !removed.contains(slot) && allowed?.contains(slot) ?? true }
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: most + 1) { counts in
            counts.initialize(repeating: 0)
            for slot in 0..<count where isWhole || isFound(slot) { counts[Int(distances[slot])] += 1 }
            var (limit, below) = (0, 0)
            while limit < most, below + Int(counts[limit]) < wanted {
                below += Int(counts[limit])
                limit += 1
            }
            var rest = wanted - below
            for slot in 0..<count where distances[slot] <= limit && (isWhole || isFound(slot)) {
                if distances[slot] == limit {
                    guard rest > 0 else { continue }
                    rest -= 1
                }
                nearest.offer(Float(distances[slot]), UInt32(slot), nil)
            }
        }
    }

    package func read(_ reader: inout SegmentReader) {}
    package func write(to writer: inout ByteWriter) {}
}
