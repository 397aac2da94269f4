internal import Kernels
internal import Models
public import Tensors

extension TrainableTransformer {
    /// The mean cross-entropy of the next tokens, in nats: Σ w · -log softmax(logits)[target] / Σ w.
    ///
    /// The head goes over the rows in chunks: of `[rows, V]` logits one chunk is in memory at a time, and its gradient
    /// is computed on the way forward. Sums are in an order that only the shapes decide.
    ///
    /// - Parameters:
    ///   - tokens: `[sequences, positions]`.
    ///   - targets: as the tokens: what comes next, -1 for what is not learned.
    ///   - weights: as the tokens, how much each counts; 1 if there are none. A weight of 0 is as good as -1.
    ///   - divisor: what the sum is divided by: Σ w where it is nil. Parts of a larger batch give that of the whole.
    /// - Returns: a number without axes; 0 if nothing counts.
    public func loss(
        _ tokens: Tensor<Int32>, targets: Tensor<Int32>, weights: Tensor<Float>? = nil, divisor: Double? = nil,
        _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        guard targets.shape == tokens.shape, weights.map({ $0.shape == tokens.shape }) ?? true else {
            throw TensorError(
                "loss", tokens.shape, targets.shape,
                problem: "are incompatible: every token needs one target and one weight")
        }
        guard !configuration.isEncoder else {
            throw TensorError(
                "loss",
                problem: "an encoder does not predict the next token. Compute your own loss from its hidden states")
        }
        guard pass.isTraining else {
            return try quietly { () throws(TensorError) in
                try loss(hidden(tokens, pass), targets, weights, divisor, pass)
            }
        }
        return try loss(hidden(tokens, pass), targets, weights, divisor, pass)
    }

    private func loss(
        _ rows: Variable<Scalar>, _ targets: Tensor<Int32>, _ weights: Tensor<Float>?, _ divisor: Double?, _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        let head = try outputLayer()
        if adapter?.changes[head.name] != nil || head.bias != nil {
            return try wholeLoss(rows, head, targets, weights, divisor, pass)
        }
        let chunked = ChunkedLoss<Scalar>(
            softcap: configuration.finalSoftcap.map { Scalar($0) }, targets: targets, weights: weights,
            divisor: divisor)
        return try chunked(rows, weight: head.weight.variable)
    }

    /// With all logits at once, where the head is more than a matrix.
    private func wholeLoss(
        _ rows: Variable<Scalar>, _ head: TransformerBlock<Scalar>.Linear, _ targets: Tensor<Int32>,
        _ weights: Tensor<Float>?, _ divisor: Double?, _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        var logits = try project([head], rows, pass)
        if let cap = configuration.finalSoftcap { logits = try logits.softcapped(at: Scalar(cap)) }
        let chunked = ChunkedLoss<Scalar>(softcap: nil, targets: targets, weights: weights, divisor: divisor)
        return try chunked(logits: logits)
    }
}

/// Cross-entropy of rows against targets through the output matrix, some rows at a time.
///
/// With z = W h and p = softmax(z): dz = (p - e_target) w / Σ w, dh = Wᵀ dz and dW = Σ dz hᵀ.
struct ChunkedLoss<Scalar: FloatingAccumulator> {
    let softcap: Scalar?
    let targets: Tensor<Int32>
    let weights: Tensor<Float>?
    let divisor: Double?

    /// Numbers of the logits of one chunk: 8 MB of float32, which stay in the second or third cache.
    private static var numbersOfChunk: Int { 1 << 20 }

    /// - Parameters:
    ///   - hidden: `[rows, D]`.
    ///   - weight: `[V, D]`.
    func callAsFunction(
        _ hidden: Variable<Scalar>, weight: Variable<Scalar>
    ) throws(TensorError) -> Variable<Scalar> {
        let (rows, width, vocabulary) = (hidden.shape[0], hidden.shape[1], weight.shape[0])
        let (input, matrix) = (try hidden.value.contiguous(), try weight.value.contiguous())
        defer { withExtendedLifetime((input, matrix)) {} }
        let lines = try LossLines<Scalar>(targets, weights, vocabulary: vocabulary, divisor: divisor)
        let (wantsHidden, wantsWeight) = (hidden.isRecorded, weight.isRecorded)
        let hiddenGradient = wantsHidden ? try Tensor<Scalar>.unfilled([rows, width]) : nil
        let weightGradient = wantsWeight ? try Tensor<Scalar>(repeating: 0, shape: [vocabulary, width]) : nil
        let height = max(16, Self.numbersOfChunk / vocabulary)
        let scratch = try Tensor<Scalar>.unfilled([min(rows, height), vocabulary])
        let head = StridedMatrix(
            pointer: matrix.base, rows: vocabulary, columns: width, rowStride: width, columnStride: 1)
        var sum = 0.0
        do throws(KernelError) {
            for first in stride(from: 0, to: rows, by: height) {
                let count = min(height, rows - first)
                func part(_ base: UnsafeMutablePointer<Scalar>, _ columns: Int) -> StridedMatrix<Scalar> {
                    StridedMatrix(
                        pointer: base, rows: count, columns: columns, rowStride: columns, columnStride: 1)
                }
                let (logits, lineage) = (part(scratch.base, vocabulary), part(input.base + first * width, width))
                try StridedMatrix.multiply(lineage, head.transposed, into: logits)
                sum += lines.run(
                    scratch.base, first: first, count: count, softcap: softcap,
                    differentiates: wantsHidden || wantsWeight)
                if let gradient = hiddenGradient {
                    try StridedMatrix.multiply(logits, head, into: part(gradient.base + first * width, width))
                }
                if let gradient = weightGradient {
                    let target = StridedMatrix(
                        pointer: gradient.base, rows: vocabulary, columns: width, rowStride: width, columnStride: 1)
                    try StridedMatrix.multiply(logits.transposed, lineage, into: target, accumulate: true)
                }
            }
        } catch {
            throw TensorError("loss", error)
        }
        withExtendedLifetime(scratch) {}
        return .made(
            by: "loss", try Tensor(Scalar(sum)), from: [hidden, weight], isTwiceDifferentiable: false
        ) { back throws(TensorError) in
            let factor = back.gradient.value.scalar ?? 0
            func scaled(_ gradient: Tensor<Scalar>?) throws(TensorError) -> Variable<Scalar>? {
                guard let gradient else { return nil }
                return Variable(factor == 1 ? gradient : try gradient * factor)
            }
            return [try scaled(hiddenGradient), try scaled(weightGradient)]
        }
    }

    /// The same of logits that are there already, `[rows, V]`.
    func callAsFunction(logits: Variable<Scalar>) throws(TensorError) -> Variable<Scalar> {
        let (rows, vocabulary) = (logits.shape[0], logits.shape[1])
        let lines = try LossLines<Scalar>(targets, weights, vocabulary: vocabulary, divisor: divisor)
        let gradient = try logits.value.copied(for: "loss")
        let sum = lines.run(
            gradient.base, first: 0, count: rows, softcap: nil, differentiates: logits.isRecorded)
        withExtendedLifetime(gradient) {}
        return .made(by: "loss", try Tensor(Scalar(sum)), from: [logits], isTwiceDifferentiable: false) {
            back throws(TensorError) in
            [Variable(try gradient * (back.gradient.value.scalar ?? 0))]
        }
    }
}

/// What each row of logits is compared with.
struct LossLines<Scalar: FloatingAccumulator> {
    private let places: [Int32]
    private let shares: [Scalar]
    private let vocabulary: Int

    init(
        _ targets: Tensor<Int32>, _ weights: Tensor<Float>?, vocabulary: Int, divisor: Double?
    ) throws(TensorError) {
        self.vocabulary = vocabulary
        places = targets.elements
        if let wrong = places.first(where: { $0 < -1 || Int($0) >= vocabulary }) {
            throw TensorError(
                "loss", targets.shape, problem: "has target \(wrong), but the vocabulary ends at \(vocabulary - 1)")
        }
        let counted: [Double] = weights.map { $0.elements.map(Double.init) } ?? Array(repeating: 1, count: places.count)
        let sum = zip(places, counted).reduce(0.0) { $1.0 < 0 ? $0 : $0 + $1.1 }
        let divisor = divisor ?? sum
        shares = zip(places, counted).map { place, weight in
            place < 0 || divisor == 0 ? 0 : Scalar(weight / divisor)
        }
    }

    /// Logits of some rows become their gradients; what is returned is the rows' part of the loss.
    func run(
        _ logits: UnsafeMutablePointer<Scalar>, first: Int, count: Int, softcap: Scalar?, differentiates: Bool
    ) -> Double {
        var losses = [Double](repeating: 0, count: count)
        losses.withUnsafeMutableBufferPointer { losses in
            let pointers = Shared((logits: logits, losses: losses.baseAddress!))
            ThreadPool.shared.run(chunks: (count + 7) / 8) { chunk, _ in
                for row in chunk * 8..<min(count, chunk * 8 + 8) {
                    let line = pointers.base.logits + row * vocabulary
                    pointers.base.losses[row] = LossLoops.row(
                        line, count: vocabulary, target: Int(places[first + row]), share: shares[first + row],
                        softcap: softcap, differentiates: differentiates)
                }
            }
        }
        return losses.reduce(0, +)
    }
}
