/// The right-hand side of many products, B [inner, columns], copied once into the order in which kernels read it.
///
/// Weights are packed when a model is loaded; each product then streams them from memory once, in order. The bits of
/// a product are those of the unpacked one.
///
/// ```swift
/// let packed = try PackedMatrix(MatrixView(weights, rows: 4096, columns: 11008))
/// try MatrixProduct.multiply(activations, packed, into: output)
/// ```
public final class PackedMatrix<Element: MatrixElement>: Sendable {
    /// The terms of each sum: the rows of B.
    public let inner: Int
    /// The columns of B.
    public let columns: Int
    /// The kernels for which it is packed; never `automatic`.
    public let path: MatrixProductPath
    let panels: AlignedBuffer<Element>

    fileprivate init(inner: Int, columns: Int, path: MatrixProductPath, panels: AlignedBuffer<Element>) {
        self.inner = inner
        self.columns = columns
        self.path = path
        self.panels = panels
    }

    /// Bytes of the packed copy.
    public var byteCount: Int { panels.byteCount }
}

extension PackedMatrix where Element: MatrixKernelElement {
    fileprivate convenience init(
        packing b: MatrixView<Element>, path: MatrixProductPath, pool: ThreadPool
    ) throws(KernelError) {
        guard b.rows >= 0, b.columns >= 0 else {
            throw .shape(
                operation: "matrix product",
                problem: "B is [\(b.rows), \(b.columns)]; both sizes must be at least 0")
        }
        let path = try path.resolved(rows: 1, columns: b.columns, inner: b.rows)
        guard let kernels = Element.kernels(path) else {
            throw .unavailable(
                variant: "matrix product/\(path.rawValue)",
                reason: "the path has no packed form. Use one of Orrery's kernels")
        }
        let lanes = kernels.lanes()
        let width = (b.columns + lanes - 1) / lanes * lanes
        let (count, overflow) = width.multipliedReportingOverflow(by: b.rows)
        guard !overflow else { throw .memory(bytes: nil) }
        let panels = try AlignedBuffer<Element>(count: count)
        let empty = MutableMatrixView(panels.pointer, rows: 0, columns: b.columns)
        let none = MatrixView(b.pointer, rows: 0, columns: b.rows)
        let operands = ProductOperands(a: none, b: b, panels: nil, c: empty, accumulate: false)
        if b.rows > 0 {
            withUnsafePointer(to: Element.product(operands)) { product in
                pool.run(chunks: kernels.packChunks(b.columns)) { chunk, _ in
                    kernels.pack(product, chunk, panels.pointer)
                }
            }
        }
        self.init(inner: b.rows, columns: b.columns, path: path, panels: panels)
    }
}

extension PackedMatrix where Element == Float {
    /// Packs B [inner, columns]; any strides, so that weights stored as [columns, inner] are given transposed.
    ///
    /// - Throws: `KernelError.memory` if there is not enough memory for the copy;
    ///   `.unavailable` for a path that cannot run here.
    public convenience init(
        _ b: MatrixView<Float>, path: MatrixProductPath = .automatic, pool: ThreadPool = .shared
    ) throws(KernelError) {
        try self.init(packing: b, path: path, pool: pool)
    }
}

extension PackedMatrix where Element == Double {
    /// Packs B [inner, columns] in float64.
    public convenience init(
        _ b: MatrixView<Double>, path: MatrixProductPath = .automatic, pool: ThreadPool = .shared
    ) throws(KernelError) {
        try self.init(packing: b, path: path, pool: pool)
    }
}
