internal import Synchronization

/// C = A B and C += A B, in float32 and float64, on the best path that this machine has.
///
/// An element of C has the same bits on one thread and on many, for one row and for many, with B packed beforehand or
/// not: along the inner dimension blocks of 384 terms are added up in order, whatever the shape. NaN and infinity
/// propagate. C must not overlap A or B.
///
/// ```swift
/// let weights = try AlignedBuffer<Float>(count: 4096 * 1024), input = try AlignedBuffer<Float>(count: 8 * 4096)
/// let output = try AlignedBuffer<Float>(count: 8 * 1024)
/// try MatrixProduct.multiply(
///     MatrixView(input.pointer, rows: 8, columns: 4096), MatrixView(weights.pointer, rows: 4096, columns: 1024),
///     into: MutableMatrixView(output.pointer, rows: 8, columns: 1024))
/// ```
public enum MatrixProduct {
    /// C = A B, or C += A B.
    ///
    /// - Parameters:
    ///   - a: [rows, inner], any strides.
    ///   - b: [inner, columns], any strides.
    ///   - c: [rows, columns]. Where `inner` is 0 it becomes zero, or stays as it is when accumulating.
    /// - Throws: `KernelError.shape` with the shapes that do not fit, `.unavailable` for a path that cannot run here,
    ///   `.memory` if there is not enough memory for packing (at most 1 MiB per thread).
    public static func multiply(
        _ a: MatrixView<Float>, _ b: MatrixView<Float>, into c: MutableMatrixView<Float>, accumulate: Bool = false,
        path: MatrixProductPath = .automatic, pool: ThreadPool = .shared
    ) throws(KernelError) {
        try product(a, b, into: c, accumulate: accumulate, path: path, pool: pool)
    }

    /// C = A B, or C += A B, in float64.
    public static func multiply(
        _ a: MatrixView<Double>, _ b: MatrixView<Double>, into c: MutableMatrixView<Double>, accumulate: Bool = false,
        path: MatrixProductPath = .automatic, pool: ThreadPool = .shared
    ) throws(KernelError) {
        try product(a, b, into: c, accumulate: accumulate, path: path, pool: pool)
    }

    /// C = A B, or C += A B, with B packed before: nothing is copied, B is read once.
    public static func multiply(
        _ a: MatrixView<Float>, _ b: PackedMatrix<Float>, into c: MutableMatrixView<Float>, accumulate: Bool = false,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        try product(a, b, into: c, accumulate: accumulate, pool: pool)
    }

    /// C = A B, or C += A B, in float64 with B packed before.
    public static func multiply(
        _ a: MatrixView<Double>, _ b: PackedMatrix<Double>, into c: MutableMatrixView<Double>,
        accumulate: Bool = false, pool: ThreadPool = .shared
    ) throws(KernelError) {
        try product(a, b, into: c, accumulate: accumulate, pool: pool)
    }

    /// `multiply` for either element.
    static func product<Element: MatrixKernelElement>(
        _ a: MatrixView<Element>, _ b: MatrixView<Element>, into c: MutableMatrixView<Element>, accumulate: Bool,
        path: MatrixProductPath, pool: ThreadPool
    ) throws(KernelError) {
        try check(a, rowsOfB: b.rows, columnsOfB: b.columns, c)
        let path = try path.resolved(rows: c.rows, columns: c.columns, inner: a.columns)
        if path == .openBLAS {
            try productOfLibrary(a, b, into: c, accumulate: accumulate, pool: pool)
        } else {
            let operands = ProductOperands(a: a, b: b, panels: nil, c: c, accumulate: accumulate)
            try run(operands, on: path, pool: pool)
        }
    }

    private static func product<Element: MatrixKernelElement>(
        _ a: MatrixView<Element>, _ b: PackedMatrix<Element>, into c: MutableMatrixView<Element>, accumulate: Bool,
        pool: ThreadPool
    ) throws(KernelError) {
        try check(a, rowsOfB: b.inner, columnsOfB: b.columns, c)
        // The view of B is not read where panels are given.
        let view = MatrixView(UnsafePointer(b.panels.pointer), rows: b.inner, columns: b.columns)
        let operands = ProductOperands(a: a, b: view, panels: view.pointer, c: c, accumulate: accumulate)
        try run(operands, on: b.path, pool: pool)
    }

    private static func run<Element: MatrixKernelElement>(
        _ operands: ProductOperands<Element>, on path: MatrixProductPath, pool: ThreadPool
    ) throws(KernelError) {
        guard let kernels = Element.kernels(path) else {
            throw .unavailable(
                variant: "matrix product/\(path.rawValue)", reason: "this machine does not support this kernel")
        }
        let failed = Atomic(false)
        withUnsafePointer(to: Element.product(operands)) { product in
            let chunks = kernels.chunks(product)
            let pool = isWorthThreads(operands) ? pool : .single
            pool.run(chunks: chunks) { chunk, _ in
                if kernels.multiply(product, chunk) != 0 { failed.store(true, ordering: .relaxed) }
            }
        }
        if failed.load(ordering: .relaxed) { throw .memory(bytes: 1 << 20) }
    }

    /// Whether a product lasts longer than it takes to wake a thread: 20 µs of arithmetic, or of reading B.
    private static func isWorthThreads<Element>(_ x: ProductOperands<Element>) -> Bool {
        let terms = Double(x.a.columns) * Double(x.c.columns)
        return terms * Double(x.c.rows) > 2e6 || terms > 2.5e5
    }

    private static func productOfLibrary<Element: MatrixKernelElement>(
        _ a: MatrixView<Element>, _ b: MatrixView<Element>, into c: MutableMatrixView<Element>, accumulate: Bool,
        pool: ThreadPool
    ) throws(KernelError) {
        guard let library = OpenBLAS.shared else {
            throw .unavailable(
                variant: "matrix product/openBLAS", reason: OpenBLAS.missing ?? "OpenBLAS is not installed")
        }
        guard OpenBLAS.takes(a), OpenBLAS.takes(b), OpenBLAS.takes(c.view) else {
            throw .unavailable(
                variant: "matrix product/openBLAS",
                reason: "OpenBLAS needs contiguous rows or columns and sizes below 2^31")
        }
        library.withThreads(pool.threads) { Element.multiply(library, a, b, into: c, accumulate: accumulate) }
    }

    private static func check<Element>(
        _ a: MatrixView<Element>, rowsOfB: Int, columnsOfB: Int, _ c: MutableMatrixView<Element>
    ) throws(KernelError) {
        let sizes = [a.rows, a.columns, rowsOfB, columnsOfB, c.rows, c.columns]
        guard a.columns == rowsOfB, c.rows == a.rows, c.columns == columnsOfB, sizes.allSatisfy({ $0 >= 0 }) else {
            throw .shape(
                operation: "matrix product",
                problem: "[\(a.rows), \(a.columns)] by [\(rowsOfB), \(columnsOfB)] does not give "
                    + "[\(c.rows), \(c.columns)]")
        }
    }
}

extension MatrixProductPath {
    /// The path itself, or what `automatic` stands for.
    func resolved(rows: Int, columns: Int, inner: Int) throws(KernelError) -> MatrixProductPath {
        if let unavailable { throw .unavailable(variant: "matrix product/\(rawValue)", reason: unavailable) }
        return self == .automatic ? MatrixProduct.chosenPath(rows: rows, columns: columns, inner: inner) : self
    }
}
