internal import CKernels

/// Products with sparse matrices, for the leading directions of what documents contain.
///
/// Sums are taken in the order of the entries; the vector path rounds them a little differently.
public enum SparseGram {
    /// Columns of a slice.
    public static let sliceWidth = 48

    /// out += Aᵀ (A in) for one slice of columns: in and out are `[features, 48]`.
    ///
    /// - Parameters:
    ///   - starts: `[rows + 1]`, where the entries of each row start.
    ///   - columns: the feature of each entry; each must be below the features of `in` and `out`.
    public static func accumulate(
        starts: UnsafeBufferPointer<Int64>, columns: UnsafePointer<UInt32>, values: UnsafePointer<Float>,
        in source: UnsafePointer<Float>, out target: UnsafeMutablePointer<Float>, portable: Bool = false
    ) {
        guard let base = starts.baseAddress, starts.count > 1 else { return }
        #if arch(x86_64)
            if !portable, ProcessorFeatures.present.contains(.avx512) {
                orrery_sparse_gram_avx512(base, columns, values, starts.count - 1, source, target)
                return
            }
        #endif
        orrery_sparse_gram_portable(base, columns, values, starts.count - 1, source, target)
    }

    /// y = Σ weights[i] · rows[index[i]]: rows are `[_, width]`, y is `[width]`.
    public static func sum(
        of index: UnsafeBufferPointer<UInt32>, weights: UnsafePointer<Float>, rows: UnsafePointer<Float>, width: Int,
        into y: UnsafeMutablePointer<Float>, portable: Bool = false
    ) {
        guard let base = index.baseAddress else {
            y.update(repeating: 0, count: width)
            return
        }
        #if arch(x86_64)
            if !portable, ProcessorFeatures.present.contains(.avx512) {
                orrery_weighted_rows_avx512(base, weights, index.count, rows, width, y)
                return
            }
        #endif
        orrery_weighted_rows_portable(base, weights, index.count, rows, width, y)
    }
}
