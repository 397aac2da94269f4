import Tensors
import Testing

@Suite("Eigenvalues of matrices that are not symmetric")
struct GeneralEigenvaluesTests {
    /// Pairs each value with the nearest that is left: no order is agreed upon among equal magnitudes.
    private func farthest(_ found: [(Double, Double)], _ expected: [(Double, Double)]) -> Double {
        var left = expected
        var worst = 0.0
        for (real, imaginary) in found {
            let distances = left.map { ($0.0 - real) * ($0.0 - real) + ($0.1 - imaginary) * ($0.1 - imaginary) }
            guard let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }) else { return .infinity }
            worst = max(worst, distances[nearest].squareRoot())
            left.remove(at: nearest)
        }
        return left.isEmpty ? worst : .infinity
    }

    private func values<S: FloatingAccumulator>(_ matrix: Tensor<S>) throws -> [(Double, Double)] {
        let found = try GeneralEigenvalues(matrix)
        return zip(found.real.elements, found.imaginary.elements).map { ($0.float64, $1.float64) }
    }

    @Test(
        "are those of NumPy, in float64 and float32",
        arguments: ["one", "turn", "cycle", "uneven", "low", "triangle", "zero", "seven", "sixty", "symmetric"])
    func golden(name: String) throws {
        let golden = try TensorFile.open(FileGoldens.folder + "/eigenvalues-numpy.npz")
        let matrix = try golden.tensor(named: "\(name)/matrix", as: Double.self)
        let real = try golden.tensor(named: "\(name)/real", as: Double.self).elements
        let imaginary = try golden.tensor(named: "\(name)/imaginary", as: Double.self).elements
        let expected = Array(zip(real, imaginary))
        let scale = max(1e-300, expected.map { max(abs($0.0), abs($0.1)) }.max() ?? 0)
        let found = try values(matrix)
        #expect(found.count == matrix.shape[0])
        #expect(farthest(found, expected) <= 1e-11 * scale)
        if name != "uneven" {
            #expect(farthest(try values(matrix.converted(to: Float.self)), expected) <= 1e-4 * max(1, scale))
        }
    }

    @Test("come by magnitude, pairs together with the positive half first, and add up to the trace")
    func order() throws {
        for seed in 0..<20 as Range<UInt64> {
            let size = 2 + Int(seed) * 2
            let matrix = try Tensor<Double>.normal([size, size], seed: seed)
            let found = try values(matrix)
            let magnitudes = found.map { ($0.0 * $0.0 + $0.1 * $0.1).squareRoot() }
            for i in 1..<size { #expect(magnitudes[i] <= magnitudes[i - 1] * (1 + 1e-12)) }
            for (place, value) in found.enumerated() where value.1 > 0 {
                #expect(found[place + 1] == (value.0, -value.1))
            }
            #expect(abs(found.reduce(0) { $0 + $1.0 } - (try matrix.trace())) <= 1e-11 * Double(size))
        }
    }

    @Test("of no matrix are refused, and of an empty one there are none")
    func edges() throws {
        #expect(try values(Tensor<Double>([], shape: [0, 0])).isEmpty)
        #expect(throws: TensorError.self) { try GeneralEigenvalues(Tensor<Double>([1, 2], shape: [1, 2])) }
        #expect(throws: TensorError.self) { try GeneralEigenvalues(Tensor<Double>([.nan], shape: [1, 1])) }
    }
}
