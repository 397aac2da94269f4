import Tensors
import Testing

@Suite("Linear algebra, as NumPy does it")
struct LinearGoldenTests {
    private let golden: TensorFile

    init() throws { golden = try TensorFile.open(FileGoldens.folder + "/linear-numpy.npz") }

    private func read(_ name: String) throws -> Tensor<Double> { try golden.tensor(named: name, as: Double.self) }

    /// Shape first, then every element, relative to the largest of them.
    private func expectClose(
        _ found: Tensor<Double>, _ name: String, _ tolerance: Double = 1e-13,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = try read(name)
        #expect(found.shape == expected.shape, sourceLocation: sourceLocation)
        let scale = max(1e-300, expected.elements.reduce(0) { max($0, abs($1)) })
        let worst = zip(found.elements, expected.elements).reduce(0) { max($0, abs($1.0 - $1.1)) } / scale
        #expect(worst <= tolerance, "\(name): \(worst)", sourceLocation: sourceLocation)
    }

    @Test("systems, determinants, inverses, powers") func systems() throws {
        let square = try read("square")
        try expectClose(try square.solve(read("right")), "solve", 1e-12)
        try expectClose(try Tensor(square.determinant()), "determinant")
        try expectClose(try square.inverse(), "inverse", 1e-12)
        try expectClose(try square.matrixPower(5), "power5")
        try expectClose(try square.matrixPower(-2), "power-2", 1e-11)
        let (sign, logarithm) = try LUDecomposition(square).logDeterminant
        try expectClose(try Tensor([Double(sign), logarithm]), "logDeterminant")
    }

    @Test("symmetric matrices") func symmetric() throws {
        try expectClose(try read("definite").cholesky(), "cholesky")
        try expectClose(try SymmetricEigen(read("symmetric")).values, "eigenvalues")
        try expectClose(try SymmetricEigen(read("symmetric"), valuesOnly: true).values, "eigenvalues")
    }

    @Test("matrices of all forms", arguments: ["square", "tall", "wide", "deficient"])
    func forms(name: String) throws {
        let matrix = try read(name)
        try expectClose(try matrix.singularValues(), name + "/values")
        try expectClose(try matrix.pseudoInverse(), name + "/pseudoInverse", 2e-12)
        #expect(try Int32(matrix.matrixRank()) == golden.tensor(named: name + "/rank", as: Int32.self).scalar)
        let norms = try MatrixNorm.allCases.map { (kind) in try matrix.norm(kind) }
        try expectClose(try Tensor(norms), name + "/norms")
        try expectClose(try Tensor([0, 1, 2, 3.5, .infinity].map { try matrix.vectorNorm($0) }), name + "/vectorNorms")
    }

    @Test("QR, but for the signs of its columns", arguments: ["square", "tall", "wide"])
    func qr(name: String) throws {
        let qr = try QRDecomposition(read(name))
        let (q, r) = (try qr.orthogonal(), try qr.upper())
        let (rows, k, columns) = (q.shape[0], q.shape[1], r.shape[1])
        let signs: [Double] = try (0..<k).map { try r.element(at: [$0, $0]) < 0 ? -1 : 1 }
        let turnedQ = q.elements.enumerated().map { $1 * signs[$0 % k] }
        let turnedR = r.elements.enumerated().map { $1 * signs[$0 / columns] }
        try expectClose(try Tensor(turnedQ, shape: [rows, k]), name + "/q")
        try expectClose(try Tensor(turnedR, shape: [k, columns]), name + "/r")
    }

    @Test("least squares: by QR, of smallest norm, of lower rank")
    func leastSquares() throws {
        try expectClose(try read("tall").leastSquares(read("rightTall")), "tall/leastSquares")
        try expectClose(try read("wide").leastSquares(read("rightWide")), "wide/leastSquares")
        try expectClose(try read("deficient").leastSquares(read("rightDeficient")), "deficient/leastSquares", 2e-12)
    }

    @Test("float32 is as good as its type can hold") func floats() throws {
        let square = try read("square").converted(to: Float.self)
        let found = try square.inverse().converted(to: Double.self)
        let exact = try square.converted(to: Double.self).inverse().elements
        for (a, b) in zip(found.elements, exact) { #expect(abs(a - b) <= 6e-8 * abs(b)) }
    }
}
