internal import CKernels

/// Functions that take one row of numbers after another: softmax, layer norm, RMS norm, and the exponential.
///
/// A matrix is `[rows, columns]` of float32; strides count the numbers from one row to the next and are `columns` where
/// none is given. Input and output may be the same memory with the same stride, and may not overlap otherwise. Nothing
/// is done where rows or columns are 0. The best kernel of this processor runs; a row's bits depend on that row alone,
/// not on its neighbors and not on the number of threads.
///
/// ```swift
/// Rows.softmax(logits, into: probabilities, rows: 32, columns: 1024)
/// ```
public enum Rows {
    /// y = e^(x - max) / Σ e^(x - max) along each row.
    ///
    /// An element of -inf has probability 0. A row of nothing but -inf becomes NaN, and so does a row with NaN or +inf.
    /// The relative error of a probability is at most (16 + |x - max| + columns / 32) 2⁻²⁴, down to 2⁻¹²⁶.
    public static func softmax(
        _ x: UnsafePointer<Float>, xStride: Int? = nil, into y: UnsafeMutablePointer<Float>, yStride: Int? = nil,
        rows: Int, columns: Int, pool: ThreadPool = .shared
    ) {
        let (xStride, yStride) = (xStride ?? columns, yStride ?? columns)
        let kernel = RowPath.best.softmax
        inChunks(rows: rows, columns: columns, pool: pool) { first, count in
            kernel(x + first * xStride, xStride, y + first * yStride, yStride, count, columns)
        }
    }

    /// y = (x - mean) / √(variance + epsilon) · gain + bias along each row, the variance divided by `columns`.
    ///
    /// Neither mean nor variance loses digits to a mean that is large next to the spread.
    ///
    /// - Parameters:
    ///   - gain: `[columns]`; `nil` means ones.
    ///   - bias: `[columns]`; `nil` means zeros.
    /// - Source: Ba, Kiros, Hinton, "Layer normalization", 2016, equation 4.
    public static func layerNorm(
        _ x: UnsafePointer<Float>, xStride: Int? = nil, into y: UnsafeMutablePointer<Float>, yStride: Int? = nil,
        gain: UnsafePointer<Float>? = nil, bias: UnsafePointer<Float>? = nil, epsilon: Float = 1e-5, rows: Int,
        columns: Int, pool: ThreadPool = .shared
    ) {
        let (xStride, yStride) = (xStride ?? columns, yStride ?? columns)
        let kernel = RowPath.best.layerNorm
        inChunks(rows: rows, columns: columns, pool: pool) { first, count in
            kernel(x + first * xStride, xStride, y + first * yStride, yStride, gain, bias, epsilon, count, columns)
        }
    }

    /// y = x / √(mean(x²) + epsilon) · gain along each row.
    ///
    /// Squares that overflow (beyond 1.8e19) may give a row of zeros.
    ///
    /// - Parameter gain: `[columns]`; `nil` means ones.
    /// - Source: Zhang and Sennrich, "Root mean square layer normalization", 2019, equation 4.
    public static func rmsNorm(
        _ x: UnsafePointer<Float>, xStride: Int? = nil, into y: UnsafeMutablePointer<Float>, yStride: Int? = nil,
        gain: UnsafePointer<Float>? = nil, epsilon: Float = 1e-6, rows: Int, columns: Int, pool: ThreadPool = .shared
    ) {
        let (xStride, yStride) = (xStride ?? columns, yStride ?? columns)
        let kernel = RowPath.best.rmsNorm
        inChunks(rows: rows, columns: columns, pool: pool) { first, count in
            kernel(x + first * xStride, xStride, y + first * yStride, yStride, gain, epsilon, count, columns)
        }
    }

    /// y = e^x: 0 for -inf, inf above 88.73, NaN for NaN.
    ///
    /// The relative error is at most 2e-7 where the result is a normal number, and e⁰ is 1.
    public static func exp(
        _ x: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>, count: Int, pool: ThreadPool = .shared
    ) {
        let kernel = RowPath.best.exp
        // Chunks are whole vectors: an element's bits do not depend on where it is within one.
        inChunks(rows: (count + 15) / 16, columns: 16, pool: pool) { first, blocks in
            kernel(x + 16 * first, y + 16 * first, min(16 * blocks, count - 16 * first))
        }
    }

    /// Numbers that are worth the way to another thread: about a microsecond of work.
    private static let numbersAChunk = 32768

    /// Calls `body(first, count)` for chunks of rows that together are all of them. One thread gets them in one piece,
    /// since a kernel's rows overlap each other.
    static func inChunks(rows: Int, columns: Int, pool: ThreadPool, _ body: (_ first: Int, _ count: Int) -> Void) {
        guard rows > 0, columns > 0 else { return }
        let rowsAChunk = pool.threads == 1 ? rows : max(1, numbersAChunk / columns)
        let chunks = (rows - 1) / rowsAChunk + 1
        pool.run(chunks: chunks) { chunk, _ in
            body(chunk * rowsAChunk, min(rowsAChunk, rows - chunk * rowsAChunk))
        }
    }
}
