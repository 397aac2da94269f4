internal import CKernels

/// Vectors as codes of one byte a dimension.
package enum VectorCodes {
    /// The codes of a row: (row − center) · scale, rounded, halves to even, from −63 to 63; zeros up to `stride`.
    package static func encode(
        _ row: UnsafePointer<Float>, center: UnsafePointer<Float>, scale: Float, dimension: Int, stride: Int,
        into codes: UnsafeMutablePointer<Int8>, path: DistancePath = .best
    ) {
        switch path {
        #if arch(x86_64)
            case .avx512: orrery_encode_vector_avx512(row, center, scale, dimension, stride, codes)
            case .avx2: orrery_encode_vector_avx2(row, center, scale, dimension, stride, codes)
        #endif
        default: orrery_encode_vector_portable(row, center, scale, dimension, stride, codes)
        }
    }

    /// The largest |x − y| of two vectors.
    package static func largestDifference(
        _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, count: Int, path: DistancePath = .best
    ) -> Float {
        switch path {
        #if arch(x86_64)
            case .avx512: orrery_largest_difference_avx512(x, y, count)
            case .avx2: orrery_largest_difference_avx2(x, y, count)
        #endif
        default: orrery_largest_difference_portable(x, y, count)
        }
    }
}

/// Which of many distances are worth a closer look.
package enum NearPositions {
    /// Positions of numbers below a bound, in order; returns how many. `found` has room for `count` and one more.
    package static func find(
        in numbers: UnsafePointer<Float>, count: Int, below bound: Float, into found: UnsafeMutablePointer<UInt32>,
        path: DistancePath = .best
    ) -> Int {
        switch path {
        #if arch(x86_64)
            case .avx512: orrery_positions_below_avx512(numbers, count, bound, found)
            case .avx2: orrery_positions_below_avx2(numbers, count, bound, found)
        #endif
        default: orrery_positions_below_portable(numbers, count, bound, found)
        }
    }

    /// Positions where `start + factor · product` is below the bound of the same position.
    package static func find(
        inProducts products: UnsafePointer<Float>, count: Int, start: Float, factor: Float,
        below bounds: UnsafePointer<Float>, into found: UnsafeMutablePointer<UInt32>, path: DistancePath = .best
    ) -> Int {
        switch path {
        #if arch(x86_64)
            case .avx512: orrery_products_below_avx512(products, count, start, factor, bounds, found)
            case .avx2: orrery_products_below_avx2(products, count, start, factor, bounds, found)
        #endif
        default: orrery_products_below_portable(products, count, start, factor, bounds, found)
        }
    }
}
