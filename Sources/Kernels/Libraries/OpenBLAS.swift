internal import Glibc
internal import Synchronization

/// The OpenBLAS of this machine, opened when it is first asked for: a yardstick, and a path of `MatrixProduct`.
///
/// Before it is opened this process forgets `OPENBLAS_CORETYPE` and `OPENBLAS_L2_SIZE`. Machines that are shared set
/// them to the least of their processors, and the library would run at half the speed that it has here. Unless
/// `OPENBLAS_THREAD_TIMEOUT` is set, its threads are set to sleep 25 µs after their work rather than 26 ms: they would
/// spin on the processors that the next kernel needs.
///
/// `$ORRERY_OPENBLAS` names a library of the user's own.
public final class OpenBLAS: Sendable {
    /// The library; `nil` if there is none.
    public static let shared: OpenBLAS? = OpenBLAS()

    /// Why there is none; `nil` if there is.
    public static var missing: String? {
        shared == nil
            ? "OpenBLAS is not installed (libopenblas.so.0; set ORRERY_OPENBLAS to use a different file)" : nil
    }

    /// The kernels that it chose for this processor: `Cooperlake`.
    public let coreName: String
    /// Version and build options, in its own words.
    public let configuration: String
    /// The file that was opened, as it was asked for.
    public let path: String

    private let functions: Functions
    /// The number of threads last set in the library. Held while a product runs: the number is one for the process.
    private let threads = Mutex(0)

    private typealias MultiplyFloats =
        @convention(c) (
            Int32, Int32, Int32, Int32, Int32, Int32, Float, UnsafePointer<Float>, Int32, UnsafePointer<Float>, Int32,
            Float, UnsafeMutablePointer<Float>, Int32
        ) -> Void
    private typealias MultiplyDoubles =
        @convention(c) (
            Int32, Int32, Int32, Int32, Int32, Int32, Double, UnsafePointer<Double>, Int32, UnsafePointer<Double>,
            Int32,
            Double, UnsafeMutablePointer<Double>, Int32
        ) -> Void
    private typealias MultiplyVector =
        @convention(c) (
            Int32, Int32, Int32, Int32, Float, UnsafePointer<Float>, Int32, UnsafePointer<Float>, Int32, Float,
            UnsafeMutablePointer<Float>, Int32
        ) -> Void

    private struct Functions: Sendable {
        let sgemm: MultiplyFloats
        let dgemm: MultiplyDoubles
        let sgemv: MultiplyVector
        let setThreads: @convention(c) (Int32) -> Void
    }

    // The values of cblas.h.
    private static let rowMajor: Int32 = 101
    private static let plain: Int32 = 111
    private static let transposed: Int32 = 112

    private init?() {
        unsetenv("OPENBLAS_CORETYPE")
        unsetenv("OPENBLAS_L2_SIZE")
        setenv("OPENBLAS_THREAD_TIMEOUT", "16", 0)
        let own = getenv("ORRERY_OPENBLAS").map { String(cString: $0) }
        let usual = [
            "libopenblas.so.0", "libopenblas.so", "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0",
            "/usr/lib/aarch64-linux-gnu/openblas-pthread/libopenblas.so.0", "/usr/local/lib/libopenblas.so.0",
            "/usr/lib64/libopenblasp.so.0", "/opt/OpenBLAS/lib/libopenblas.so.0",
        ]
        for path in own.map({ [$0] }) ?? usual {
            guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { continue }
            func function<Function>(_ name: String) -> Function? {
                dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
            }
            func text(_ name: String) -> String {
                let ask: (@convention(c) () -> UnsafePointer<CChar>?)? = function(name)
                return ask?().map { String(cString: $0) } ?? ""
            }
            guard let sgemm: MultiplyFloats = function("cblas_sgemm"),
                let dgemm: MultiplyDoubles = function("cblas_dgemm"),
                let sgemv: MultiplyVector = function("cblas_sgemv"),
                let setThreads: @convention(c) (Int32) -> Void = function("openblas_set_num_threads")
            else {
                dlclose(library)
                continue
            }
            functions = Functions(sgemm: sgemm, dgemm: dgemm, sgemv: sgemv, setThreads: setThreads)
            coreName = text("openblas_get_corename")
            configuration = text("openblas_get_config")
            self.path = path
            return
        }
        return nil
    }

    /// Runs products with that number of threads, one caller after the other.
    public func withThreads<Result>(_ count: Int, _ body: () throws -> Result) rethrows -> Result {
        try threads.withLock { current in
            if current != count {
                functions.setThreads(Int32(clamping: count))
                current = count
            }
            return try body()
        }
    }

    /// Whether a matrix can be handed to it: rows or columns without gaps between elements, sizes below 2^31.
    public static func takes<Element>(_ matrix: MatrixView<Element>) -> Bool {
        let sizes = [matrix.rows, matrix.columns, matrix.rowStride, matrix.columnStride]
        return sizes.allSatisfy { (0...Int(Int32.max)).contains($0) }
            && (matrix.columnStride == 1 && matrix.rowStride >= matrix.columns
                || matrix.rowStride == 1 && matrix.columnStride >= matrix.rows)
    }

    /// C = A B or C += A B; A, B and C as `takes` demands.
    public func sgemm(
        _ a: MatrixView<Float>, _ b: MatrixView<Float>, into c: MutableMatrixView<Float>, accumulate: Bool = false
    ) {
        let x = Sizes(a, b, c)
        functions.sgemm(
            Self.rowMajor, x.orderOfA, x.orderOfB, x.rows, x.columns, x.inner, 1, a.pointer, x.strideOfA, b.pointer,
            x.strideOfB, accumulate ? 1 : 0, c.pointer, x.strideOfC)
    }

    /// C = A B or C += A B in float64.
    public func dgemm(
        _ a: MatrixView<Double>, _ b: MatrixView<Double>, into c: MutableMatrixView<Double>, accumulate: Bool = false
    ) {
        let x = Sizes(a, b, c)
        functions.dgemm(
            Self.rowMajor, x.orderOfA, x.orderOfB, x.rows, x.columns, x.inner, 1, a.pointer, x.strideOfA, b.pointer,
            x.strideOfB, accumulate ? 1 : 0, c.pointer, x.strideOfC)
    }

    /// The sizes of a product as the library counts them.
    private struct Sizes {
        let rows, columns, inner, orderOfA, orderOfB, strideOfA, strideOfB, strideOfC: Int32

        init<Element>(_ a: MatrixView<Element>, _ b: MatrixView<Element>, _ c: MutableMatrixView<Element>) {
            (rows, columns, inner) = (Int32(c.rows), Int32(c.columns), Int32(a.columns))
            (orderOfA, strideOfA) = OpenBLAS.order(a)
            (orderOfB, strideOfB) = OpenBLAS.order(b)
            strideOfC = Int32(max(1, c.rowStride))
        }
    }

    /// y = A x for A [rows, columns], x [columns] and y [rows].
    public func sgemv(_ a: MatrixView<Float>, _ x: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>) {
        let (order, stride) = Self.order(a)
        let isPlain = order == Self.plain
        functions.sgemv(
            Self.rowMajor, order, Int32(isPlain ? a.rows : a.columns), Int32(isPlain ? a.columns : a.rows), 1,
            a.pointer, stride, x, 1, 0, y, 1)
    }

    /// Whether a matrix is stored as it is or transposed, and the stride of what is stored.
    private static func order<Element>(_ matrix: MatrixView<Element>) -> (order: Int32, stride: Int32) {
        let isPlain = matrix.columnStride == 1 && matrix.rowStride >= matrix.columns
        return (isPlain ? plain : transposed, Int32(max(1, isPlain ? matrix.rowStride : matrix.columnStride)))
    }
}
