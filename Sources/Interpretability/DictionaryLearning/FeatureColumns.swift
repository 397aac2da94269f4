internal import Kernels

/// The entries of a batch by feature: what each feature's gradients are sums of.
final class FeatureColumns {
    /// `[F + 1]`: start of each feature.
    private(set) var starts: [Int]
    /// The row of the batch, and the row among all output gradients.
    private(set) var rows, targets: UnsafeMutablePointer<UInt32>
    private(set) var coefficients, deltas: UnsafeMutablePointer<Float>
    /// Sums of the parts of each feature's entries, `[vectors][F]`.
    private(set) var sums: [[Float]]
    /// How many rows each feature fired in.
    private(set) var firings: [Int32]
    private var capacity = 1

    init(features: Int, vectors: Int) {
        starts = [Int](repeating: 0, count: features + 1)
        firings = [Int32](repeating: 0, count: features)
        sums = [[Float]](repeating: [Float](repeating: 0, count: features), count: vectors)
        rows = .allocate(capacity: 1)
        targets = .allocate(capacity: 1)
        coefficients = .allocate(capacity: 1)
        deltas = .allocate(capacity: 1)
    }

    deinit {
        rows.deallocate()
        targets.deallocate()
        coefficients.deallocate()
        deltas.deallocate()
    }

    /// Takes the entries of all tiles, whose rows follow one another; O(entries + F).
    func fill(_ tiles: [DictionaryTile], slots: Int, auxiliarySlot: Int?) {
        reserve(tiles.reduce(0) { $0 + $1.entries.count })
        let auxiliary = auxiliarySlot.map { UInt32($0) } ?? .max
        let features = firings.count
        starts.withUnsafeMutableBufferPointer { starts in
            starts.update(repeating: 0)
            for tile in tiles {
                let entries = tile.entries
                for entry in 0..<entries.count { starts[Int(entries.features[entry]) + 1] += 1 }
            }
            for feature in 0..<features { starts[feature + 1] += starts[feature] }
            firings.withUnsafeMutableBufferPointer { firings in
                firings.update(repeating: 0)
                var first = 0
                for tile in tiles {
                    place(tile.entries, from: first, slots: slots, auxiliary: auxiliary, starts, firings)
                    first += tile.entries.starts.count - 1
                }
            }
            // Every start was moved to the next feature's.
            for feature in stride(from: features, to: 0, by: -1) { starts[feature] = starts[feature - 1] }
            starts[0] = 0
        }
        addParts(tiles)
    }

    private func place(
        _ entries: FeatureEntries, from first: Int, slots: Int, auxiliary: UInt32,
        _ starts: UnsafeMutableBufferPointer<Int>, _ firings: UnsafeMutableBufferPointer<Int32>
    ) {
        for row in 0..<entries.starts.count - 1 {
            for entry in entries.starts[row]..<entries.starts[row + 1] {
                let feature = Int(entries.features[entry])
                let place = starts[feature]
                starts[feature] = place + 1
                rows[place] = UInt32(first + row)
                targets[place] = UInt32((first + row) * slots) + entries.slots[entry]
                coefficients[place] = entries.coefficients[entry]
                deltas[place] = entries.deltas[entry]
                if entries.coefficients[entry] > 0, entries.slots[entry] != auxiliary { firings[feature] += 1 }
            }
        }
    }

    private func addParts(_ tiles: [DictionaryTile]) {
        for vector in sums.indices {
            sums[vector].withUnsafeMutableBufferPointer { sums in
                sums.update(repeating: 0)
                for tile in tiles {
                    let (entries, part) = (tile.entries, tile.entries.parts[vector])
                    for entry in 0..<entries.count { sums[Int(entries.features[entry])] += part[entry] }
                }
            }
        }
    }

    private func reserve(_ count: Int) {
        guard count > capacity else { return }
        capacity = count + count / 4
        rows.deallocate()
        targets.deallocate()
        coefficients.deallocate()
        deltas.deallocate()
        rows = .allocate(capacity: capacity)
        targets = .allocate(capacity: capacity)
        coefficients = .allocate(capacity: capacity)
        deltas = .allocate(capacity: capacity)
    }
}
