/// The different elements of a tensor.
public struct UniqueElements<Scalar: TensorScalar>: Sendable {
    /// In ascending order; all NaN are one, and come last.
    public let values: Tensor<Scalar>
    /// How often each occurs.
    public let counts: Tensor<Int32>
    /// For each element of the tensor, in its shape, which of the values it is.
    public let inverse: Tensor<Int32>
}

extension Tensor {
    /// The different elements of all axes together, with how often they occur. O(n).
    public func unique() throws(TensorError) -> UniqueElements<Scalar> {
        let flat = try flatView("unique")
        let lanes = try Lanes(flat, axis: 0, "unique")
        try lanes.checkScratch(4 * MemoryLayout<Scalar>.stride + 24, "unique")
        return Scalar.dataType == .float64
            ? try flat.unique(UInt64.self, shape: shape) : try flat.unique(UInt32.self, shape: shape)
    }

    /// The same of a contiguous vector; `shape` is that of the inverse.
    private func unique<Key: SortKey>(_: Key.Type, shape: [Int]) throws(TensorError) -> UniqueElements<Scalar> {
        let n = count
        let inverse = try TensorStorage<Int32>(count: n, for: "unique")
        let firsts = try TensorStorage<Int32>(count: n, for: "unique")
        let counts = try TensorStorage<Int32>(count: n, for: "unique")
        let runs = withUnsafeTemporaryAllocation(of: Ranked<Key>.self, capacity: 2 * max(n, 1)) { memory in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: RadixSort.counters) { counters in
                let ranked = memory.baseAddress!
                // The keys are in the memory that sorting needs later.
                let keys = UnsafeMutableRawPointer(ranked + n).assumingMemoryBound(to: Key.self)
                Key.fill(keys, base, stride: 1, count: n)
                SortLoops.rank(keys, n, turned: false, into: ranked)
                RadixSort.sort(ranked, n, spare: ranked + n, counts: counters.baseAddress!)
                return SortLoops.runs(
                    ranked, n, firsts: firsts.pointer, counts: counts.pointer, inverse: inverse.pointer)
            }
        }
        defer { withExtendedLifetime((self, firsts)) {} }
        return UniqueElements(
            values: try Tensor(filling: [runs], count: runs, for: "unique") { target in
                SortLoops.gather(base, 1, firsts.pointer, to: target, 1, runs)
            },
            counts: try Tensor<Int32>(storage: counts, shape: [runs], strides: [1], offset: 0).copied(for: "unique"),
            inverse: try Tensor<Int32>(storage: inverse, shape: shape, strides: Shape.strides(shape), offset: 0))
    }

    /// All elements as a vector, contiguous.
    func flatView(_ operation: String) throws(TensorError) -> Tensor {
        let dense = try contiguous()
        return Tensor(view: dense.storage, shape: [count], strides: [1], offset: dense.offset, count: count)
    }
}

/// On which side of equal elements a new one would go.
public enum SearchSide: Sendable {
    case left, right
}

extension Tensor {
    /// Where values would have to be put into this sorted vector to keep it sorted: NumPy's `searchsorted`.
    ///
    /// - Returns: for each value, how many elements are smaller (left), or smaller and equal (right). O(m log n).
    public func searchSorted(_ values: Tensor, side: SearchSide = .left) throws(TensorError) -> Tensor<Int32> {
        guard rank == 1, count <= Int(Int32.max) else {
            throw TensorError(
                "searchSorted", shape, values.shape,
                problem: "are incompatible: the first must be a vector")
        }
        return Scalar.dataType == .float64
            ? try search(UInt64.self, values, side) : try search(UInt32.self, values, side)
    }

    private func search<Key: SortKey>(
        _: Key.Type, _ values: Tensor, _ side: SearchSide
    ) throws(TensorError) -> Tensor<Int32> {
        let sought = try values.contiguous()
        let n = count
        defer { withExtendedLifetime((self, sought)) {} }
        return try Tensor<Int32>(filling: values.shape, count: values.count, for: "searchSorted") { target in
            withUnsafeTemporaryAllocation(of: Key.self, capacity: n + 512) { memory in
                let keys = memory.baseAddress!
                let block = keys + n
                Key.fill(keys, base, stride: strides[0], count: n)
                var start = 0
                while start < sought.count {
                    let part = min(512, sought.count - start)
                    Key.fill(block, sought.base + start, stride: 1, count: part)
                    for index in 0..<part {
                        target[start + index] = Self.place(of: block[index], in: keys, n, side)
                    }
                    start += part
                }
            }
        }
    }

    private static func place<Key: SortKey>(
        of key: Key, in keys: UnsafePointer<Key>, _ count: Int, _ side: SearchSide
    ) -> Int32 {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            let isBefore = side == .left ? keys[middle] < key : keys[middle] <= key
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return Int32(low)
    }
}
