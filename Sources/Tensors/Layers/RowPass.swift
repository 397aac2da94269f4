/// Passes over the last axis, a row at a time.
enum RowPass {
    /// Works on a row, its place in the result, and their length; the last is memory for one leaf of a reduction.
    typealias Body<S: FloatingScalar> = (
        UnsafePointer<S>, UnsafeMutablePointer<S>, Int, UnsafeMutablePointer<S.Accumulator>
    ) -> Void

    /// Hands each row, contiguous, and its place in a new tensor to `body`; threads share the rows.
    static func map<S: FloatingScalar>(
        _ x: Tensor<S>, for name: String, _ body: Body<S>
    ) throws(TensorError) -> Tensor<S> {
        let x = try x.contiguous()
        let length = x.shape.last ?? 1
        let rows = length == 0 ? 0 : x.count / length
        let rowsOfChunk = max(1, (1 << 14) / max(1, length))
        defer { withExtendedLifetime(x) {} }
        return try Tensor(filling: x.shape, count: x.count, for: name) { target in
            ThreadedChunks.run((rows + rowsOfChunk - 1) / rowsOfChunk) { chunk in
                withUnsafeTemporaryAllocation(of: S.Accumulator.self, capacity: Reduction<S>.leaf) { buffer in
                    for row in chunk * rowsOfChunk..<min(rows, (chunk + 1) * rowsOfChunk) {
                        body(x.base + row * length, target + row * length, length, buffer.baseAddress!)
                    }
                }
            }
        }
    }

    /// Hands all rows to a kernel where they are of float32, else each one to a loop.
    ///
    /// - Parameter kernel: gets the rows, their places in a new tensor, their number and their length.
    static func run<S: FloatingScalar>(
        _ x: Tensor<S>, for name: String, row: Body<S>,
        kernel: (UnsafePointer<Float>, UnsafeMutablePointer<Float>, _ rows: Int, _ columns: Int) -> Void
    ) throws(TensorError) -> Tensor<S> {
        guard let single = try (x as? Tensor<Float>)?.contiguous() else { return try map(x, for: name, row) }
        let length = x.shape.last ?? 1
        defer { withExtendedLifetime(single) {} }
        let result = try Tensor<Float>(filling: x.shape, count: x.count, for: name) { target in
            if x.count > 0 { kernel(single.base, target, x.count / length, length) }
        }
        return try result.converted()
    }
}
