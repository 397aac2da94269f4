extension Tensor {
    /// The elements in ascending order along an axis; what is equal keeps its order, and NaN comes last, as in NumPy.
    ///
    /// Descending order is the reverse, NaN first, but equal elements keep their order as well. O(n).
    public func sorted(axis: Int = -1, descending: Bool = false) throws(TensorError) -> Tensor {
        let lanes = try Lanes(self, axis: axis, "sorted")
        try lanes.checkScratch(4 * MemoryLayout<Scalar>.stride + 16, "sorted")
        defer { withExtendedLifetime(self) {} }
        return try Tensor(filling: shape, count: count, for: "sorted") { target in
            order(lanes, descending) { input, indices, output, outputStride in
                SortLoops.gather(input, lanes.stride, indices, to: target + output, outputStride, lanes.length)
            }
        }
    }

    /// Where the elements of the sorted tensor come from: `gather` with it sorts. Int32 along the axis.
    public func argsort(axis: Int = -1, descending: Bool = false) throws(TensorError) -> Tensor<Int32> {
        let lanes = try Lanes(self, axis: axis, "argsort")
        try lanes.checkScratch(4 * MemoryLayout<Scalar>.stride + 16, "argsort")
        defer { withExtendedLifetime(self) {} }
        return try Tensor<Int32>(filling: shape, count: count, for: "argsort") { target in
            order(lanes, descending) { _, indices, output, outputStride in
                for place in 0..<lanes.length { target[output + place * outputStride] = indices[place] }
            }
        }
    }

    /// Hands each lane with the places of its sorted elements to `body`.
    private func order(
        _ lanes: Lanes, _ descending: Bool,
        _ body: (_ lane: UnsafePointer<Scalar>, _ indices: UnsafePointer<Int32>, _ output: Int, _ stride: Int) -> Void
    ) {
        if Scalar.dataType == .float64 {
            order(UInt64.self, lanes, descending, body)
        } else {
            order(UInt32.self, lanes, descending, body)
        }
    }

    private func order<Key: SortKey>(
        _: Key.Type, _ lanes: Lanes, _ descending: Bool,
        _ body: (UnsafePointer<Scalar>, UnsafePointer<Int32>, Int, Int) -> Void
    ) {
        let n = lanes.length
        let outputStride = lanes.outputStride(n)
        lanes.forEachGroup(outputLength: n) { input, inputStep, output, outputStep, count in
            withUnsafeTemporaryAllocation(of: Ranked<Key>.self, capacity: 2 * max(n, 1)) { memory in
                let ranked = memory.baseAddress!
                withUnsafeTemporaryAllocation(of: Key.self, capacity: max(n, 1)) { keys in
                    withUnsafeTemporaryAllocation(of: Int.self, capacity: RadixSort.counters) { counts in
                        for lane in 0..<count {
                            let source = base + (input + lane * inputStep)
                            Key.fill(keys.baseAddress!, source, stride: lanes.stride, count: n)
                            SortLoops.rank(keys.baseAddress!, n, turned: descending, into: ranked)
                            RadixSort.sort(ranked, n, spare: ranked + n, counts: counts.baseAddress!)
                            // The places take the memory of the keys, which are done with.
                            let indices = UnsafeMutableRawPointer(keys.baseAddress!)
                                .bindMemory(to: Int32.self, capacity: n)
                            SortLoops.indices(ranked, n, into: indices)
                            body(source, indices, output + lane * outputStep, outputStride)
                        }
                    }
                }
            }
        }
    }
}

/// The loops around sorting that only move elements.
enum SortLoops {
    /// Keys in the opposite order.
    @specialized(where Key == UInt32)
    @specialized(where Key == UInt64)
    static func turn<Key: SortKey>(_ keys: UnsafeMutablePointer<Key>, _ count: Int) {
        for index in 0..<count { keys[index] = ~keys[index] }
    }

    @specialized(where Key == UInt32)
    @specialized(where Key == UInt64)
    static func rank<Key: SortKey>(
        _ keys: UnsafePointer<Key>, _ count: Int, turned: Bool, into ranked: UnsafeMutablePointer<Ranked<Key>>
    ) {
        let turn: Key = turned ? .max : 0
        for index in 0..<count {
            ranked[index] = Ranked(key: keys[index] ^ turn, index: UInt32(truncatingIfNeeded: index))
        }
    }

    @specialized(where Key == UInt32)
    @specialized(where Key == UInt64)
    static func indices<Key: SortKey>(
        _ ranked: UnsafePointer<Ranked<Key>>, _ count: Int, into indices: UnsafeMutablePointer<Int32>
    ) {
        for place in 0..<count { indices[place] = Int32(bitPattern: ranked[place].index) }
    }

    /// Numbers the runs of equal keys: where each begins, how long it is, and for each element which one it is in.
    @specialized(where Key == UInt32)
    @specialized(where Key == UInt64)
    static func runs<Key: SortKey>(
        _ ranked: UnsafePointer<Ranked<Key>>, _ count: Int, firsts: UnsafeMutablePointer<Int32>,
        counts: UnsafeMutablePointer<Int32>, inverse: UnsafeMutablePointer<Int32>
    ) -> Int {
        var run = -1
        for place in 0..<count {
            let element = ranked[place]
            if place == 0 || element.key != ranked[place &- 1].key {
                run &+= 1
                firsts[run] = Int32(bitPattern: element.index)
                counts[run] = 0
            }
            counts[run] &+= 1
            inverse[Int(element.index)] = Int32(truncatingIfNeeded: run)
        }
        return run + 1
    }

    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    @specialized(where Scalar == Float16)
    @specialized(where Scalar == BFloat16)
    @specialized(where Scalar == Int8)
    @specialized(where Scalar == Int32)
    @specialized(where Scalar == Bool)
    static func gather<Scalar: TensorScalar>(
        _ source: UnsafePointer<Scalar>, _ sourceStride: Int, _ indices: UnsafePointer<Int32>,
        to target: UnsafeMutablePointer<Scalar>, _ targetStride: Int, _ count: Int
    ) {
        for place in 0..<count {
            target[place * targetStride] = source[Int(indices[place]) * sourceStride]
        }
    }
}
