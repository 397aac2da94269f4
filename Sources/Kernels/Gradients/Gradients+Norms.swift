internal import CKernels

extension Gradients {
    /// y = (x - mean) / √(variance + epsilon) · gain + bias along each row.
    ///
    /// - Parameters:
    ///   - gain: `[columns]`; `nil` means ones. Likewise, a missing `bias` means zeros.
    ///   - means: `[rows]`, written; `nil` if rows are not centered: RMS norm.
    ///   - scales: `[rows]`, written: 1 / √(variance + epsilon).
    public static func norm(
        _ x: UnsafePointer<Float>, gain: UnsafePointer<Float>? = nil, bias: UnsafePointer<Float>? = nil,
        epsilon: Float, into y: UnsafeMutablePointer<Float>, means: UnsafeMutablePointer<Float>?,
        scales: UnsafeMutablePointer<Float>, rows: Int, columns: Int, pool: ThreadPool = .shared
    ) {
        norm(
            x, gain: gain, bias: bias, epsilon: epsilon, into: y, means: means, scales: scales, rows: rows,
            columns: columns, pool: pool, path: .best)
    }

    /// The gradients of `norm` from that of its output and what the forward kept; what is nil is not computed.
    ///
    /// With n = (x - mean) s and h = dy · gain: dx = s (h - mean(h) - n mean(h n)), dgain = Σ dy n, dbias = Σ dy;
    /// without centering mean(h) counts as 0.
    public static func normBackward(
        _ dy: UnsafePointer<Float>, x: UnsafePointer<Float>, gain: UnsafePointer<Float>? = nil,
        means: UnsafePointer<Float>?, scales: UnsafePointer<Float>, dx: UnsafeMutablePointer<Float>?,
        dGain: UnsafeMutablePointer<Float>?, dBias: UnsafeMutablePointer<Float>?, rows: Int, columns: Int,
        pool: ThreadPool = .shared
    ) {
        normBackward(
            dy, x: x, gain: gain, means: means, scales: scales, dx: dx, dGain: dGain, dBias: dBias, rows: rows,
            columns: columns, pool: pool, path: .best)
    }

    package static func norm(
        _ x: UnsafePointer<Float>, gain: UnsafePointer<Float>?, bias: UnsafePointer<Float>?, epsilon: Float,
        into y: UnsafeMutablePointer<Float>, means: UnsafeMutablePointer<Float>?,
        scales: UnsafeMutablePointer<Float>, rows: Int, columns: Int, pool: ThreadPool = .single, path: GradientPath
    ) {
        let kernel = path.kernels.normForward
        inChunks(rows: rows, columns: columns, pool: pool) { first, count in
            kernel(
                x + first * columns, gain, bias, epsilon, y + first * columns, means.map { $0 + first },
                scales + first, count, columns)
        }
    }

    package static func normBackward(
        _ dy: UnsafePointer<Float>, x: UnsafePointer<Float>, gain: UnsafePointer<Float>?,
        means: UnsafePointer<Float>?, scales: UnsafePointer<Float>, dx: UnsafeMutablePointer<Float>?,
        dGain: UnsafeMutablePointer<Float>?, dBias: UnsafeMutablePointer<Float>?, rows: Int, columns: Int,
        pool: ThreadPool = .single, path: GradientPath
    ) {
        guard rows > 0, columns > 0 else {
            dGain?.update(repeating: 0, count: columns)
            dBias?.update(repeating: 0, count: columns)
            return
        }
        let kernels = path.kernels
        let rowsAChunk = rowsOfSum(rows)
        let chunks = (rows - 1) / rowsAChunk + 1
        // The sums of each chunk: those of the gain of all chunks, then those of the bias.
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * chunks * columns) { parts in
            let parts = parts.baseAddress!
            let gainParts = dGain == nil ? nil : parts
            let biasParts = dBias == nil ? nil : parts + chunks * columns
            pool.run(chunks: chunks) { chunk, _ in
                let first = chunk * rowsAChunk
                kernels.normBackward(
                    dy + first * columns, x + first * columns, gain, means.map { $0 + first }, scales + first,
                    dx.map { $0 + first * columns }, gainParts.map { $0 + chunk * columns },
                    biasParts.map { $0 + chunk * columns }, min(rowsAChunk, rows - first), columns)
            }
            if let gainParts { kernels.columnSums(gainParts, dGain, chunks, columns) }
            if let biasParts { kernels.columnSums(biasParts, dBias, chunks, columns) }
        }
    }
}
