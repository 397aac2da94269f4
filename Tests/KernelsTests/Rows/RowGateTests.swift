import Kernels
import Testing

/// The ladders as a person meets them: by name, by size, and with a gate that lets no fault through.
@Suite("The ladders of the row operations")
struct RowGateTests {
    static let operations = ["softmax": KernelOperation.softmax, "layer-norm": .layerNorm, "rms-norm": .rmsNorm]

    @Test("pass their gates on every rung that runs here", arguments: operations.keys.sorted())
    func everyRung(name: String) throws {
        let operation = try #require(Self.operations[name])
        for shape in ["rows=5,columns=70", "rows=33,columns=1024", "rows=1,columns=1"] {
            let problem = try operation.problem(operation.shape(shape))
            for variant in operation.variants where variant.unavailable == nil {
                let agreement = try operation.verify(variant, on: problem, pool: .shared)
                #expect(agreement.worst <= 1 && agreement.compared > 0, "\(name)/\(variant.name), \(shape)")
            }
        }
    }

    @Test("pass with gain and bias", arguments: ["layer-norm", "rms-norm"])
    func affine(name: String) throws {
        let operation = try #require(Self.operations[name])
        for shape in ["rows=5,columns=70,affine=1", "rows=20,columns=2500,affine=1"] {
            let problem = try operation.problem(operation.shape(shape))
            for variant in operation.variants where variant.unavailable == nil {
                try operation.verify(variant, on: problem, pool: .shared)
            }
        }
    }

    @Test("say what they cost: 8 bytes a number", arguments: operations.keys.sorted())
    func cost(name: String) throws {
        let operation = try #require(Self.operations[name])
        let cost = operation.cost(try operation.shape("rows=32,columns=1024"))
        #expect(cost.bytes == 8 * 32768)
        #expect(operation.isStreaming)
        #expect(cost.flops == ["softmax": 5, "layer-norm": 7, "rms-norm": 3][name]! * 32768)
    }

    @Test("name their sources, each of which is a file of the ladder", arguments: operations.keys.sorted())
    func sources(name: String) throws {
        let operation = try #require(Self.operations[name])
        #expect(Set(operation.variants.map(\.name)).count == operation.variants.count)
        for variant in operation.variants {
            #expect(variant.sources.first?.hasPrefix("CKernels/rows/") == true && !variant.idea.isEmpty)
        }
    }

    static let faults: [(name: String, plant: @Sendable (UnsafeMutablePointer<Float>) -> Void)] = [
        ("a number that is 0.01 % off", { row in row[700] *= 1.0001 }),
        ("two numbers in each other's places", { row in (row[3], row[1000]) = (row[1000], row[3]) }),
        ("a number that was never written", { row in row[1023] = .nan }),
        ("a row of zeros", { row in row.update(repeating: 0, count: 1024) }),
    ]

    @Test("find a planted fault", arguments: faults.indices)
    func plantedFault(index: Int) throws {
        let (fault, plant) = Self.faults[index]
        for function in [RowProblem.Function.softmax, .layerNorm(epsilon: 1e-5), .rmsNorm(epsilon: 1e-6)] {
            let problem = try RowProblem(function, rows: 2, columns: 1024, seed: 7)
            let (x, y) = (problem.input.pointer, problem.output.pointer)
            switch function {
            case .softmax: Rows.softmax(x, into: y, rows: 2, columns: 1024)
            case .layerNorm: Rows.layerNorm(x, into: y, rows: 2, columns: 1024)
            case .rmsNorm: Rows.rmsNorm(x, into: y, rows: 2, columns: 1024)
            }
            #expect(problem.agreement().agrees)
            plant(y + 1024)
            #expect(!problem.agreement().agrees, "\(fault) went unnoticed")
        }
    }

    @Test("find what a kernel did not write in rows that are not compared")
    func poison() throws {
        let problem = try RowProblem(.softmax, rows: 4096, columns: 128, seed: 7)
        problem.poisonOutput()
        #expect(problem.agreement().worst == .infinity)
        Rows.softmax(problem.input.pointer, into: problem.output.pointer, rows: 4096, columns: 128)
        #expect(problem.agreement().agrees && problem.agreement().compared < 4096 * 128)
        for row in [1, 2047, 4094] {
            let before = problem.output[row * 128 + 64]
            problem.output[row * 128 + 64] = .nan
            #expect(!problem.agreement().agrees)
            problem.output[row * 128 + 64] = before
        }
    }

    @Test("refuse sizes beyond memory with a sentence")
    func absurd() {
        #expect(throws: KernelError.memory(bytes: nil)) {
            try RowProblem(.softmax, rows: .max / 2, columns: 3, seed: 1)
        }
        #expect { try KernelOperation.softmax.problem(KernelShape(["rows": 1 << 24, "columns": 1 << 24])) } throws: {
            "\($0)".contains("Use smaller sizes")
        }
    }
}
