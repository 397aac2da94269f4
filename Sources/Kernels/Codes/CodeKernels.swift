/// Scans over codes and rows for indexes that compress vectors, on the calling thread.
package enum CodeKernels {
    /// out[i] = start + bias[i] + Σₘ tables[256 m + codes[i, m]].
    ///
    /// - Parameters:
    ///   - tables: `[parts, 256]`.
    ///   - codes: `[count, parts]`.
    ///   - bias: `[count]`; nil for zeros.
    package static func scan(
        _ tables: UnsafePointer<Float>, codes: UnsafePointer<UInt8>, bias: UnsafePointer<Float>?, start: Float,
        count: Int, parts: Int, into out: UnsafeMutablePointer<Float>, path: CodesPath = .best
    ) {
        path.kernels.scan(tables, codes, bias, start, count, parts, out)
    }

    /// out[i] = the bits in which x and rowᵢ differ, at most 65,535; a row has `words` words.
    package static func differingBits(
        _ x: UnsafePointer<UInt64>, rows: UnsafePointer<UInt64>, words: Int, count: Int,
        into out: UnsafeMutablePointer<UInt16>, path: CodesPath = .best
    ) {
        path.kernels.hamming(x, rows, words, count, out)
    }

    /// Writes the positions of the numbers that are at most `limit`, in order.
    ///
    /// - Parameter positions: room for `count`.
    /// - Returns: how many.
    package static func positions(
        of values: UnsafePointer<Float>, count: Int, atMost limit: Float, into positions: UnsafeMutablePointer<Int32>,
        path: CodesPath = .best
    ) -> Int {
        path.kernels.below(values, count, limit, positions)
    }
}
