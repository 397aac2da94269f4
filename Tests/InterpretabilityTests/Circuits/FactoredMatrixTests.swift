import Interpretability
import System
import Tensors
import Testing

@Suite("Factored matrices")
struct FactoredMatrixTests {
    private func random(_ rows: Int, _ inner: Int, _ columns: Int, seed: UInt64) throws -> FactoredMatrix<Double> {
        try FactoredMatrix(
            .normal([rows, inner], seed: seed), .normal([inner, columns], seed: seed, stream: 1))
    }

    @Test("multiply, turn, and give rows and elements as the product would", arguments: [(9, 3, 7), (5, 6, 4)])
    func products(rows: Int, inner: Int, columns: Int) throws {
        let matrix = try random(rows, inner, columns, seed: 1)
        let dense = try matrix.product()
        let x = try Tensor<Double>.normal([columns, 2], seed: 3)
        #expect(misfit(try matrix.times(x), try matmul(dense, x), within: 1e-12) <= 1)
        #expect(misfit(try matrix.transposed.product(), dense.transposed(), within: 1e-12) <= 1)
        #expect(misfit(try matrix.row(2), try dense[2], within: 1e-12) <= 1)
        #expect(misfit(try matrix.column(-1), try dense[.all, -1], within: 1e-12) <= 1)
        #expect(abs(try matrix.element(1, 3) - dense.element(at: [1, 3])) <= 1e-12)
        let other = try random(columns, 2, 8, seed: 4)
        let both = try matrix.times(other)
        #expect(both.inner == 2)
        #expect(misfit(try both.product(), try matmul(dense, other.product()), within: 1e-12) <= 1)
    }

    @Test("have the singular values and vectors of the product", arguments: [(9, 3, 7), (5, 6, 4)])
    func singularValues(rows: Int, inner: Int, columns: Int) throws {
        let matrix = try random(rows, inner, columns, seed: 5)
        let dense = try matrix.product()
        let expected = try dense.singularValues()
        let values = try matrix.singularValues()
        #expect(misfit(values, try expected[0..<values.count], within: 1e-12) <= 1)
        let (left, found, right) = try matrix.singularVectors()
        #expect(misfit(found, values, within: 1e-12) <= 1)
        #expect(misfit(try matmul(left * found, right), dense, within: 1e-12) <= 1)
        #expect(abs(try matrix.norm() - dense.norm()) <= 1e-12)
    }

    @Test("have the eigenvalues of the product, and its trace")
    func eigenvalues() throws {
        let matrix = try random(12, 4, 12, seed: 6)
        let dense = try GeneralEigenvalues(try matrix.product())
        let found = try matrix.eigenvalues()
        #expect(misfit(try Tensor(found.real), try dense.real[0..<4], within: 1e-11) <= 1)
        #expect(misfit(try Tensor(found.imaginary.map(abs)), try abs(try dense.imaginary[0..<4]), within: 1e-11) <= 1)
        #expect(abs(try matrix.trace() - found.real.reduce(0, +)) <= 1e-11)
        let error = #expect(throws: Problem.self) { try random(3, 2, 4, seed: 0).eigenvalues() }
        #expect(error?.what == "3 by 4 is not square, so it has no eigenvalues")
    }

    @Test("copy with a score of 1, take away with -1, and turn with 0")
    func copying() throws {
        #expect(Spectrum(real: [2, 1], imaginary: [0, 0]).copyingScore == 1)
        #expect(Spectrum(real: [-2, -1], imaginary: [0, 0]).copyingScore == -1)
        #expect(Spectrum(real: [0, 0], imaginary: [1, -1]).copyingScore == 0)
    }

    @Test("find their largest and smallest elements strip by strip", arguments: [true, false])
    func entries(largest: Bool) throws {
        // 3,000 columns: several strips.
        let matrix = try random(900, 4, 3000, seed: 7)
        let dense = try matrix.product().elements
        let found = try matrix.topEntries(5, largest: largest)
        for entry in found { #expect(abs(entry.value - dense[entry.row * 3000 + entry.column]) <= 1e-12) }
        let values = found.map(\.value)
        #expect(values == values.sorted { largest ? $0 > $1 : $0 < $1 } && Set(values).count == 5)
        let bound = try #require(values.last)
        // As many elements as were found, and no more, are at least as far out.
        #expect(dense.count { largest ? $0 >= bound - 1e-12 : $0 <= bound + 1e-12 } == 5)
        let some = try matrix.topEntries(3, rows: [4, 800], largest: largest)
        #expect(some.allSatisfy { [4, 800].contains($0.row) } && some.count == 3)
    }

    @Test("refuse factors that do not fit")
    func refusal() throws {
        let error = #expect(throws: Problem.self) {
            try FactoredMatrix<Double>(.zeros(3, 2), .zeros(3, 2))
        }
        #expect(error?.what == "the shapes of the factors, [3, 2] and [3, 2], do not match")
    }
}
