import Kernels

extension AttentionPath {
    /// The paths that this processor has.
    static var present: [AttentionPath] {
        [.portable, .avx2, .avx512].filter { ProcessorFeatures.present.isSuperset(of: $0.needs) }
    }
}

extension AttentionProblem {
    func run(_ path: AttentionPath, pool: ThreadPool = .single) throws {
        try Attention.forward(
            q: queryView, k: keyView, v: valueView, into: outputView, logSumExp: logSumExp.pointer, shape: shape,
            path: path, pool: pool)
    }
}

extension AttentionBackwardProblem {
    func run(_ path: AttentionPath, pool: ThreadPool = .single) throws {
        try Attention.backward(
            q: forward.queryView, k: forward.keyView, v: forward.valueView, o: forward.outputView.reading,
            logSumExp: forward.logSumExp.pointer, outputGradient: outputGradientView, into: gradients, shape: shape,
            path: path, pool: pool)
    }
}

extension AlignedBuffer<Float> {
    convenience init(holding values: [Float]) throws {
        try self.init(count: values.count)
        _ = elements.update(fromContentsOf: values)
    }

    /// Numbers that were not written yet.
    static func unwritten(_ count: Int) throws -> AlignedBuffer<Float> {
        try AlignedBuffer(holding: [Float](repeating: .nan, count: count))
    }

    /// Whether all bits are the same, from element `first` of the other on.
    func equals(_ other: AlignedBuffer<Float>, from first: Int = 0) -> Bool {
        first + count <= other.count
            && (0..<count).allSatisfy { self[$0].bitPattern == other[first + $0].bitPattern }
    }
}
