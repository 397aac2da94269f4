/// Products of matrices in 16 and 8 bits: C = A · B, row-major, summed in 32 bits.
///
/// ```swift
/// DotProduct.multiply(int8: a, aStride: k, by: b, bStride: n, into: c, cStride: n, m: m, n: n, k: k)
/// ```
///
/// Strides count elements from one row to the next. How sums are ordered depends on `k` alone: the same bits come out
/// for any number of threads, and for a row alone or among others.
public enum DotProduct {
    /// C[m, n] = A[m, k] · B[k, n] of bfloat16 bit patterns, summed in float32.
    ///
    /// Against the sum in real numbers an element errs by at most γ(r) Σ|a||b| with r = k + k/512 + 1 roundings,
    /// γ(r) = r u / (1 - r u) and u = 2⁻²⁴ (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1).
    /// On `BFloat16Path.dot` subnormal inputs and results also count as zero.
    ///
    /// - Parameter path: one that this processor lacks is replaced by its best.
    public static func multiply(
        bf16 a: UnsafePointer<UInt16>, aStride: Int, by b: UnsafePointer<UInt16>, bStride: Int,
        into c: UnsafeMutablePointer<Float>, cStride: Int, m: Int, n: Int, k: Int,
        path: BFloat16Path = .best, pool: ThreadPool = .shared
    ) {
        product(
            a, aStride: aStride, by: b, bStride: bStride, into: c, cStride: cStride, m: m, n: n, k: k, path: path,
            pool: pool)
    }

    /// C[m, n] = A[m, k] · B[k, n] of int8, exact in int32.
    ///
    /// Sums that leave int32, which takes k of 131,072 or more, wrap around.
    ///
    /// - Parameter path: one that this processor lacks is replaced by its best.
    public static func multiply(
        int8 a: UnsafePointer<Int8>, aStride: Int, by b: UnsafePointer<Int8>, bStride: Int,
        into c: UnsafeMutablePointer<Int32>, cStride: Int, m: Int, n: Int, k: Int,
        path: Int8Path = .best, pool: ThreadPool = .shared
    ) {
        product(
            a, aStride: aStride, by: b, bStride: bStride, into: c, cStride: cStride, m: m, n: n, k: k, path: path,
            pool: pool)
    }

    /// C = A · B on any path of either type.
    static func product<Path: DotKernelPath>(
        _ a: UnsafePointer<Path.Element>, aStride: Int, by b: UnsafePointer<Path.Element>, bStride: Int,
        into c: UnsafeMutablePointer<Path.Sum>, cStride: Int, m: Int, n: Int, k: Int, path: Path, pool: ThreadPool
    ) {
        let done = DotKernel(path.availableOrBest.kernel)?.multiply(
            a, aStride: aStride, by: b, bStride: bStride, into: c, cStride: cStride, m: m, n: n, k: k, pool: pool)
        if done == true { return }
        // The textbook loops need no memory, so use them if there is not enough memory for panels.
        pool.run(chunks: m) { row, _ in
            Path.textbook(a + row * aStride, aStride, b, bStride, c + row * cStride, cStride, 1, n, k)
        }
    }
}
