extension Tensor where Scalar: FloatingScalar {
    /// The middle element along an axis, or the mean of the two in the middle; NaN where one is. The axis is left out.
    ///
    /// It is selected, not sorted: O(n).
    ///
    /// - Parameter axis: nil takes all elements together.
    public func median(axis: Int? = nil) throws(TensorError) -> Tensor {
        try orderStatistic(axis, "median") { n in
            let middle = (n - 1) / 2
            return (middle, n % 2 == 0 ? middle + 1 : middle, { ($0 + $1) / 2 })
        }
    }

    /// The element below which a share of all lies along an axis, between two neighbors on the line that joins them
    /// (NumPy's "linear"; R's type 7: Hyndman and Fan, The American Statistician 50, 1996). NaN where one is.
    ///
    /// - Parameters:
    ///   - share: from 0, the smallest, to 1, the largest.
    ///   - axis: The axis to remove; `nil` takes all elements together.
    public func quantile(_ share: Double, axis: Int? = nil) throws(TensorError) -> Tensor {
        guard share >= 0, share <= 1 else {
            throw TensorError("quantile", shape, problem: "needs a quantile from 0 to 1, not \(share)")
        }
        return try orderStatistic(axis, "quantile") { n in
            let place = share * Double(n - 1)
            let lower = min(Int(place), n - 1)
            let part = place - Double(lower)
            return (lower, min(lower + 1, n - 1), { Self.between($0, $1, part) })
        }
    }

    /// The point between two numbers, from the nearer one, so that it is monotonic in `part`.
    private static func between(_ a: Double, _ b: Double, _ part: Double) -> Double {
        if part == 0 || a == b { return a }
        return part < 0.5 ? a + (b - a) * part : b - (b - a) * (1 - part)
    }

    /// Selects the elements of two ranks in each lane and joins them.
    private func orderStatistic(
        _ axis: Int?, _ operation: String,
        _ ranks: (Int) -> (lower: Int, upper: Int, join: (Double, Double) -> Double)
    ) throws(TensorError) -> Tensor {
        guard let axis else {
            return try flatView(operation).orderStatistic(0, operation, ranks)
        }
        let lanes = try Lanes(self, axis: axis, operation)
        guard lanes.length > 0 else { throw TensorError(operation, shape, problem: "has no elements along the axis") }
        try lanes.checkScratch(8, operation)
        let (lower, upper, join) = ranks(lanes.length)
        defer { withExtendedLifetime(self) {} }
        return try Tensor(filling: lanes.outer, count: Shape.count(lanes.outer, operation), for: operation) { target in
            // The axis, of size 1 in the output, adds nothing to the places of the others.
            lanes.forEachGroup(outputLength: 1) { input, inputStep, output, outputStep, count in
                for lane in 0..<count {
                    let source = base + (input + lane * inputStep)
                    let pair =
                        Scalar.dataType == .float64
                        ? Self.select(UInt64.self, source, lanes, lower, upper)
                        : Self.select(UInt32.self, source, lanes, lower, upper)
                    target[output + lane * outputStep] = Scalar(rounding: pair.map { join($0.0, $0.1) } ?? .nan)
                }
            }
        }
    }

    /// The elements of two neighboring ranks; `nil` if there is a NaN.
    private static func select<Key: SortKey>(
        _: Key.Type, _ source: UnsafePointer<Scalar>, _ lanes: Lanes, _ lower: Int, _ upper: Int
    ) -> (Double, Double)? {
        let n = lanes.length
        return withUnsafeTemporaryAllocation(of: Key.self, capacity: n) { memory in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: RadixSort.counters) { counters in
                let (keys, counts) = (memory.baseAddress!, counters.baseAddress!)
                Key.fill(keys, source, stride: lanes.stride, count: n)
                if RadixSelection.hasNaN(keys, n) { return nil }
                let first = RadixSelection.select(keys, n, rank: lower, counts: counts).key.number
                if upper == lower { return (first, first) }
                return (first, RadixSelection.select(keys, n, rank: upper, counts: counts).key.number)
            }
        }
    }
}
