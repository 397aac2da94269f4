import Kernels
import Testing

/// The checks themselves are checked: a gate that lets faults through is useless.
@Suite("The gate of attention")
struct AttentionGateTests {
    @Test(
        "finds a planted fault",
        arguments: [
            ("a mask that is off by one", AttentionShape(queries: 1024, keys: 1023, width: 16, isCausal: true)),
            ("a window that is one too wide", AttentionShape(queries: 1024, width: 16, window: 301)),
            ("a scale that is 0.1 % off", AttentionShape(queries: 1024, width: 16, isCausal: true, scale: 0.25025)),
        ])
    func plantedFault(fault: String, wrong: AttentionShape) throws {
        var right = AttentionShape(queries: 1024, width: 16, isCausal: true)
        if wrong.window != nil { right.window = 300 }
        let problem = try AttentionProblem(right, seed: 6)
        problem.poisonOutput()
        try Attention.forward(
            q: problem.queryView, k: problem.keyView, v: problem.valueView, into: problem.outputView,
            logSumExp: problem.logSumExp.pointer, shape: wrong, pool: .single)
        #expect(!problem.agreement().agrees, "\(fault) went unnoticed")
        try problem.run(.automatic)
        #expect(problem.agreement().agrees)
    }

    @Test("finds an element that was never written, in each result")
    func poison() throws {
        let problem = try AttentionBackwardProblem(AttentionShape(queries: 6, width: 5), seed: 6)
        try problem.run(.automatic)
        #expect(problem.agreement().agrees)
        for buffer in [problem.dQ, problem.dK, problem.dV] {
            let before = buffer[7]
            buffer[7] = .nan
            #expect(problem.agreement().worst == .infinity)
            buffer[7] = before
        }
        problem.forward.o[29] = .nan
        #expect(problem.forward.agreement().worst == .infinity)
    }

    @Test("says that there is no memory for all scores, and goes on with the next rung", arguments: ["naive", "gemm"])
    func shortage(name: String) throws {
        let operation = KernelOperation.attention
        let problem = try operation.problem(try operation.shape("queries=524288,keys=524288,d=1,window=2"))
        #expect {
            try operation.verify(operation.variant(name), on: problem, pool: .single)
        } throws: {
            "\($0)".hasSuffix("the sizes need 1.1 TB of memory, more than is free. Use smaller sizes..")
        }
        try operation.verify(operation.variant("flash-threads"), on: problem, pool: .shared)
    }

    @Test("counts a gradient without the mean δ as wrong")
    func missingDelta() throws {
        let problem = try AttentionBackwardProblem(AttentionShape(queries: 40, width: 8, isCausal: true), seed: 6)
        let output = problem.forward.o.elements.map(\.self)
        problem.forward.o.elements.update(repeating: 0)  // δ = Σ dO o becomes 0
        try problem.run(.automatic)
        _ = problem.forward.o.elements.update(fromContentsOf: output)
        #expect(!problem.agreement().agrees)
    }

    @Test(
        "agrees with central differences of the forward",
        arguments: [
            AttentionShape(queries: 5, keys: 7, width: 3),
            AttentionShape(heads: 4, kvHeads: 2, queries: 5, keys: 6, width: 3, isCausal: true, window: 3),
        ])
    func centralDifferences(shape: AttentionShape) throws {
        let problem = try AttentionBackwardProblem(shape, seed: 12)
        try problem.run(.automatic)
        let forward = problem.forward
        /// Σ dO O, whose gradient the backward gives, in float64.
        func loss() -> Double {
            var sum = 0.0
            for head in 0..<shape.heads {
                for query in 0..<shape.queries {
                    let row = forward.twin.row(head: head, query: query)
                    for c in 0..<shape.width {
                        let i = (head * shape.queries + query) * shape.width + c
                        sum += row.output[c] * Double(problem.dO[i])
                    }
                }
            }
            return sum
        }
        for (operand, gradient) in [(forward.q, problem.dQ), (forward.k, problem.dK), (forward.v, problem.dV)] {
            for i in 0..<operand.count {
                let here = operand[i]
                let (above, below) = (here + 0x1p-9, here - 0x1p-9)
                operand[i] = above
                let upper = loss()
                operand[i] = below
                let lower = loss()
                operand[i] = here
                let slope = (upper - lower) / (Double(above) - Double(below))
                #expect(abs(slope - Double(gradient[i])) < 2e-5 * (1 + abs(slope)))
            }
        }
    }
}
