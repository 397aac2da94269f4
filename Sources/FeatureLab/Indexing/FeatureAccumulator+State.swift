internal import Bytes

extension FeatureAccumulator {
    /// All that is known of some features.
    func bytes(of range: Range<Int>) -> [UInt8] {
        var bytes = ByteWriter()
        bytes.write(UInt32(range.lowerBound))
        bytes.write(UnsafeBufferPointer(start: tallies + range.lowerBound, count: range.count))
        bytes.write(part(histograms, ActivationBins.count, range))
        bytes.write(part(thresholds, ExampleLayout.strata, range))
        bytes.write(part(slots, ExampleLayout.slots, range))
        bytes.write(part(contexts, ExampleLayout.slots * ExampleLayout.context, range))
        return bytes.bytes
    }

    /// Takes what ``bytes(of:)`` wrote.
    ///
    /// - Parameter tokens: Number of tokens so far.
    /// - Throws: `ByteDamage` if the bytes cannot be the state after `tokens` tokens.
    func restore(_ range: Range<Int>, from reader: ByteReader, tokens: Int) throws(ByteDamage) {
        var bytes = reader
        guard try bytes.read(UInt32.self) == UInt32(range.lowerBound) else { throw ByteDamage() }
        try bytes.read(into: UnsafeMutableBufferPointer(start: tallies + range.lowerBound, count: range.count))
        try bytes.read(into: UnsafeMutableBufferPointer(mutating: part(histograms, ActivationBins.count, range)))
        try bytes.read(into: UnsafeMutableBufferPointer(mutating: part(thresholds, ExampleLayout.strata, range)))
        try bytes.read(into: UnsafeMutableBufferPointer(mutating: part(slots, ExampleLayout.slots, range)))
        try bytes.read(
            into: UnsafeMutableBufferPointer(
                mutating: part(contexts, ExampleLayout.slots * ExampleLayout.context, range)))
        guard bytes.isAtEnd, range.allSatisfy({ isSound($0, tokens) }) else { throw ByteDamage() }
    }

    // All that is used as a place somewhere, or compared.
    private func isSound(_ feature: Int, _ tokens: Int) -> Bool {
        let tally = tallies[feature]
        guard tally.maximum.bitPattern < Float.infinity.bitPattern, 0...Int64(tokens) ~= tally.count,
            tally.total.isFinite, tally.stratum == ActivationBins.stratum(tally.maximum)
        else { return false }
        return (feature * ExampleLayout.slots..<(feature + 1) * ExampleLayout.slots).allSatisfy { index in
            let slot = slots[index]
            if slot.isEmpty { return true }
            guard slot.value > 0, slot.value <= tally.maximum else { return false }
            let position = Int(slot.position)
            let (before, beyond) = extent(index)
            return beyond > ExampleLayout.radius && before <= position
                && position + beyond - ExampleLayout.radius <= tokens
        }
    }

    private func part<T>(_ base: UnsafeMutablePointer<T>, _ each: Int, _ range: Range<Int>) -> UnsafeBufferPointer<T> {
        UnsafeBufferPointer(start: base + range.lowerBound * each, count: range.count * each)
    }
}
