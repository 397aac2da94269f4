internal import CKernels

extension WholeArrays {
    /// Σ x² of one short array, in float64, on the calling thread.
    public static func sumOfSquares(_ x: UnsafePointer<Float>, count: Int) -> Double {
        #if arch(x86_64)
            if ElementwisePath.best == .avx512 { return orrery_sum_of_squares_avx512(x, count) }
        #endif
        return orrery_sum_of_squares_portable(x, count)
    }
}
