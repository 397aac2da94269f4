extension WeightMatrix {
    /// y[m, rows] = x[m, columns] · Wᵀ; strides count elements.
    ///
    /// Weights are used as they are defined. For f32, f16, bf16, nf4 and int8 so is x, in float32; for q8_0 and q4_0 x is
    /// brought to 8 bits by runs of 32 and for the q*_k by 256, as llama.cpp does. A row of y has the same bits for any
    /// number of threads, and for its row of x alone or among up to seven. From eight rows on `WeightPanels` takes over:
    /// its sums are in another order, and it brings x to 8 bits by runs of 32 for all formats of blocks and for int8.
    ///
    /// - Parameter xStride: Distance between rows of x; `nil` means `columns`.
    /// - Parameter yStride: Distance between rows of y; `nil` means `rows`.
    /// - Throws: `KernelError.memory` if there is not enough memory for activations or packed weights.
    public func multiply(
        _ x: UnsafePointer<Float>, xStride: Int? = nil, m: Int, into y: UnsafeMutablePointer<Float>,
        yStride: Int? = nil, pool: ThreadPool = .shared
    ) throws(KernelError) {
        if m >= max(Self.fewestForPanels, WeightPanels.fewestRows(format)) {
            let isDone = try WeightPanels.multiply(
                self, x, xStride: xStride ?? columns, m: m, into: y, yStride: yStride ?? rows, pool: pool)
            if isDone { return }
        }
        let product = RowProduct(self, into: y, yStride: yStride ?? rows)
        try RowProduct.run([product], x, xStride: xStride ?? columns, m: m, pool: pool)
    }

    /// Several products with the same x: y[i][m, rows of i] = x[m, columns] · W[i]ᵀ.
    ///
    /// Few rows of x are brought to 8 bits once, and threads share the rows of all matrices in one go: a layer's queries,
    /// keys and values, or gate and up. The numbers are those of `multiply` for each.
    ///
    /// - Parameter matrices: Matrices with equal numbers of columns.
    /// - Parameter outputs: One output per matrix, with rows `yStrides` apart (default: its number of rows).
    /// - Throws: `KernelError.shape` if columns differ or outputs are missing; `KernelError.memory`.
    public static func multiply(
        _ x: UnsafePointer<Float>, xStride: Int? = nil, m: Int, by matrices: [WeightMatrix],
        into outputs: [UnsafeMutablePointer<Float>], yStrides: [Int]? = nil, pool: ThreadPool = .shared
    ) throws(KernelError) {
        guard let columns = matrices.first?.columns else { return }
        guard outputs.count == matrices.count, yStrides?.count ?? matrices.count == matrices.count else {
            throw .shape(
                operation: "products with the same x",
                problem: "expected \(matrices.count) outputs, one per matrix, but got \(outputs.count)")
        }
        if let other = matrices.first(where: { $0.columns != columns }) {
            throw .shape(
                operation: "products with the same x",
                problem: "all matrices need the same number of columns, not \(columns) and \(other.columns)")
        }
        guard m < fewestForPanels else {
            for (i, matrix) in matrices.enumerated() {
                try matrix.multiply(x, xStride: xStride, m: m, into: outputs[i], yStride: yStrides?[i], pool: pool)
            }
            return
        }
        let products = matrices.indices.map { i in
            RowProduct(matrices[i], into: outputs[i], yStride: yStrides?[i] ?? matrices[i].rows)
        }
        try RowProduct.run(products, x, xStride: xStride ?? columns, m: m, pool: pool)
    }

    /// Fewer rows of x share each weight as it passes.
    private static var fewestForPanels: Int { 8 }
}
