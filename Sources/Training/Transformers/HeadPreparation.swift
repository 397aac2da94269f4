internal import Kernels
internal import Tensors

/// What happens to queries and keys between their product and the scores: each head is normed where the family does so,
/// and turned by its position.
///
///     q = rotate(rmsNorm(q)), k the same; values stay
///
/// One walk over the rows does both; the way back turns the gradient the other way and goes through the norm.
struct HeadPreparation<Scalar: FloatingAccumulator> {
    let layout: HeadLayout
    /// Rows of one sequence: row i stands at position i mod `positions`.
    let positions: Int
    let epsilon: Scalar
    let rotation: RotaryTable<Scalar>?

    private static var rowsOfChunk: Int { 32 }

    /// - Parameters:
    ///   - packed: `[rows, layout.columns]`.
    ///   - gains: of the queries' and the keys' norm, `[keyWidth]` each.
    func callAsFunction(
        _ packed: Variable<Scalar>, gains: (query: Variable<Scalar>, key: Variable<Scalar>)?
    ) throws(TensorError) -> Variable<Scalar> {
        guard rotation != nil || gains != nil else { return packed }
        var result = try packed.value.copied(for: "rotary")
        try forward(&result, gains: gains.map { ($0.query.value, $0.key.value) })
        guard let gains else {
            return .made(by: "rotary", result, from: [packed], isTwiceDifferentiable: false) {
                [self] back throws(TensorError) in
                var gradient = try back.gradient.value.copied(for: "rotary")
                try turn(&gradient, back: true)
                return [Variable(gradient)]
            }
        }
        return .made(
            by: "head norm", result, from: [packed, gains.query, gains.key], saving: [packed, gains.query, gains.key],
            isTwiceDifferentiable: false
        ) { [self] back throws(TensorError) in
            var gradient = try back.gradient.value.copied(for: "head norm")
            try turn(&gradient, back: true)
            let saved = back.saved.map { $0.value }
            let (query, key) = try normBackward(&gradient, input: saved[0], gains: (saved[1], saved[2]))
            return [Variable(gradient), Variable(query), Variable(key)]
        }
    }

    // MARK: Walks

    private func forward(
        _ rows: inout Tensor<Scalar>, gains: (query: Tensor<Scalar>, key: Tensor<Scalar>)?
    ) throws(TensorError) {
        if let gains {
            let (query, key) = (try gains.query.contiguous(), try gains.key.contiguous())
            defer { withExtendedLifetime((query, key)) {} }
            let (queryGain, keyGain) = (Shared(query.base), Shared(key.base))
            try overRows(&rows) { row, _ in
                HeadLoops.norm(row, heads: layout.heads, width: layout.keyWidth, gain: queryGain.base, epsilon)
                HeadLoops.norm(
                    row + layout.queryColumns, heads: layout.kvHeads, width: layout.keyWidth, gain: keyGain.base,
                    epsilon)
            }
        }
        try turn(&rows, back: false)
    }

    private func turn(_ rows: inout Tensor<Scalar>, back: Bool) throws(TensorError) {
        guard let rotation else { return }
        let sines = back ? try -rotation.sines : rotation.sines
        defer { withExtendedLifetime((rotation, sines)) {} }
        let tables = Shared((cosines: rotation.cosines.base, sines: sines.base))
        let heads = layout.heads + layout.kvHeads
        try overRows(&rows) { row, index in
            let place = index % positions * rotation.pairs
            HeadLoops.rotate(
                row, heads: heads, width: layout.keyWidth, pairs: rotation.pairs, isAdjacent: rotation.isAdjacent,
                cosines: tables.base.cosines + place, sines: tables.base.sines + place)
        }
    }

    /// The gradient of the normed heads becomes that of the heads before; the gains' gradients are sums over rows, in
    /// chunks of fixed size that are added in order.
    private func normBackward(
        _ gradient: inout Tensor<Scalar>, input: Tensor<Scalar>, gains: (query: Tensor<Scalar>, key: Tensor<Scalar>)
    ) throws(TensorError) -> (query: Tensor<Scalar>, key: Tensor<Scalar>) {
        let width = layout.keyWidth
        let chunks = (gradient.shape[0] + Self.rowsOfChunk - 1) / Self.rowsOfChunk
        let input = try input.contiguous()
        let (query, key) = (try gains.query.contiguous(), try gains.key.contiguous())
        var partial = try Tensor<Scalar>(repeating: 0, shape: [chunks, 2, width])
        try partial.withMutableElements { sums throws(TensorError) in
            let pointers = Shared(
                (sums: sums.baseAddress!, input: input.base, query: query.base, key: key.base))
            try overRows(&gradient) { row, index in
                let sums = pointers.base.sums + index / Self.rowsOfChunk * 2 * width
                let input = pointers.base.input + index * layout.columns
                HeadLoops.normBackward(
                    row, input: input, heads: layout.heads, width: width, gain: pointers.base.query, gainGradient: sums,
                    epsilon)
                HeadLoops.normBackward(
                    row + layout.queryColumns, input: input + layout.queryColumns, heads: layout.kvHeads, width: width,
                    gain: pointers.base.key, gainGradient: sums + width, epsilon)
            }
        }
        withExtendedLifetime((input, query, key)) {}
        let sums = try partial.sum(axes: [0])
        return (try sums[0].contiguous(), try sums[1].contiguous())
    }

    /// Every row with its number, in chunks of fixed size on all threads.
    private func overRows(
        _ rows: inout Tensor<Scalar>, _ body: (UnsafeMutablePointer<Scalar>, Int) -> Void
    ) throws(TensorError) {
        let (count, columns) = (rows.shape[0], layout.columns)
        try rows.withMutableElements { numbers throws(TensorError) in
            guard let base = numbers.baseAddress else { return }
            ThreadPool.shared.run(chunks: (count + Self.rowsOfChunk - 1) / Self.rowsOfChunk) { chunk, _ in
                for row in chunk * Self.rowsOfChunk..<min(count, (chunk + 1) * Self.rowsOfChunk) {
                    body(base + row * columns, row)
                }
            }
        }
    }
}

/// A pointer, or several, that threads share while their owner waits for them.
struct Shared<Value>: @unchecked Sendable {  // each thread writes places of its own
    let base: Value
    init(_ base: Value) { self.base = base }
}
