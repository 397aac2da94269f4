internal import CKernels

/// What training does between its matrix products, forward and backward: norms, activations, cross-entropy, sums over
/// rows, masks.
///
/// Matrices are `[rows, columns]` of float32 without gaps. Work is cut into chunks by shapes alone and the sums of chunks
/// are added in order: the same input gives the same bits on any number of threads. NaN stays NaN.
///
/// ```swift
/// Gradients.norm(x, gain: g, bias: b, epsilon: 1e-5, into: y, means: means, scales: scales, rows: 2048, columns: 128)
/// ```
public enum Gradients {
    /// y += bias on every row.
    public static func addBias(
        _ bias: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, rows: Int, columns: Int,
        pool: ThreadPool = .shared
    ) { addBias(bias, to: y, rows: rows, columns: columns, pool: pool, path: .best) }

    /// The sum of each column.
    public static func columnSums(
        _ x: UnsafePointer<Float>, into sums: UnsafeMutablePointer<Float>, rows: Int, columns: Int,
        pool: ThreadPool = .shared
    ) { columnSums(x, into: sums, rows: rows, columns: columns, pool: pool, path: .best) }

    /// Adds each of `count` rows to the row of `table` that its index names, in the order of the rows.
    ///
    /// - Parameter indices: `[count]`, each from 0 to the number of the table's rows, without it.
    public static func scatterAdd(
        _ rows: UnsafePointer<Float>, indices: UnsafePointer<Int32>, count: Int,
        into table: UnsafeMutablePointer<Float>, width: Int, pool: ThreadPool = .shared
    ) { scatterAdd(rows, indices: indices, count: count, into: table, width: width, pool: pool, path: .best) }

    /// Calls `body(first, count)` for chunks of rows that together are all of them: about `numbers` numbers each.
    static func inChunks(
        rows: Int, columns: Int, numbers: Int = 32768, pool: ThreadPool, _ body: (_ first: Int, _ count: Int) -> Void
    ) {
        guard rows > 0, columns > 0 else { return }
        let rowsAChunk = max(1, numbers / columns)
        pool.run(chunks: (rows - 1) / rowsAChunk + 1) { chunk, _ in
            body(chunk * rowsAChunk, min(rowsAChunk, rows - chunk * rowsAChunk))
        }
    }

    /// How many rows have a sum of their own before sums are added: 64, or what leaves 64 chunks.
    static func rowsOfSum(_ rows: Int) -> Int { max(64, (rows + 63) / 64) }
}

extension Gradients {
    package static func addBias(
        _ bias: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, rows: Int, columns: Int,
        pool: ThreadPool = .single, path: GradientPath
    ) {
        let kernel = path.kernels.addBias
        inChunks(rows: rows, columns: columns, pool: pool) { first, count in
            kernel(bias, y + first * columns, count, columns)
        }
    }

    package static func columnSums(
        _ x: UnsafePointer<Float>, into sums: UnsafeMutablePointer<Float>, rows: Int, columns: Int,
        pool: ThreadPool = .single, path: GradientPath
    ) {
        guard rows > 0, columns > 0 else { return sums.update(repeating: 0, count: columns) }
        let kernel = path.kernels.columnSums
        let rowsAChunk = rowsOfSum(rows)
        let chunks = (rows - 1) / rowsAChunk + 1
        if chunks == 1 { return kernel(x, sums, rows, columns) }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: chunks * columns) { parts in
            let parts = parts.baseAddress!
            pool.run(chunks: chunks) { chunk, _ in
                let first = chunk * rowsAChunk
                kernel(x + first * columns, parts + chunk * columns, min(rowsAChunk, rows - first), columns)
            }
            kernel(parts, sums, chunks, columns)
        }
    }

    package static func scatterAdd(
        _ rows: UnsafePointer<Float>, indices: UnsafePointer<Int32>, count: Int,
        into table: UnsafeMutablePointer<Float>, width: Int, pool: ThreadPool = .single, path: GradientPath
    ) {
        guard count > 0, width > 0 else { return }
        let kernel = path.kernels.scatterAdd
        // Chunks are columns: every sum has one owner, which adds in the order of the rows.
        let columns = 64
        pool.run(chunks: (width - 1) / columns + 1) { chunk, _ in
            let first = chunk * columns
            kernel(rows, indices, count, table, width, first, min(columns, width - first))
        }
    }
}
