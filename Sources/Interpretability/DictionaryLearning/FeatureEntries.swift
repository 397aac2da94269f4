internal import Kernels

/// The entries of a batch for each feature: active rows, and rows that only receive gradients.
///
/// Memory is kept from step to step. One tile of rows fills one of these, on one thread.
final class FeatureEntries {
    /// Maximum number of arrays, in addition to δ, that sums over a feature's entries use.
    static let mostParts = 3

    private(set) var count = 0
    private var capacity = 0
    /// Where each row of the tile starts, and the end.
    private(set) var starts: [Int] = [0]
    /// The feature of each entry.
    private(set) var features: UnsafeMutablePointer<UInt32>
    /// The pre-activation.
    private(set) var numbers: UnsafeMutablePointer<Float>
    /// What the gradient of the feature's decoder row has of the row's output gradient: f and a scale.
    private(set) var coefficients: UnsafeMutablePointer<Float>
    /// The gradient of the pre-activation.
    private(set) var deltas: UnsafeMutablePointer<Float>
    /// Which of the row's output gradients it belongs to.
    private(set) var slots: UnsafeMutablePointer<UInt32>
    /// The gradients of the kind's own vectors.
    private(set) var parts: [UnsafeMutablePointer<Float>]

    init() {
        features = .allocate(capacity: 1)
        numbers = .allocate(capacity: 1)
        coefficients = .allocate(capacity: 1)
        deltas = .allocate(capacity: 1)
        slots = .allocate(capacity: 1)
        parts = (0..<Self.mostParts).map { _ in .allocate(capacity: 1) }
    }

    deinit {
        features.deallocate()
        numbers.deallocate()
        coefficients.deallocate()
        deltas.deallocate()
        slots.deallocate()
        for part in parts { part.deallocate() }
    }

    func removeAll() {
        count = 0
        starts.removeAll(keepingCapacity: true)
        starts.append(0)
    }

    /// Makes room for `more` entries.
    func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let wanted = max(2 * capacity, count + more)
        features = grown(features, wanted)
        numbers = grown(numbers, wanted)
        coefficients = grown(coefficients, wanted)
        deltas = grown(deltas, wanted)
        slots = grown(slots, wanted)
        parts = parts.map { grown($0, wanted) }
        capacity = wanted
    }

    /// Adds an entry; there is room for it.
    @inline(__always)
    func append(feature: UInt32, number: Float, slot: UInt32) {
        features[count] = feature
        numbers[count] = number
        slots[count] = slot
        count += 1
    }

    /// Adds the numbers that are above 0 and at least `floor`, with slot 0.
    func gather(_ numbers: UnsafePointer<Float>, from floor: Float, count: Int) {
        gather(count) { SparseFeatures.gather(numbers, from: floor, count: count, places: $0, numbers: $1) }
    }

    /// Adds the numbers that are above their own floors, with slot 0.
    func gather(_ numbers: UnsafePointer<Float>, above floors: [Float]) {
        gather(floors.count) { places, found in
            floors.withUnsafeBufferPointer { floors in
                floors.baseAddress.map {
                    SparseFeatures.gather(
                        numbers, above: $0, count: floors.count, places: places, numbers: found)
                } ?? 0
            }
        }
    }

    private func gather(_ most: Int, _ body: (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<Float>) -> Int) {
        reserve(most)
        let more = body(features + count, numbers + count)
        (slots + count).update(repeating: 0, count: more)
        count += more
    }

    func endRow() { starts.append(count) }

    /// Keeps the entries of slot 0 whose number reaches a floor, and all others.
    func keep(from floor: Float) {
        var (kept, start) = (0, 0)
        for row in 1..<starts.count {
            for entry in start..<starts[row] where numbers[entry] >= floor || slots[entry] > 0 {
                features[kept] = features[entry]
                numbers[kept] = numbers[entry]
                slots[kept] = slots[entry]
                kept += 1
            }
            start = starts[row]
            starts[row] = kept
        }
        count = kept
    }

    private func grown<Element>(
        _ old: UnsafeMutablePointer<Element>, _ wanted: Int
    ) -> UnsafeMutablePointer<Element> {
        let new = UnsafeMutablePointer<Element>.allocate(capacity: wanted)
        new.update(from: old, count: count)
        old.deallocate()
        return new
    }
}
