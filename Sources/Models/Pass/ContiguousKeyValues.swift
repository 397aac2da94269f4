public import Kernels

/// Keys and values of one sequence in one stretch a layer that grows by doubling: for tests and single use.
///
/// Nothing is shared between sequences; `Inference` keeps pages that branches share.
public final class ContiguousKeyValues: KeyValueSequence {
    private let layerCount, kvHeads, keyWidth, valueWidth: Int
    private var keys: [AlignedBuffer<Float>] = []
    private var values: [AlignedBuffer<Float>] = []
    private var layers: [PagedKeyValues] = []
    private var capacity = 0
    private let firstCapacity: Int
    public private(set) var length = 0

    /// - Parameter capacity: positions that the first growth makes room for.
    public init(_ configuration: ModelConfiguration, capacity: Int = 64) {
        layerCount = configuration.layerCount
        kvHeads = configuration.kvHeadCount
        keyWidth = configuration.headWidth
        valueWidth = configuration.valueWidth
        firstCapacity = max(1, min(capacity, 1 << 24))
    }

    /// - Throws: `ModelError` where memory is short; the sequence stays as it was.
    public func reserve(_ count: Int) throws(ModelError) {
        let needed = length + count
        guard needed > capacity else { return }
        let wanted = max(needed, 2 * capacity, firstCapacity)
        let unit = PagedKeyValues.pageUnit
        let larger = (wanted + unit - 1) / unit * unit
        do {
            var (newKeys, newValues): ([AlignedBuffer<Float>], [AlignedBuffer<Float>]) = ([], [])
            for layer in 0..<layerCount {
                newKeys.append(try AlignedBuffer(count: kvHeads * keyWidth * larger))
                newValues.append(try AlignedBuffer(count: kvHeads * valueWidth * larger))
                guard length > 0 else { continue }
                // Keys are turned within a page: each number of a key has a line of positions.
                for line in 0..<kvHeads * keyWidth {
                    let old = keys[layer].pointer + line * capacity
                    (newKeys[layer].pointer + line * larger).update(from: old, count: length)
                }
                for head in 0..<kvHeads {
                    let old = values[layer].pointer + head * capacity * valueWidth
                    (newValues[layer].pointer + head * larger * valueWidth)
                        .update(from: old, count: length * valueWidth)
                }
            }
            (keys, values, capacity) = (newKeys, newValues, larger)
            layers = zip(keys, values).map {
                PagedKeyValues(
                    keys: [$0.pointer], values: [$1.pointer], pageSize: larger, kvHeads: kvHeads, keyWidth: keyWidth,
                    valueWidth: valueWidth)
            }
        } catch {
            throw ModelError("the key-value cache", error)
        }
    }

    public func pages(layer: Int) -> PagedKeyValues { layers[layer] }

    public func commit(_ count: Int) { length += count }

    /// Forgets the positions from `length` on.
    public func truncate(to length: Int) { self.length = max(0, min(length, self.length)) }
}
