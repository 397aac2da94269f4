/// Who computes a matrix product.
public enum MatrixProductPath: String, CaseIterable, Sendable {
    /// The widest vectors that this processor has.
    case automatic
    /// Vectors of 16 bytes, on any processor.
    case portable
    case avx2
    case avx512
    /// The system's OpenBLAS. Its order of sums is its own and depends on the number of rows and threads, which is why
    /// `automatic` never takes it.
    case openBLAS

    /// Why it cannot run here; `nil` if it can.
    public var unavailable: String? {
        switch self {
        case .automatic, .portable: nil
        case .avx2: ProcessorFeatures.present.contains(.avx2) ? nil : "this processor has no AVX2"
        case .avx512: ProcessorFeatures.present.contains(.avx512) ? nil : "this processor has no AVX-512"
        case .openBLAS: OpenBLAS.missing
        }
    }
}

extension MatrixProduct {
    /// The path that `automatic` stands for.
    ///
    /// The widest of our kernels, for every class of shapes: from 256 rows and columns on, and for few rows against
    /// packed weights of any size, they are level with OpenBLAS or ahead. OpenBLAS is up to a third quicker on products
    /// below 128 x 128, but the order of its sums depends on the number of rows; here a row has the same bits alone
    /// and among others, so that neither `rows` nor a library ever decides.
    public static func chosenPath(
        rows: Int, columns: Int, inner: Int, element: KernelArithmetic = .float32
    ) -> MatrixProductPath {
        let present = ProcessorFeatures.present
        return present.contains(.avx512) ? .avx512 : present.contains(.avx2) ? .avx2 : .portable
    }
}
