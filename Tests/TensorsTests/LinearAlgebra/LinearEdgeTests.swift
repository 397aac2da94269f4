import Tensors
import Testing

@Suite("Special matrices")
struct LinearEdgeTests {
    private func sentence(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "(no error)"
        } catch {
            return "\(error)"
        }
    }

    @Test("what cannot be done is a sentence")
    func sentences() throws {
        let singular = try Tensor<Double>(rows: [[1, 2, 3], [2, 4, 6], [1, 0, 1]])
        let wide = try Tensor<Float>([1, 2], shape: [1, 2])
        let cases: [(String, () throws -> Void)] = [
            (
                "solve: [3, 3] is singular: column 2 depends on the columns before it. Use leastSquares or "
                    + "pseudoInverse.",
                { _ = try singular.solve(Tensor<Double>([1, 2, 3])) }
            ),
            (
                "inverse: [3, 3] is singular: column 2 depends on the columns before it. Use leastSquares or "
                    + "pseudoInverse.",
                { _ = try singular.inverse() }
            ),
            (
                "Cholesky: [2, 2] is not positive definite: its leading 2 rows and columns are not.",
                { _ = try Tensor<Double>(rows: [[1, 2], [2, 1]]).cholesky() }
            ),
            ("LU: [1, 2] is not a square matrix.", { _ = try wide.determinant() }),
            (
                "solve: [2, 2] and [3] are incompatible: 2 equations have 3 right-hand sides.",
                { _ = try Tensor<Float>(rows: [[1, 0], [0, 1]]).solve(Tensor<Float>([1, 2, 3])) }
            ),
            (
                "svd: [2] has elements that are not finite.",
                { _ = try SingularValueDecomposition(Tensor<Float>([1, .nan])) }
            ),
            (
                "QR: [1, 1, 1] is not a matrix: it has 3 axes, not 2.",
                { _ = try QRDecomposition(Tensor<Float>([1], shape: [1, 1, 1])) }
            ),
        ]
        for (expected, body) in cases { #expect(sentence(body) == expected) }
    }

    @Test("a matrix that is not definite is found in every block", arguments: [1, 31, 32, 40, 70])
    func indefinite(place: Int) throws {
        let matrix = Naive(80, 80) { row, column in row != column ? 0 : row == place ? -1 : 1 }
        let error = #expect(throws: TensorError.self) { _ = try matrix.tensor.cholesky() }
        #expect(error?.problem == "is not positive definite: its leading \(place + 1) rows and columns are not")
    }

    @Test("singular matrices have determinant 0, rank and least squares")
    func singular() throws {
        let matrix = try Tensor<Double>(rows: [[1, 2], [2, 4]])
        #expect(try matrix.determinant() == 0)
        #expect(try LUDecomposition(matrix).logDeterminant.sign == 0)
        #expect(try matrix.matrixRank() == 1)
        #expect(try matrix.conditionNumber() > 1e15)
        let x = try matrix.leastSquares(Tensor<Double>([5, 10])).elements
        #expect(abs(x[0] - 1) < 1e-14 && abs(x[1] - 2) < 1e-14)
    }

    @Test("zeros, equal values and graded values are decomposed", arguments: [1, 2, 5, 40])
    func degenerate(n: Int) throws {
        let matrices = [
            Naive(n, n) { _, _ in 0 },
            Naive(n, n) { $0 == $1 ? 3 : 0 },
            Naive(n, n) { _, _ in 1 },
            Naive(n, n) { ($0 == $1 ? 1.0 : 0.5) * Double(sign: .plus, exponent: -5 * max($0, $1), significand: 1) },
            Naive(n, n) { $0 == n - 1 - $1 ? 1e200 : 0 },
            Naive(n, n) { $1 == $0 + 1 ? 1 : 0 },
        ]
        for matrix in matrices {
            let svd = try SingularValueDecomposition(matrix.tensor)
            let (u, v) = (Naive(svd.left), Naive(svd.rightTransposed))
            let values = svd.values.elements
            let product = Naive(n, n) { u[$0, $1] * values[$1] } * v
            let worst = zip(product.elements, matrix.elements).reduce(0) { max($0, abs($1.0 - $1.1)) }
            #expect(worst <= 20 * Double(n) * 0x1p-52 * matrix.largest)
            #expect(u.orthogonality < 8 && v.transposed.orthogonality < 8)
            let symmetric = matrix + matrix.transposed
            let eigen = try SymmetricEigen(symmetric.tensor)
            let vectors = Naive(try #require(eigen.vectors))
            let back = Naive(n, n) { vectors[$0, $1] * eigen.values.elements[$1] } * vectors.transposed
            let error = zip(back.elements, symmetric.elements).reduce(0) { max($0, abs($1.0 - $1.1)) }
            #expect(error <= 20 * Double(n) * 0x1p-52 * symmetric.largest)
        }
    }

    @Test("matrices without elements are decomposed")
    func empty() throws {
        let empty = try Tensor<Double>([], shape: [0, 0])
        #expect(try empty.determinant() == 1)
        #expect(try empty.inverse().shape == [0, 0])
        #expect(try empty.singularValues().shape == [0])
        #expect(try SymmetricEigen(empty).values.shape == [0])
        #expect(try QRDecomposition(Tensor<Double>([], shape: [0, 3])).upper().shape == [0, 3])
        #expect(try Tensor<Double>([], shape: [3, 0]).matrixRank() == 0)
        #expect(try Tensor<Double>([], shape: [3, 0]).norm() == 0)
    }

    @Test("norms and traces of extreme elements")
    func extremes() throws {
        for scale in [1e200, 1, 1e-200] {
            let length = try Tensor<Double>([3 * scale, -4 * scale]).vectorNorm()
            #expect(abs(length / scale - 5) < 4e-15)
        }
        #expect(try Tensor<Double>([.infinity, 1]).vectorNorm() == .infinity)
        #expect(try Tensor<Double>(rows: [[1, 2, 3], [4, 5, 6]]).trace() == 6)
        #expect(try Tensor<Double>(rows: [[2]]).matrixPower(0).elements == [1])
    }
}
