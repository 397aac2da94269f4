import Tensors
import Testing

/// Residuals in units of n ε ‖A‖: what backward stability promises, whatever the condition.
@Suite("Residuals of linear algebra")
struct LinearResidualTests {
    /// Around the sizes at which blocks begin.
    static let sizes = [1, 2, 3, 15, 16, 17, 32, 33, 64, 65, 97, 130]

    private func random(_ rows: Int, _ columns: Int, seed: UInt64 = 1) throws -> Naive {
        Naive(try Tensor<Double>.normal([rows, columns], seed: seed))
    }

    /// The largest difference in units of n ε times the largest sum of magnitudes in a row of `scale`.
    private func residual(_ a: Naive, _ b: Naive, scale: Naive) -> Double {
        #expect(a.rows == b.rows && a.columns == b.columns)
        let difference = zip(a.elements, b.elements).reduce(0) { max($0, abs($1.0 - $1.1)) }
        return difference / (Double(max(a.rows, a.columns, scale.columns)) * 0x1p-52 * scale.infinityNorm)
    }

    @Test("P A = L U, A X = B", arguments: sizes)
    func lu(n: Int) throws {
        let a = try random(n, n)
        let lu = try LUDecomposition(a.tensor)
        let permuted = Naive(n, n) { a[lu.order[$0], $1] }
        #expect(residual(Naive(try lu.lower()) * Naive(try lu.upper()), permuted, scale: a) < 4)
        #expect(Naive(try lu.lower()).elements.allSatisfy { abs($0) <= 1 })
        let b = try random(n, 3, seed: 2)
        let x = Naive(try lu.solve(b.tensor))
        #expect(residual(a * x, b, scale: Naive(n, n) { a[$0, $1] * x.largest }) < 4)
    }

    @Test("A = L Lᵀ", arguments: sizes)
    func cholesky(n: Int) throws {
        let root = try random(n, n)
        let a = root * root.transposed + Naive(n, n) { $0 == $1 ? 1 : 0 }
        let decomposition = try CholeskyDecomposition(a.tensor)
        let l = Naive(try decomposition.lower())
        #expect(residual(l * l.transposed, a, scale: a) < 1)
        let b = try random(n, 2, seed: 2)
        let x = Naive(try decomposition.solve(b.tensor))
        #expect(residual(a * x, b, scale: Naive(n, n) { a[$0, $1] * x.largest }) < 2)
    }

    @Test("A = Q R, Qᵀ Q = I", arguments: sizes, [0, 1, 40])
    func qr(n: Int, more: Int) throws {
        for a in [try random(n + more, n), try random(n, n + more)] {
            let qr = try QRDecomposition(a.tensor)
            let q = Naive(try qr.orthogonal())
            #expect(residual(q * Naive(try qr.upper()), a, scale: a) < 2)
            #expect(q.orthogonality < 2)
        }
    }

    @Test("A V = V Λ, Vᵀ V = I", arguments: sizes)
    func eigen(n: Int) throws {
        let half = try random(n, n)
        let a = half + half.transposed
        let eigen = try SymmetricEigen(a.tensor)
        let v = Naive(try #require(eigen.vectors))
        let values = eigen.values.elements
        #expect(values == values.sorted())
        #expect(residual(a * v, Naive(n, n) { v[$0, $1] * values[$1] }, scale: a) < 4)
        #expect(v.orthogonality < 4)
    }

    @Test("A = U Σ Vᵀ, with Jacobi's singular values", arguments: sizes, [0, 1, 90])
    func svd(n: Int, more: Int) throws {
        let matrices = [try random(n + more, n), try random(n, n + more)]
        for (index, a) in matrices.enumerated() {
            let svd = try SingularValueDecomposition(a.tensor)
            let (u, v) = (Naive(svd.left), Naive(svd.rightTransposed).transposed)
            let values = svd.values.elements
            #expect(values == values.sorted(by: >) && values.allSatisfy { $0 >= 0 })
            let product = Naive(u.rows, n) { u[$0, $1] * values[$1] } * v.transposed
            #expect(residual(product, a, scale: a) < 4)
            #expect(u.orthogonality < 4 && v.orthogonality < 4)
            if n <= 33 {
                let expected = (index == 0 ? a : a.transposed).jacobiSingularValues
                for (found, exact) in zip(values, expected) {
                    #expect(abs(found - exact) < 4 * Double(n) * 0x1p-52 * expected[0])
                }
            }
        }
    }
}

/// Textbook loops over doubles, which share nothing with what they test.
struct Naive {
    let rows: Int
    let columns: Int
    var elements: [Double]

    init(_ rows: Int, _ columns: Int, _ element: (Int, Int) -> Double) {
        self.rows = rows
        self.columns = columns
        elements = (0..<rows * columns).map { element($0 / max(1, columns), $0 % max(1, columns)) }
    }

    init(_ tensor: Tensor<Double>) {
        (rows, columns, elements) = (tensor.shape[0], tensor.shape[1], tensor.elements)
    }

    var tensor: Tensor<Double> { get throws { try Tensor(elements, shape: [rows, columns]) } }

    subscript(row: Int, column: Int) -> Double { elements[row * columns + column] }

    var transposed: Naive { Naive(columns, rows) { self[$1, $0] } }

    static func * (a: Naive, b: Naive) -> Naive {
        var product = Naive(a.rows, b.columns) { _, _ in 0 }
        for i in 0..<a.rows {
            for k in 0..<a.columns {
                let factor = a[i, k]
                for j in 0..<b.columns { product.elements[i * b.columns + j] += factor * b.elements[k * b.columns + j] }
            }
        }
        return product
    }

    static func + (a: Naive, b: Naive) -> Naive { Naive(a.rows, a.columns) { a[$0, $1] + b[$0, $1] } }

    var largest: Double { elements.reduce(0) { max($0, abs($1)) } }

    var infinityNorm: Double {
        (0..<rows).map { row in (0..<columns).reduce(0) { $0 + abs(self[row, $1]) } }.max() ?? 0
    }

    /// The largest element of AᵀA - I in units of n ε.
    var orthogonality: Double {
        let product = transposed * self
        return Naive(columns, columns) { product[$0, $1] - ($0 == $1 ? 1 : 0) }.largest / (Double(rows) * 0x1p-52)
    }

    /// Columns are turned against each other until all are orthogonal; their lengths are the singular values (Hestenes
    /// 1958).
    var jacobiSingularValues: [Double] {
        var a = (0..<columns).map { column in (0..<rows).map { self[$0, column] } }
        func dot(_ i: Int, _ j: Int) -> Double { zip(a[i], a[j]).reduce(0) { $0 + $1.0 * $1.1 } }
        for _ in 0..<30 {
            for i in 0..<columns {
                for j in i + 1..<max(columns, i + 1) {
                    let side = dot(i, j)
                    guard side != 0 else { continue }
                    let ratio = (dot(j, j) - dot(i, i)) / (2 * side)
                    let tangent = (ratio < 0 ? -1 : 1) / (abs(ratio) + (1 + ratio * ratio).squareRoot())
                    let cosine = 1 / (1 + tangent * tangent).squareRoot()
                    for row in 0..<rows {
                        let (x, y) = (a[i][row], a[j][row])
                        a[i][row] = cosine * (x - tangent * y)
                        a[j][row] = cosine * (tangent * x + y)
                    }
                }
            }
        }
        return a.indices.map { dot($0, $0).squareRoot() }.sorted(by: >)
    }
}
