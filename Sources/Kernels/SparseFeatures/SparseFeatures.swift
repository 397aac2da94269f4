internal import CKernels

/// Rows of features of which few are active: the largest are found, gathered, and multiplied by rows that they stand
/// for, on the calling thread.
///
/// The kth largest of a row is found in two steps: maxima of groups of its numbers bound it from below; what reaches
/// the bound is gathered, and of these few it is found exactly.
///
/// Memory is the caller's; indices must be within it.
public enum SparseFeatures {
    /// Groups that bound the kth largest closely; a multiple of 16.
    public static func groups(for k: Int) -> Int { max(32, min(1024, (4 * k + 15) / 16 * 16)) }

    /// x += bias, and the largest of 0 and the numbers of each group, whose places are alike modulo `groups`.
    ///
    /// The kth largest of the maxima is at most the kth largest of x.
    ///
    /// - Parameter groups: a multiple of 16.
    public static func maxima(
        of x: UnsafeMutablePointer<Float>, adding bias: UnsafePointer<Float>, count: Int, groups: Int,
        into maxima: UnsafeMutablePointer<Float>, path: SparseFeaturePath = .best
    ) {
        #if arch(x86_64)
            if path == .avx512 { return orrery_group_maxima_avx512(x, bias, count, groups, maxima) }
        #endif
        orrery_group_maxima_portable(x, bias, count, groups, maxima)
    }

    /// The kth largest of numbers of which none is negative; 0 if there are fewer than k.
    ///
    /// - Parameter isBound: something smaller will do that k numbers reach and few others: half the time.
    public static func largest(
        _ k: Int, of x: UnsafePointer<Float>, count: Int, isBound: Bool = false, path: SparseFeaturePath = .best
    ) -> Float {
        guard k > 0, k <= count else { return 0 }
        #if arch(x86_64)
            if path == .avx512 { return orrery_kth_largest_avx512(x, count, k, isBound ? 16 : 0) }
        #endif
        return orrery_kth_largest_portable(x, count, k, isBound ? 16 : 0)
    }

    /// Places and numbers of x that are above 0 and at least `floor`, in order; returns how many.
    ///
    /// - Parameters:
    ///   - places: room for `count`, as `numbers`.
    public static func gather(
        _ x: UnsafePointer<Float>, from floor: Float, count: Int, places: UnsafeMutablePointer<UInt32>,
        numbers: UnsafeMutablePointer<Float>, path: SparseFeaturePath = .best
    ) -> Int {
        #if arch(x86_64)
            if path == .avx512 { return orrery_gather_avx512(x, nil, floor, count, places, numbers) }
        #endif
        return orrery_gather_portable(x, nil, floor, count, places, numbers)
    }

    /// Places and numbers of x that are above a floor of their own, in order; returns how many.
    public static func gather(
        _ x: UnsafePointer<Float>, above floors: UnsafePointer<Float>, count: Int,
        places: UnsafeMutablePointer<UInt32>, numbers: UnsafeMutablePointer<Float>, path: SparseFeaturePath = .best
    ) -> Int {
        #if arch(x86_64)
            if path == .avx512 { return orrery_gather_avx512(x, floors, 0, count, places, numbers) }
        #endif
        return orrery_gather_portable(x, floors, 0, count, places, numbers)
    }

    /// products[i] = y · rows[index[i]]: rows are `[_, width]`, y is `[width]`.
    public static func products(
        of y: UnsafePointer<Float>, with index: UnsafeBufferPointer<UInt32>, of rows: UnsafePointer<Float>, width: Int,
        into products: UnsafeMutablePointer<Float>, path: SparseFeaturePath = .best
    ) {
        guard let base = index.baseAddress else { return }
        #if arch(x86_64)
            if path == .avx512 { return orrery_row_products_avx512(base, index.count, rows, width, y, products) }
        #endif
        orrery_row_products_portable(base, index.count, rows, width, y, products)
    }

    /// z = x − y, sums += z; returns Σ z². z may be x or y.
    public static func difference(
        _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, into z: UnsafeMutablePointer<Float>,
        sums: UnsafeMutablePointer<Float>, count: Int, path: SparseFeaturePath = .best
    ) -> Float {
        #if arch(x86_64)
            if path == .avx512 { return orrery_difference_avx512(x, y, z, sums, count) }
        #endif
        return orrery_difference_portable(x, y, z, sums, count)
    }
}
