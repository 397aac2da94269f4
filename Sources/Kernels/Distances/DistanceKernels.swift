internal import CKernels

/// The distances between vectors that an index needs, one query to many rows per call.
///
/// ```swift
/// let kernels = DistanceKernels(.l2)
/// kernels.rows(query, base, stride, dimension, 0, slots, slots.count, &distances)
/// ```
package struct DistanceKernels: Sendable {
    /// What is summed up over the dimensions.
    package enum Sum: Sendable {
        /// Σ (x − y)².
        case l2
        /// An offset − Σ x·y.
        case dot
    }

    /// Query `[dimension]`, first row, floats from row to row, dimension, offset, slots or nil for the first rows, how
    /// many, distances.
    package typealias Rows =
        @convention(c) (
            UnsafePointer<Float>?, UnsafePointer<Float>?, Int, Int, Float, UnsafePointer<UInt32>?, Int,
            UnsafeMutablePointer<Float>?
        ) -> Void
    /// Query, first row, bytes from row to row (a multiple of 64), slots or nil, how many, distances.
    package typealias Codes =
        @convention(c) (
            UnsafePointer<Int8>?, UnsafePointer<Int8>?, Int, UnsafePointer<UInt32>?, Int, UnsafeMutablePointer<Int32>?
        ) -> Void

    package let rows: Rows
    package let codes: Codes

    package init(_ sum: Sum, path: DistancePath = .best) {
        switch (path, sum) {
        #if arch(x86_64)
            case (.avx512, .l2): (rows, codes) = (orrery_distances_l2_avx512, orrery_code_distances_l2_vnni)
            case (.avx512, .dot): (rows, codes) = (orrery_distances_dot_avx512, orrery_code_distances_dot_vnni)
            case (.avx2, .l2): (rows, codes) = (orrery_distances_l2_avx2, orrery_code_distances_l2_avx2)
            case (.avx2, .dot): (rows, codes) = (orrery_distances_dot_avx2, orrery_code_distances_dot_avx2)
        #endif
        case (_, .l2): (rows, codes) = (orrery_distances_l2_portable, orrery_code_distances_l2_portable)
        case (_, .dot): (rows, codes) = (orrery_distances_dot_portable, orrery_code_distances_dot_portable)
        }
    }
}
