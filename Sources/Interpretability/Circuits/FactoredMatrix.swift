public import System
public import Tensors

/// A matrix as the product of a tall and a wide one, which is never made: A B with `[m, r]` and `[r, n]`.
///
/// Circuits of heads are of rank r = the head's width, however large the vocabulary is.
///
/// - Source: TransformerLens, `FactoredMatrix`.
public struct FactoredMatrix<Scalar: FloatingAccumulator>: Sendable {
    /// A, `[m, r]`.
    public let left: Tensor<Scalar>
    /// B, `[r, n]`.
    public let right: Tensor<Scalar>

    /// - Throws: `Problem` if the inner sizes differ, or if a factor is not a matrix.
    public init(_ left: Tensor<Scalar>, _ right: Tensor<Scalar>) throws(Problem) {
        guard left.rank == 2, right.rank == 2, left.shape[1] == right.shape[0] else {
            throw Problem(
                .invalid, "factored matrix", "the shapes of the factors, \(left.shape) and \(right.shape), do not match"
            )
        }
        self.left = left
        self.right = right
    }

    /// m.
    public var rows: Int { left.shape[0] }
    /// n.
    public var columns: Int { right.shape[1] }
    /// r: no more singular values than this are above 0.
    public var inner: Int { left.shape[1] }

    /// (A B)ᵀ.
    public var transposed: FactoredMatrix {
        FactoredMatrix(unchecked: right.transposed(), left.transposed())
    }

    private init(unchecked left: Tensor<Scalar>, _ right: Tensor<Scalar>) {
        self.left = left
        self.right = right
    }

    /// The product itself, `[m, n]`: for matrices of the size of the residual stream, not of the vocabulary.
    public func product() throws(Problem) -> Tensor<Scalar> { try telling { try matmul(left, right) } }

    /// A B x for a vector `[n]`, or A B X for `[n, k]`. O((m + n) r k).
    public func times(_ x: Tensor<Scalar>) throws(Problem) -> Tensor<Scalar> {
        try telling { try matmul(left, try matmul(right, x)) }
    }

    /// (A B) (C D) as a factored matrix of the smaller inner size.
    public func times(_ other: FactoredMatrix) throws(Problem) -> FactoredMatrix {
        let middle = try telling { try matmul(right, other.left) }
        return inner <= other.inner
            ? try FactoredMatrix(left, try telling { try matmul(middle, other.right) })
            : try FactoredMatrix(try telling { try matmul(left, middle) }, other.right)
    }

    /// One row, `[n]`: of an OV circuit of tokens, what attending to that token adds to each logit.
    public func row(_ index: Int) throws(Problem) -> Tensor<Scalar> {
        try telling { try matmul(try left[index], right) }
    }

    /// One column, `[m]`.
    public func column(_ index: Int) throws(Problem) -> Tensor<Scalar> {
        try telling { try matmul(left, try right[.all, index]) }
    }

    public func element(_ row: Int, _ column: Int) throws(Problem) -> Scalar {
        try telling { try dot(try left[row], try right[.all, column]).elements[0] }
    }
}
