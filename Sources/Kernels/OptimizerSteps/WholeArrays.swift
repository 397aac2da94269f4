internal import CKernels

/// What training does to all of its numbers at once, except optimizer steps.
public enum WholeArrays {
    /// Σ x² of each array, in float64.
    ///
    /// The order of a sum depends on the array's size alone: 16,384 numbers make a sum, and these are added in order.
    public static func sumsOfSquares(
        _ arrays: [UnsafeBufferPointer<Float>], pool: ThreadPool = .shared
    ) -> [Double] {
        sumsOfSquares(arrays, pool: pool, path: .best)
    }

    /// Σ (x - y)² of each pair of arrays of the same size, in float64, as `sumsOfSquares`.
    public static func sumsOfSquaredDifferences(
        _ arrays: [(UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>)], pool: ThreadPool = .shared
    ) -> [Double] {
        sumsOfSquaredDifferences(arrays, pool: pool, path: .best)
    }

    /// x *= factor in each array.
    public static func scale(
        _ arrays: [UnsafeMutableBufferPointer<Float>], by factor: Float, pool: ThreadPool = .shared
    ) {
        run(arrays.map(\.count), pool) { index, start, count in
            Elementwise.scale(arrays[index].baseAddress! + start, by: factor, count: count)
        }
    }

    /// y += (x - y) share in each pair of arrays of the same size: moving averages.
    public static func move(
        _ arrays: [(y: UnsafeMutableBufferPointer<Float>, x: UnsafeBufferPointer<Float>)], by share: Float,
        pool: ThreadPool = .shared
    ) {
        move(arrays, by: share, pool: pool, path: .best)
    }

    /// y = x with each number rounded to the nearest bfloat16, ties to even.
    public static func roundToBFloat16(
        _ arrays: [(y: UnsafeMutableBufferPointer<Float>, x: UnsafeBufferPointer<Float>)],
        pool: ThreadPool = .shared
    ) {
        roundToBFloat16(arrays, pool: pool, path: .best)
    }

    private static func run(_ counts: [Int], _ pool: ThreadPool, _ body: (Int, Int, Int) -> Void) {
        ArrayChunks(counts, numbersAChunk: OptimizerSteps.numbersAChunk).run(on: pool, body)
    }
}

extension WholeArrays {
    package static func sumsOfSquares(
        _ arrays: [UnsafeBufferPointer<Float>], pool: ThreadPool, path: ElementwisePath
    ) -> [Double] {
        sums(arrays.map(\.count), pool) { index, start, count in
            let x = arrays[index].baseAddress! + start
            #if arch(x86_64)
                if path == .avx512 { return orrery_sum_of_squares_avx512(x, count) }
            #endif
            return orrery_sum_of_squares_portable(x, count)
        }
    }

    package static func sumsOfSquaredDifferences(
        _ arrays: [(UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>)], pool: ThreadPool, path: ElementwisePath
    ) -> [Double] {
        sums(arrays.map(\.0.count), pool) { index, start, count in
            let (x, y) = (arrays[index].0.baseAddress! + start, arrays[index].1.baseAddress! + start)
            #if arch(x86_64)
                if path == .avx512 { return orrery_sum_of_squared_differences_avx512(x, y, count) }
            #endif
            return orrery_sum_of_squared_differences_portable(x, y, count)
        }
    }

    package static func move(
        _ arrays: [(y: UnsafeMutableBufferPointer<Float>, x: UnsafeBufferPointer<Float>)], by share: Float,
        pool: ThreadPool, path: ElementwisePath
    ) {
        run(arrays.map(\.x.count), pool) { index, start, count in
            let (x, y) = (arrays[index].x.baseAddress! + start, arrays[index].y.baseAddress! + start)
            #if arch(x86_64)
                if path == .avx512 { return orrery_move_toward_avx512(share, x, y, count) }
            #endif
            orrery_move_toward_portable(share, x, y, count)
        }
    }

    package static func roundToBFloat16(
        _ arrays: [(y: UnsafeMutableBufferPointer<Float>, x: UnsafeBufferPointer<Float>)], pool: ThreadPool,
        path: ElementwisePath
    ) {
        run(arrays.map(\.x.count), pool) { index, start, count in
            let (x, y) = (arrays[index].x.baseAddress! + start, arrays[index].y.baseAddress! + start)
            #if arch(x86_64)
                if path == .avx512 { return orrery_round_bf16_avx512(x, y, count) }
            #endif
            orrery_round_bf16_portable(x, y, count)
        }
    }

    /// The sum of each array: chunks of its own, summed by `part(array, start, count)`, added in order.
    private static func sums(
        _ counts: [Int], _ pool: ThreadPool, _ part: (Int, Int, Int) -> Double
    ) -> [Double] {
        let size = OptimizerSteps.numbersAChunk
        var firsts = [0]
        for count in counts { firsts.append(firsts[firsts.count - 1] + (count + size - 1) / size) }
        var parts = [Double](repeating: 0, count: firsts[counts.count])
        parts.withUnsafeMutableBufferPointer { parts in
            nonisolated(unsafe) let parts = parts  // every piece writes a sum of its own
            ArrayChunks(counts, numbersAChunk: size, areAligned: true).run(on: pool) { index, start, count in
                parts[firsts[index] + start / size] = part(index, start, count)
            }
        }
        return counts.indices.map { parts[firsts[$0]..<firsts[$0 + 1]].reduce(0, +) }
    }
}
