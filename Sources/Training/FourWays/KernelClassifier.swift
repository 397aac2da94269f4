internal import Kernels
internal import Tensors

/// The kernels called by hand on memory that is reserved once: nothing is made, nothing is walked over twice.
struct KernelClassifier: ClassifierTrainer {
    static let name = "kernels"
    static let idea = "SIMD kernels with preallocated memory"

    private let problem: ClassifierProblem
    private let memory: Memory

    /// Every array of a step.
    private struct Memory {
        let x, w1, b1, w2, b2: AlignedBuffer<Float>
        let labels: AlignedBuffer<Int32>
        /// `[batch, hidden]` before and after relu, and its gradient.
        let sums, hidden, inner: AlignedBuffer<Float>
        /// `[batch, classes]`; logits become their gradient.
        let logits: AlignedBuffer<Float>
        let logSumExp, losses: AlignedBuffer<Float>
        let bias: AlignedBuffer<Float>

        init(_ problem: ClassifierProblem) throws {
            x = try Self.buffer(problem.examples)
            w1 = try Self.buffer(problem.firstWeights)
            w2 = try Self.buffer(problem.secondWeights)
            b1 = try AlignedBuffer(count: problem.hidden)
            b2 = try AlignedBuffer(count: problem.classes)
            labels = try AlignedBuffer(count: problem.labels.count)
            _ = labels.elements.initialize(from: problem.labels)
            sums = try AlignedBuffer(count: problem.batch * problem.hidden)
            hidden = try AlignedBuffer(count: problem.batch * problem.hidden)
            inner = try AlignedBuffer(count: problem.batch * problem.hidden)
            logits = try AlignedBuffer(count: problem.batch * problem.classes)
            logSumExp = try AlignedBuffer(count: problem.batch)
            losses = try AlignedBuffer(count: problem.batch)
            bias = try AlignedBuffer(count: max(problem.hidden, problem.classes))
        }

        private static func buffer(_ tensor: Tensor<Float>) throws -> AlignedBuffer<Float> {
            let buffer = try AlignedBuffer<Float>(count: tensor.count)
            _ = buffer.elements.initialize(from: tensor.elements)
            return buffer
        }
    }

    init(_ problem: ClassifierProblem) throws(TensorError) {
        self.problem = problem
        do { memory = try Memory(problem) } catch { throw TensorError("classifier", problem: "\(error)") }
    }

    mutating func step(from start: Int) throws(TensorError) -> Float {
        do throws(KernelError) {
            try forward(from: start)
            let loss = memory.losses.elements.reduce(0, +) / Float(problem.batch)
            try learn(from: start)
            return loss
        } catch {
            throw TensorError("classifier", problem: error.sentence)
        }
    }

    private func forward(from start: Int) throws(KernelError) {
        let (batch, width, classes) = (problem.batch, problem.hidden, problem.classes)
        let x = MatrixView(memory.x.pointer + start * problem.inputs, rows: batch, columns: problem.inputs)
        let w1 = MatrixView(memory.w1.pointer, rows: problem.inputs, columns: width)
        try MatrixProduct.multiply(x, w1, into: MutableMatrixView(memory.sums.pointer, rows: batch, columns: width))
        Gradients.addBias(memory.b1.pointer, to: memory.sums.pointer, rows: batch, columns: width)
        Gradients.activate(.relu, memory.sums.pointer, into: memory.hidden.pointer, count: batch * width)
        let hidden = MatrixView(memory.hidden.pointer, rows: batch, columns: width)
        let w2 = MatrixView(memory.w2.pointer, rows: width, columns: classes)
        try MatrixProduct.multiply(
            hidden, w2, into: MutableMatrixView(memory.logits.pointer, rows: batch, columns: classes))
        Gradients.addBias(memory.b2.pointer, to: memory.logits.pointer, rows: batch, columns: classes)
        Gradients.crossEntropy(
            memory.logits.pointer, targets: memory.labels.pointer + start, logSumExp: memory.logSumExp.pointer,
            losses: memory.losses.pointer, rows: batch, columns: classes)
    }

    private func learn(from start: Int) throws(KernelError) {
        let (batch, width, classes) = (problem.batch, problem.hidden, problem.classes)
        let delta = memory.logits.pointer
        Gradients.crossEntropyBackward(
            delta, targets: memory.labels.pointer + start, factor: 1 / Float(batch),
            logSumExp: memory.logSumExp.pointer, into: delta, rows: batch, columns: classes)
        let deltas = MatrixView(delta, rows: batch, columns: classes)
        let w2 = MatrixView(memory.w2.pointer, rows: width, columns: classes)
        try MatrixProduct.multiply(
            deltas, w2.transposed, into: MutableMatrixView(memory.inner.pointer, rows: batch, columns: width))
        Gradients.activateBackward(
            .relu, memory.inner.pointer, x: memory.sums.pointer, dx: memory.inner.pointer, count: batch * width)
        let hidden = MatrixView(memory.hidden.pointer, rows: batch, columns: width)
        try change(memory.w2, by: hidden.transposed, deltas)
        change(memory.b2, byColumnsOf: delta, columns: classes)
        let x = MatrixView(memory.x.pointer + start * problem.inputs, rows: batch, columns: problem.inputs)
        try change(memory.w1, by: x.transposed, MatrixView(memory.inner.pointer, rows: batch, columns: width))
        change(memory.b1, byColumnsOf: memory.inner.pointer, columns: width)
    }

    /// W -= rate · A B: the rate goes into B, and the product is added where the weights lie.
    private func change(
        _ weights: AlignedBuffer<Float>, by a: MatrixView<Float>, _ b: MatrixView<Float>
    ) throws(KernelError) {
        let scaled = UnsafeMutablePointer(mutating: b.pointer)
        Elementwise.scale(scaled, by: -problem.rate, count: b.rows * b.columns)
        try MatrixProduct.multiply(
            a, b, into: MutableMatrixView(weights.pointer, rows: a.rows, columns: b.columns), accumulate: true)
    }

    /// b -= rate · column sums, of rows that hold the rate already.
    private func change(_ bias: AlignedBuffer<Float>, byColumnsOf rows: UnsafePointer<Float>, columns: Int) {
        Gradients.columnSums(rows, into: memory.bias.pointer, rows: problem.batch, columns: columns)
        Elementwise.add(memory.bias.pointer, to: bias.pointer, count: columns)
    }
}
