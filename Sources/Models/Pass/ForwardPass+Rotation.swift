internal import Kernels

/// The rotations of a model: those of most layers, and those of windowed layers where they differ.
struct Rotations: Sendable {
    let common: RotaryAngles
    let windowed: RotaryAngles?
    let isAdjacent: Bool

    init(_ rotary: RotaryEmbedding) {
        common = RotaryAngles(rotary, isWindowed: false)
        windowed = rotary.windowedBase == nil ? nil : RotaryAngles(rotary, isWindowed: true)
        isAdjacent = rotary.pairing == .adjacent
    }

    func pairs(isWindowed: Bool) -> Int { (isWindowed ? windowed ?? common : common).pairs }
}

extension ForwardPass {
    /// Cosines and sines of all rows, for the layers to share.
    func prepareAngles(_ rotations: Rotations?) throws(ModelError) {
        angleRows.removeAll(keepingCapacity: true)
        guard let rotations else { return }
        let start = now()
        try prepare(rotations.common, .cosines, .sines)
        if let windowed = rotations.windowed { try prepare(windowed, .windowedCosines, .windowedSines) }
        record(.rotary, since: start)
    }

    private func prepare(
        _ angles: RotaryAngles, _ cosineSlot: Arena.Slot, _ sineSlot: Arena.Slot
    ) throws(ModelError) {
        let pairs = angles.pairs
        let (cosines, sines) = (try floats(cosineSlot, rows * pairs), try floats(sineSlot, rows * pairs))
        angleRows.append((cosines, pairs))
        angleRows.append((sines, pairs))
        for stretch in stretches {
            angles.frequencies(length: stretch.length).withUnsafeBufferPointer { frequencies in
                // A sine costs as much as sixty-four sums.
                overRows(stretch.count, width: 64 * pairs) { range in
                    for index in range {
                        let row = (stretch.firstRow + index) * pairs
                        angles.fill(
                            position: stretch.firstPosition + index, frequencies: frequencies,
                            cosines: cosines + row, sines: sines + row)
                    }
                }
            }
        }
    }

    /// Cosines and sines of a layer's rows.
    func angles(isWindowed: Bool) -> (cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>) {
        let first = isWindowed && angleRows.count > 2 ? 2 : 0
        return (UnsafePointer(angleRows[first].rows), UnsafePointer(angleRows[first + 1].rows))
    }
}
