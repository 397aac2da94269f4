internal import Kernels
internal import Synchronization
internal import Tensors

extension PackedAttention {
    /// One matrix of scores for each head of each sequence, and the matrix again on the way back.
    ///
    ///     S = scale Q Kᵀ, capped and masked      P = softmax(S)      O = P V
    ///     dV = Pᵀ dO      dP = dO Vᵀ      dS = P (dP - Σ dP P)      through the cap: (1 - (S / c)²)
    func plain(_ packed: Variable<Scalar>) throws(TensorError) -> Variable<Scalar> {
        let input = try packed.value.contiguous()
        let rows = input.shape[0]
        let output = try Tensor<Scalar>(shape: [rows, layout.gatheredColumns]) { result throws(TensorError) in
            guard let result = result.baseAddress else { return }
            try overGroups(rows / positions, input: input.base, scratch: 1) {
                (group, scratch) throws(KernelError) in
                for head in group.heads {
                    pattern(of: head, group, into: scratch)
                    let gathered = result + group.firstRow * layout.gatheredColumns + head * layout.valueWidth
                    try multiply(
                        square(scratch), group.values, into: matrix(gathered, layout.valueWidth, layout.gatheredColumns)
                    )
                }
            }
        }
        withExtendedLifetime(input) {}
        return .made(
            by: "attention", output, from: [packed], saving: [Variable(input)], isTwiceDifferentiable: false
        ) { [self] back throws(TensorError) in
            [Variable(try plainBackward(back.saved[0].value, back.gradient.value))]
        }
    }

    private func plainBackward(
        _ input: Tensor<Scalar>, _ gradient: Tensor<Scalar>
    ) throws(TensorError) -> Tensor<Scalar> {
        let (input, gradient) = (try input.contiguous(), try gradient.contiguous())
        defer { withExtendedLifetime((input, gradient)) {} }
        return try Tensor(shape: input.shape) { result throws(TensorError) in
            guard let result = result.baseAddress else { return }
            result.update(repeating: 0, count: input.count)
            let upstream = gradient.base
            try overGroups(input.shape[0] / positions, input: input.base, scratch: 2) {
                (group, scratch) throws(KernelError) in
                let (weights, change) = (scratch, scratch + positions * positions)
                let own = Group(layout, positions, base: result, sequence: group.sequence, kvHead: group.kvHead)
                for head in group.heads {
                    pattern(of: head, group, into: weights)
                    let outer = matrix(
                        upstream + group.firstRow * layout.gatheredColumns + head * layout.valueWidth,
                        layout.valueWidth, layout.gatheredColumns)
                    try multiply(square(weights).transposed, outer, into: own.values, accumulate: true)
                    try multiply(outer, group.values.transposed, into: square(change))
                    finish(change, weights, head, group)
                    try multiply(square(change), group.keys, into: own.queries(head))
                    try multiply(square(change).transposed, group.queries(head), into: own.keys, accumulate: true)
                }
            }
        }
    }

    // MARK: Scores

    /// P of one head, `[positions, positions]`.
    private func pattern(of head: Int, _ group: Group, into scores: UnsafeMutablePointer<Scalar>) {
        let queries = group.queries(head)
        // The sizes fit by construction, and the products of one thread ask for no memory that it has not.
        try? multiply(queries, group.keys.transposed, into: square(scores))
        for query in 0..<positions {
            let visible = visibleKeys(query)
            PlainAttentionLoops.softmax(
                scores + query * positions, count: positions, first: visible.lowerBound, last: visible.upperBound,
                scale: scale, softcap: softcap)
        }
    }

    /// dP becomes the gradient of the unscaled scores.
    private func finish(
        _ change: UnsafeMutablePointer<Scalar>, _ weights: UnsafeMutablePointer<Scalar>, _ head: Int, _ group: Group
    ) {
        for query in 0..<positions {
            PlainAttentionLoops.softmaxBackward(
                change + query * positions, weights: weights + query * positions, count: positions, scale: scale)
        }
        guard let softcap else { return }
        // The weights are needed no more: their place takes the raw scores.
        try? multiply(group.queries(head), group.keys.transposed, into: square(weights))
        PlainAttentionLoops.capBackward(
            change, scores: weights, count: positions * positions, scale: scale, softcap: softcap)
    }

    private func visibleKeys(_ query: Int) -> Range<Int> {
        guard isCausal else { return 0..<positions }
        return max(0, query + 1 - (window ?? query + 1))..<query + 1
    }

    // MARK: Matrices

    /// The heads of a sequence that read the same keys and values.
    private struct Group {
        let layout: HeadLayout
        let positions: Int
        let base: UnsafeMutablePointer<Scalar>
        let sequence: Int
        let kvHead: Int

        init(
            _ layout: HeadLayout, _ positions: Int, base: UnsafeMutablePointer<Scalar>, sequence: Int, kvHead: Int
        ) {
            self.layout = layout
            self.positions = positions
            self.base = base
            self.sequence = sequence
            self.kvHead = kvHead
        }

        var firstRow: Int { sequence * positions }
        var heads: Range<Int> {
            let count = layout.heads / layout.kvHeads
            return kvHead * count..<(kvHead + 1) * count
        }
        func queries(_ head: Int) -> StridedMatrix<Scalar> { matrix(head * layout.keyWidth, layout.keyWidth) }
        var keys: StridedMatrix<Scalar> {
            matrix(layout.queryColumns + kvHead * layout.keyWidth, layout.keyWidth)
        }
        var values: StridedMatrix<Scalar> {
            matrix(layout.queryColumns + layout.keyColumns + kvHead * layout.valueWidth, layout.valueWidth)
        }
        private func matrix(_ column: Int, _ width: Int) -> StridedMatrix<Scalar> {
            StridedMatrix(
                pointer: base + firstRow * layout.columns + column, rows: positions, columns: width,
                rowStride: layout.columns, columnStride: 1)
        }
    }

    private func square(_ scores: UnsafeMutablePointer<Scalar>) -> StridedMatrix<Scalar> {
        matrix(scores, positions, positions)
    }

    private func matrix(
        _ pointer: UnsafeMutablePointer<Scalar>, _ columns: Int, _ stride: Int
    ) -> StridedMatrix<Scalar> {
        StridedMatrix(pointer: pointer, rows: positions, columns: columns, rowStride: stride, columnStride: 1)
    }

    private func multiply(
        _ a: StridedMatrix<Scalar>, _ b: StridedMatrix<Scalar>, into c: StridedMatrix<Scalar>, accumulate: Bool = false
    ) throws(KernelError) {
        try StridedMatrix.multiply(a, b, into: c, accumulate: accumulate, pool: .single)
    }

    /// Every group of heads, each on some thread with scores of its own.
    ///
    /// - Parameter scratch: matrices of scores that a group needs.
    private func overGroups(
        _ sequences: Int, input: UnsafeMutablePointer<Scalar>, scratch: Int,
        _ body: (Group, UnsafeMutablePointer<Scalar>) throws(KernelError) -> Void
    ) throws(TensorError) {
        let failure = Mutex<KernelError?>(nil)
        let input = Shared(input)
        ThreadPool.shared.run(chunks: sequences * layout.kvHeads) { chunk, _ in
            do throws(KernelError) {
                let scores = try AlignedBuffer<Scalar>(count: scratch * positions * positions)
                defer { withExtendedLifetime(scores) {} }
                let group = Group(
                    layout, positions, base: input.base, sequence: chunk / layout.kvHeads,
                    kvHead: chunk % layout.kvHeads)
                try body(group, scores.pointer)
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw TensorError("attention", error) }
    }
}

/// A matrix in borrowed memory, of either type used for training.
struct StridedMatrix<Scalar: FloatingAccumulator> {
    var pointer: UnsafeMutablePointer<Scalar>
    var rows: Int
    var columns: Int
    var rowStride: Int
    var columnStride: Int

    var transposed: StridedMatrix {
        StridedMatrix(
            pointer: pointer, rows: columns, columns: rows, rowStride: columnStride, columnStride: rowStride)
    }

    /// C = A B, or C += A B.
    static func multiply(
        _ a: StridedMatrix, _ b: StridedMatrix, into c: StridedMatrix, accumulate: Bool = false,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        if Scalar.dataType == .float32 {
            try MatrixProduct.multiply(
                a.view(of: Float.self), b.view(of: Float.self), into: c.target(of: Float.self),
                accumulate: accumulate, pool: pool)
        } else {
            try MatrixProduct.multiply(
                a.view(of: Double.self), b.view(of: Double.self), into: c.target(of: Double.self),
                accumulate: accumulate, pool: pool)
        }
    }

    private func view<Element>(of _: Element.Type) -> MatrixView<Element> {
        MatrixView(
            UnsafeRawPointer(pointer).assumingMemoryBound(to: Element.self), rows: rows, columns: columns,
            rowStride: rowStride, columnStride: columnStride)
    }

    private func target<Element>(of _: Element.Type) -> MutableMatrixView<Element> {
        MutableMatrixView(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Element.self), rows: rows, columns: columns,
            rowStride: rowStride)
    }
}
