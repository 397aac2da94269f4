import Kernels
import Testing

@Suite("The ladders of prompts by weights")
struct PrefillLadderTests {
    static let operations = [KernelOperation.prefillF16, .prefillQ8_0, .prefillQ4_0, .prefillQ4_K]

    @Test("every rung agrees with the twin", arguments: operations.indices)
    func agreement(index: Int) throws {
        let operation = Self.operations[index]
        for variant in operation.variants where variant.unavailable == nil {
            for (m, n, k) in [(9, 40, 512), (33, 70, 256), (1, 300, 768)] {
                let problem = try operation.problem(KernelShape(["m": m, "n": n, "k": k]), seed: 9)
                let agreement = try operation.verify(variant, on: problem, pool: .shared)
                #expect(agreement.compared > 0)
            }
        }
    }

    @Test("a planted fault is found: a run lost, an element never written", arguments: operations.indices)
    func plantedFault(index: Int) throws {
        let operation = Self.operations[index]
        let made = try operation.problem(KernelShape(["m": 3, "n": 10, "k": 512]))
        let problem = try #require(made as? PrefillProblem)
        try operation.call(operation.variant("naive"), on: problem, pool: .single)()
        #expect(problem.agreement().agrees)
        let right = problem.y[13]
        var weights = [Float](repeating: 0, count: 512)
        problem.w.decode(row: 3, into: &weights)
        // Half a step of 8 bits is allowed a column; a run of 32 with signs that all agree is more.
        for p in 96..<160 { problem.y[13] -= abs(weights[p] * problem.x[512 + p]) }
        #expect(!problem.agreement().agrees)
        problem.y[13] = .nan
        #expect(!problem.agreement().agrees)
        problem.y[13] = right
        #expect(problem.agreement().agrees)
    }

    @Test("k that is not a multiple of the block is refused in a sentence")
    func wrongShape() throws {
        #expect(throws: KernelError.self) {
            try KernelOperation.prefillQ4_K.problem(KernelShape(["m": 8, "n": 8, "k": 300]))
        }
    }
}
