internal import CKernels

extension Gradients {
    /// The log-sum-exp and the loss of each row of logits: (1 - ε) (lse - z[target]) + ε (lse - mean(z)).
    ///
    /// - Parameters:
    ///   - targets: `[rows]`, below `columns`; a row whose target is negative has the loss 0.
    ///   - smoothing: ε.
    public static func crossEntropy(
        _ logits: UnsafePointer<Float>, targets: UnsafePointer<Int32>, smoothing: Float = 0,
        logSumExp: UnsafeMutablePointer<Float>, losses: UnsafeMutablePointer<Float>, rows: Int, columns: Int,
        pool: ThreadPool = .shared
    ) {
        crossEntropy(
            logits, targets: targets, smoothing: smoothing, logSumExp: logSumExp, losses: losses, rows: rows,
            columns: columns, pool: pool, path: .best)
    }

    /// dlogits = factor (softmax - (1 - ε) [target] - ε / columns), 0 in rows whose target is negative.
    ///
    /// - Parameter gradient: `[rows, columns]`; it may be the memory of the logits.
    public static func crossEntropyBackward(
        _ logits: UnsafePointer<Float>, targets: UnsafePointer<Int32>, smoothing: Float = 0, factor: Float,
        logSumExp: UnsafePointer<Float>, into gradient: UnsafeMutablePointer<Float>, rows: Int, columns: Int,
        pool: ThreadPool = .shared
    ) {
        crossEntropyBackward(
            logits, targets: targets, smoothing: smoothing, factor: factor, logSumExp: logSumExp, into: gradient,
            rows: rows, columns: columns, pool: pool, path: .best)
    }

    package static func crossEntropy(
        _ logits: UnsafePointer<Float>, targets: UnsafePointer<Int32>, smoothing: Float,
        logSumExp: UnsafeMutablePointer<Float>, losses: UnsafeMutablePointer<Float>, rows: Int, columns: Int,
        pool: ThreadPool = .single, path: GradientPath
    ) {
        let kernel = path.kernels.crossEntropyForward
        inChunks(rows: rows, columns: columns, pool: pool) { first, count in
            kernel(
                logits + first * columns, targets + first, smoothing, logSumExp + first, losses + first, count,
                columns)
        }
    }

    package static func crossEntropyBackward(
        _ logits: UnsafePointer<Float>, targets: UnsafePointer<Int32>, smoothing: Float, factor: Float,
        logSumExp: UnsafePointer<Float>, into gradient: UnsafeMutablePointer<Float>, rows: Int, columns: Int,
        pool: ThreadPool = .single, path: GradientPath
    ) {
        let kernel = path.kernels.crossEntropyBackward
        inChunks(rows: rows, columns: columns, pool: pool) { first, count in
            kernel(
                logits + first * columns, targets + first, smoothing, factor, logSumExp + first,
                gradient + first * columns, count, columns)
        }
    }
}
