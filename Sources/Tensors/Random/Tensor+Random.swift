internal import Kernels

extension Tensor where Scalar: FloatingScalar {
    /// Elements equally likely in a range, its upper bound left out.
    ///
    /// Element i is the same for any shape that has it, on any machine and by any number of threads.
    public static func uniform(
        _ shape: [Int], in range: Range<Double> = 0..<1, seed: UInt64, stream: UInt32 = 0
    ) throws(TensorError) -> Tensor {
        guard range.lowerBound.isFinite, range.upperBound.isFinite, !range.isEmpty else {
            throw TensorError("uniform", shape, problem: "needs a finite, nonempty range, not \(range)")
        }
        let last = largest(below: range.upperBound)
        guard last >= range.lowerBound else {
            throw TensorError("uniform", shape, problem: "has no \(Scalar.dataType.rawValue) in \(range)")
        }
        let distribution = UniformDistribution(
            low: range.lowerBound, width: range.upperBound - range.lowerBound, last: last, type: Scalar.dataType)
        return try random(shape, distribution, seed: seed, stream: stream, "uniform")
    }

    /// Elements of the normal distribution.
    ///
    /// float64 elements come from 53 bits each and reach 8.57 deviations, others from 32 bits and 6.66 deviations.
    public static func normal(
        _ shape: [Int], mean: Double = 0, deviation: Double = 1, seed: UInt64, stream: UInt32 = 0
    ) throws(TensorError) -> Tensor {
        guard mean.isFinite, deviation.isFinite, deviation >= 0 else {
            throw TensorError("normal", shape, problem: "needs a finite mean and a standard deviation of at least 0")
        }
        let distribution = NormalDistribution(mean: mean, deviation: deviation, isWide: Scalar.dataType == .float64)
        return try random(shape, distribution, seed: seed, stream: stream, "normal")
    }

    /// Elements of the normal distribution between bounds; what falls outside is drawn again.
    ///
    /// - Parameter bounds: in deviations from the mean.
    public static func truncatedNormal(
        _ shape: [Int], mean: Double = 0, deviation: Double = 1, within bounds: ClosedRange<Double> = -2...2,
        seed: UInt64, stream: UInt32 = 0
    ) throws(TensorError) -> Tensor {
        guard mean.isFinite, deviation.isFinite, deviation >= 0 else {
            throw TensorError(
                "truncatedNormal", shape, problem: "needs a finite mean and a standard deviation of at least 0")
        }
        guard abs(bounds.lowerBound) <= 1e6 || bounds.lowerBound == -.infinity,
            abs(bounds.upperBound) <= 1e6 || bounds.upperBound == .infinity
        else {
            throw TensorError("truncatedNormal", shape, problem: "needs bounds within a million standard deviations")
        }
        let distribution = TruncatedNormalDistribution(
            mean: mean, deviation: deviation, low: bounds.lowerBound, high: bounds.upperBound)
        return try random(shape, distribution, seed: seed, stream: stream, "truncatedNormal")
    }

    /// The largest number of the type that is below `bound`.
    private static func largest(below bound: Double) -> Double {
        var step = bound.ulp
        var value = Scalar(rounding: bound).float64
        while value >= bound, step.isFinite {
            value = Scalar(rounding: bound - step).float64
            step *= 2
        }
        return value
    }
}

extension Tensor where Scalar: NumericScalar, Scalar.Accumulator == Int64 {
    /// Integers of a range, each equally likely, without bias.
    public static func integers(
        _ shape: [Int], in range: Range<Int>, seed: UInt64, stream: UInt32 = 0
    ) throws(TensorError) -> Tensor {
        let limits = Int(Scalar.lowest.accumulator)...Int(Scalar.highest.accumulator)
        guard !range.isEmpty, limits.contains(range.lowerBound), limits.contains(range.upperBound - 1) else {
            throw TensorError(
                "integers", shape, problem: "needs a nonempty range within \(limits), not \(range)")
        }
        let distribution = IntegerDistribution(low: range.lowerBound, size: UInt64(range.count))
        return try random(shape, distribution, seed: seed, stream: stream, "integers")
    }
}

extension Tensor where Scalar == Bool {
    /// True with a probability, else false.
    public static func bernoulli(
        _ shape: [Int], probability: Double, seed: UInt64, stream: UInt32 = 0
    ) throws(TensorError) -> Tensor {
        guard probability >= 0, probability <= 1 else {
            throw TensorError("bernoulli", shape, problem: "needs a probability from 0 to 1, not \(probability)")
        }
        let distribution = BernoulliDistribution(probability: probability)
        return try random(shape, distribution, seed: seed, stream: stream, "bernoulli")
    }
}

extension Tensor where Scalar == Int32 {
    /// The integers below `count` in a random order, each order equally likely.
    public static func permutation(_ count: Int, seed: UInt64, stream: UInt32 = 0) throws(TensorError) -> Tensor {
        guard count >= 0, count <= Int(Int32.max) else {
            throw TensorError("permutation", [count], problem: "needs a count from 0 to \(Int32.max)")
        }
        var random = PhiloxGenerator(seed: seed, stream: stream)
        return try Tensor(filling: [count], count: count, for: "permutation") { target in
            for index in 0..<count { target[index] = Int32(index) }
            for last in stride(from: count - 1, to: 0, by: -1) {
                let other = random.integer(in: 0..<last + 1)
                (target[last], target[other]) = (target[other], target[last])
            }
        }
    }
}

extension Tensor {
    /// A chunk is a fixed number of elements, so that threads change nothing.
    private static var chunk: Int { 1 << 14 }
    /// Doubles that stay in the first cache on their way to the tensor's type.
    private static var buffered: Int { 512 }

    private static func random(
        _ shape: [Int], _ distribution: some Distribution, seed: UInt64, stream: UInt32, _ operation: String
    ) throws(TensorError) -> Tensor {
        let count = try Shape.count(shape, operation)
        let words = Words(seed: seed, stream: stream)
        return try Tensor(filling: shape, count: count, for: operation) { target in
            ThreadPool.shared.run(chunks: (count + chunk - 1) / chunk) { index, _ in
                let start = index * chunk
                fill(target, start..<min(count, start + chunk), distribution, words)
            }
        }
    }

    private static func fill(
        _ target: UnsafeMutablePointer<Scalar>, _ range: Range<Int>, _ distribution: some Distribution, _ words: Words
    ) {
        let perBlock = distribution.elementsPerBlock
        withUnsafeTemporaryAllocation(of: Double.self, capacity: buffered) { buffer in
            let wide = buffer.baseAddress!
            var start = range.lowerBound
            while start < range.upperBound {
                let count = min(buffered, range.upperBound - start)
                distribution.fill(
                    wide, first: UInt64(start / perBlock), blocks: (count + perBlock - 1) / perBlock, words: words)
                round(wide, to: target + start, count)
                start += count
            }
        }
    }

    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    @specialized(where Scalar == Float16)
    @specialized(where Scalar == BFloat16)
    @specialized(where Scalar == Int8)
    @specialized(where Scalar == Int32)
    @specialized(where Scalar == Bool)
    private static func round(
        _ source: UnsafePointer<Double>, to target: UnsafeMutablePointer<Scalar>, _ count: Int
    ) {
        for index in 0..<count { target[index] = Scalar(rounding: source[index]) }
    }
}
