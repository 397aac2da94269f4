internal import Kernels

/// What an adapter adds to one linear layer: y += s B (A x).
///
/// - Source: Hu et al., "LoRA", 2021, equation 3.
struct LowRankChange: Sendable {
    /// `[r, inputs]`.
    let a: WeightMatrix
    /// `[outputs, r]`, times s.
    let b: WeightMatrix

    var rank: Int { a.rows }

    /// - Parameters:
    ///   - a: `[rank, inputs]`.
    ///   - b: `[outputs, rank]`.
    init(a: [Float], b: [Float], rank: Int, inputs: Int, outputs: Int, scale: Float) throws(KernelError) {
        self.a = try Self.matrix(a, rows: rank, columns: inputs)
        self.b = try Self.matrix(b.map { $0 * scale }, rows: outputs, columns: rank)
    }

    private static func matrix(_ values: [Float], rows: Int, columns: Int) throws(KernelError) -> WeightMatrix {
        let buffer = try AlignedBuffer<Float>(count: values.count)
        for (index, value) in values.enumerated() { buffer.pointer[index] = value }
        return try WeightMatrix(
            .f32, rows: rows, columns: columns, bytes: UnsafeRawBufferPointer(buffer.elements), owner: buffer)
    }

    /// Adds the change of all rows to y.
    func apply(
        _ pass: ForwardPass, _ x: UnsafePointer<Float>, xStride: Int, rows: Int, to y: UnsafeMutablePointer<Float>,
        yStride: Int
    ) throws(ModelError) {
        let inner = try pass.floats(.adapterInner, rows * rank)
        let added = try pass.floats(.adapterOutput, rows * b.rows)
        do {
            try a.multiply(x, xStride: xStride, m: rows, into: inner, pool: pass.pool)
            try b.multiply(inner, m: rows, into: added, pool: pass.pool)
        } catch {
            throw ModelError(pass.transformer.path, error)
        }
        pass.overRows(rows, width: b.rows) { range in
            for row in range { Elementwise.add(added + row * b.rows, to: y + row * yStride, count: b.rows) }
        }
    }

    /// One row of the weights, `[inputs]`, gets that of s B A.
    func merge(into weights: UnsafeMutablePointer<Float>, row: Int) {
        let factors = b.bytes.assumingMemoryBound(to: Float.self).baseAddress.map { $0 + row * rank }
        let rows = a.bytes.assumingMemoryBound(to: Float.self).baseAddress
        guard let factors, let rows else { return }
        for index in 0..<rank {
            Elementwise.add(factors[index], times: rows + index * a.columns, to: weights, count: a.columns)
        }
    }
}
