extension Tensor {
    /// The `k` largest elements along an axis, or the smallest, best first; of equal ones those of lower index.
    ///
    /// NaN counts as larger than all numbers. Up to 1,024 are kept in a heap, in one pass that skips what cannot enter;
    /// more are selected by the digits of their keys: O(n) whatever the elements are.
    ///
    /// - Returns: elements and where they lie along the axis; both have `k` there.
    public func topK(
        _ k: Int, axis: Int = -1, largest: Bool = true
    ) throws(TensorError) -> (values: Tensor, indices: Tensor<Int32>) {
        let lanes = try Lanes(self, axis: axis, "topK")
        guard k >= 0, k <= lanes.length else {
            throw TensorError("topK", shape, problem: "has \(lanes.length) elements along the axis, not \(k)")
        }
        try lanes.checkScratch(MemoryLayout<Scalar>.stride + 40, "topK")
        defer { withExtendedLifetime(self) {} }
        let shape = lanes.shape(k)
        let count = try Shape.count(shape, "topK")
        let indices = try TensorStorage<Int32>(count: count, for: "topK")
        let values = try Tensor(filling: shape, count: count, for: "topK") { target in
            if Scalar.dataType == .float64 {
                select(UInt64.self, k, lanes, largest, target, indices.pointer)
            } else {
                select(UInt32.self, k, lanes, largest, target, indices.pointer)
            }
        }
        return (values, try Tensor<Int32>(storage: indices, shape: shape, strides: Shape.strides(shape), offset: 0))
    }

    private func select<Key: SortKey>(
        _: Key.Type, _ k: Int, _ lanes: Lanes, _ largest: Bool, _ values: UnsafeMutablePointer<Scalar>,
        _ indices: UnsafeMutablePointer<Int32>
    ) {
        let outputStride = lanes.outputStride(k)
        lanes.forEachGroup(outputLength: k) { input, inputStep, output, outputStep, count in
            withUnsafeTemporaryAllocation(of: Ranked<Key>.self, capacity: 2 * max(k, 1)) { memory in
                let best = memory.baseAddress!
                for lane in 0..<count {
                    let source = base + (input + lane * inputStep)
                    if !passed(source, k, lanes, largest, best) {
                        smallest(k, source, lanes, turned: largest, best)
                    }
                    let target = output + lane * outputStep
                    for place in 0..<k {
                        let index = best[place].index
                        values[target + place * outputStride] = source[Int(index) * lanes.stride]
                        indices[target + place * outputStride] = Int32(bitPattern: index)
                    }
                }
            }
        }
    }

    private func smallest<Key: SortKey>(
        _ k: Int, _ source: UnsafePointer<Scalar>, _ lanes: Lanes, turned: Bool,
        _ best: UnsafeMutablePointer<Ranked<Key>>
    ) {
        let n = lanes.length
        withUnsafeTemporaryAllocation(of: Key.self, capacity: max(n, 1)) { memory in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: RadixSort.counters) { counts in
                let keys = memory.baseAddress!
                Key.fill(keys, source, stride: lanes.stride, count: n)
                if turned { SortLoops.turn(keys, n) }
                TopSelection.smallest(k, of: keys, n, into: best, spare: best + k, counts: counts.baseAddress!)
            }
        }
    }

    /// Whether the pass over contiguous floats has done it.
    private func passed<Key: SortKey>(
        _ source: UnsafePointer<Scalar>, _ k: Int, _ lanes: Lanes, _ largest: Bool,
        _ best: UnsafeMutablePointer<Ranked<Key>>
    ) -> Bool {
        guard largest, lanes.stride == 1, Scalar.self == Float.self else { return false }
        let memory = UnsafeMutableRawPointer(best).assumingMemoryBound(to: Ranked<UInt32>.self)
        let values = UnsafeRawPointer(source).assumingMemoryBound(to: Float.self)
        return TopSelection.largest(k, of: values, lanes.length, into: memory)
    }
}
