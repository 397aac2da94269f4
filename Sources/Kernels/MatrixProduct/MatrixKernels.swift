internal import CKernels

/// The C functions of one path for one type of element, in the words of `matrix_product.h`.
struct MatrixKernels<Element, Product>: Sendable {
    let chunks: @Sendable (UnsafePointer<Product>?) -> Int
    let multiply: @Sendable (UnsafePointer<Product>?, Int) -> Int32
    let lanes: @Sendable () -> Int
    let packChunks: @Sendable (Int) -> Int
    let pack: @Sendable (UnsafePointer<Product>?, Int, UnsafeMutablePointer<Element>?) -> Void
}

/// An element for which there are kernels, with the C structure that describes a product of such elements.
protocol MatrixKernelElement: MatrixElement {
    associatedtype Product
    static func product(_ operands: ProductOperands<Self>) -> Product
    /// The kernels of a path; nil for OpenBLAS, which has none of ours.
    static func kernels(_ path: MatrixProductPath) -> MatrixKernels<Self, Product>?
    static func multiply(
        _ library: OpenBLAS, _ a: MatrixView<Self>, _ b: MatrixView<Self>, into c: MutableMatrixView<Self>,
        accumulate: Bool)
}

/// What a product reads and writes. B is a view, or panels that were packed before.
struct ProductOperands<Element> {
    var a: MatrixView<Element>
    var b: MatrixView<Element>
    var panels: UnsafePointer<Element>?
    var c: MutableMatrixView<Element>
    var accumulate: Bool
}

extension Float: MatrixKernelElement {
    static func product(_ x: ProductOperands<Float>) -> orrery_sgemm {
        orrery_sgemm(
            rows: x.c.rows, columns: x.c.columns, inner: x.a.columns, a: x.a.pointer, a_row: x.a.rowStride,
            a_column: x.a.columnStride, b: x.b.pointer, b_row: x.b.rowStride, b_column: x.b.columnStride,
            panels: x.panels, c: x.c.pointer, c_row: x.c.rowStride, accumulate: x.accumulate ? 1 : 0)
    }

    static func kernels(_ path: MatrixProductPath) -> MatrixKernels<Float, orrery_sgemm>? {
        switch path {
        case .portable:
            MatrixKernels(
                chunks: orrery_sgemm_chunks_portable, multiply: orrery_sgemm_portable,
                lanes: orrery_sgemm_lanes_portable, packChunks: orrery_sgemm_pack_chunks_portable,
                pack: orrery_sgemm_pack_portable)
        #if arch(x86_64)
            case .avx2:
                MatrixKernels(
                    chunks: orrery_sgemm_chunks_avx2, multiply: orrery_sgemm_avx2, lanes: orrery_sgemm_lanes_avx2,
                    packChunks: orrery_sgemm_pack_chunks_avx2, pack: orrery_sgemm_pack_avx2)
            case .avx512:
                MatrixKernels(
                    chunks: orrery_sgemm_chunks_avx512, multiply: orrery_sgemm_avx512, lanes: orrery_sgemm_lanes_avx512,
                    packChunks: orrery_sgemm_pack_chunks_avx512, pack: orrery_sgemm_pack_avx512)
        #endif
        default: nil
        }
    }

    static func multiply(
        _ library: OpenBLAS, _ a: MatrixView<Float>, _ b: MatrixView<Float>, into c: MutableMatrixView<Float>,
        accumulate: Bool
    ) {
        library.sgemm(a, b, into: c, accumulate: accumulate)
    }
}

extension Double: MatrixKernelElement {
    static func product(_ x: ProductOperands<Double>) -> orrery_dgemm {
        orrery_dgemm(
            rows: x.c.rows, columns: x.c.columns, inner: x.a.columns, a: x.a.pointer, a_row: x.a.rowStride,
            a_column: x.a.columnStride, b: x.b.pointer, b_row: x.b.rowStride, b_column: x.b.columnStride,
            panels: x.panels, c: x.c.pointer, c_row: x.c.rowStride, accumulate: x.accumulate ? 1 : 0)
    }

    static func kernels(_ path: MatrixProductPath) -> MatrixKernels<Double, orrery_dgemm>? {
        switch path {
        case .portable:
            MatrixKernels(
                chunks: orrery_dgemm_chunks_portable, multiply: orrery_dgemm_portable,
                lanes: orrery_dgemm_lanes_portable, packChunks: orrery_dgemm_pack_chunks_portable,
                pack: orrery_dgemm_pack_portable)
        #if arch(x86_64)
            case .avx2:
                MatrixKernels(
                    chunks: orrery_dgemm_chunks_avx2, multiply: orrery_dgemm_avx2, lanes: orrery_dgemm_lanes_avx2,
                    packChunks: orrery_dgemm_pack_chunks_avx2, pack: orrery_dgemm_pack_avx2)
            case .avx512:
                MatrixKernels(
                    chunks: orrery_dgemm_chunks_avx512, multiply: orrery_dgemm_avx512, lanes: orrery_dgemm_lanes_avx512,
                    packChunks: orrery_dgemm_pack_chunks_avx512, pack: orrery_dgemm_pack_avx512)
        #endif
        default: nil
        }
    }

    static func multiply(
        _ library: OpenBLAS, _ a: MatrixView<Double>, _ b: MatrixView<Double>, into c: MutableMatrixView<Double>,
        accumulate: Bool
    ) {
        library.dgemm(a, b, into: c, accumulate: accumulate)
    }
}
