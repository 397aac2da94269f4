import Glibc
import Kernels
import Testing

@Suite("OpenBLAS, where it is installed")
struct OpenBLASTests {
    private func library() throws -> OpenBLAS {
        guard let library = OpenBLAS.shared else { try Test.cancel("\(OpenBLAS.missing ?? "")") }
        return library
    }

    @Test("runs the kernels of this processor, whatever the environment said")
    func core() throws {
        let library = try library()
        #expect(!library.coreName.isEmpty)
        #expect(library.configuration.contains("OpenBLAS"))
        #expect(getenv("OPENBLAS_CORETYPE") == nil && getenv("OPENBLAS_L2_SIZE") == nil)
    }

    @Test("multiplies a matrix by a vector, as stored and transposed")
    func vector() throws {
        let library = try library()
        let a = try Matrix<Float>([[1, 2, 3], [4, 5, 6]])
        var y: [Float] = [0, 0]
        library.sgemv(a.view, [1, 10, 100], into: &y)
        #expect(y == [321, 654])
        var z: [Float] = [0, 0, 0]
        library.sgemv(a.view.transposed, [1, 10], into: &z)
        #expect(z == [41, 52, 63])
    }

    @Test("is not given what it cannot take")
    func strides() throws {
        let a = try Matrix<Float>(random: 4, 4, seed: 1)
        let apart = MatrixView(a.view.pointer, rows: 2, columns: 2, rowStride: 8, columnStride: 2)
        #expect(!OpenBLAS.takes(apart))
        #expect(OpenBLAS.takes(a.view) && OpenBLAS.takes(a.view.transposed))
        _ = try library()
        let c = try Matrix<Float>(random: 2, 2, seed: 2)
        let error = #expect(throws: KernelError.self) {
            try MatrixProduct.multiply(apart, apart, into: c.mutableView, path: .openBLAS)
        }
        #expect(
            error?.sentence == "matrix product/openBLAS cannot run on this machine: OpenBLAS needs contiguous rows or "
                + "columns and sizes below 2^31.")
        try MatrixProduct.multiply(apart, apart, into: c.mutableView)
    }
}
