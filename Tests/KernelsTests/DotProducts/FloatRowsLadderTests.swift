import Kernels
import Testing

@Suite("Rows of 16-bit floats by activations")
struct FloatRowsLadderTests {
    static let operations = [KernelOperation.matvecF16, .matvecBF16]
    static let rungs = operations.flatMap { operation in operation.variants.map { (operation, $0) } }

    @Test("every rung agrees with sums in float64, for odd rows and columns too", arguments: rungs.indices)
    func agreement(index: Int) throws {
        let (operation, variant) = Self.rungs[index]
        try skip(unless: variant.unavailable == nil, variant)
        for (m, n, k) in [(1, 1, 1), (1, 9, 65), (2, 7, 64), (3, 8, 517), (5, 13, 300), (1, 600, 160)] {
            let problem = try operation.problem(KernelShape(["m": m, "n": n, "k": k]), seed: 9)
            #expect(try operation.verify(variant, on: problem, pool: .shared).compared > 0)
        }
    }

    @Test("a planted fault is found: one product lost, one element never written", arguments: operations.indices)
    func plantedFault(index: Int) throws {
        let operation = Self.operations[index]
        let variant = try #require(operation.variants.first { $0.name == "portable" })
        let made = try operation.problem(KernelShape(["m": 2, "n": 10, "k": 512]))
        let problem = try #require(made as? PrefillProblem)
        #expect(try operation.verify(variant, on: problem, pool: .single).agrees)
        var weights = [Float](repeating: 0, count: 512)
        problem.w.decode(row: 3, into: &weights)
        let right = problem.y.pointer[13]
        problem.y.pointer[13] -= weights[77] * problem.x.pointer[512 + 77]
        #expect(!problem.agreement().agrees)
        problem.y.pointer[13] = .nan
        #expect(!problem.agreement().agrees)
        problem.y.pointer[13] = right
        #expect(problem.agreement().agrees)
    }
}
