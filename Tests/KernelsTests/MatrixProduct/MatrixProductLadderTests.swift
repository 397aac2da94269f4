import Kernels
import Testing

@Suite("the ladders of matrix products")
struct MatrixProductLadderTests {
    static let operations: [KernelOperation] = [.gemmFloat32, .gemmFloat64, .linearFloat32]

    @Test("every rung that can run here agrees with its twin", arguments: operations.map(\.name))
    func rungs(name: String) throws {
        let operation = try KernelCatalog.operation(name)
        let pool = ThreadPool(threads: 2)
        for size in ["64", "1x1x1", "3x5x7", "33x130x401", "1x600x90"] {
            let problem = try operation.problem(operation.shape(size))
            for variant in operation.variants where variant.unavailable == nil {
                let agreement = try operation.verify(variant, on: problem, pool: pool)
                #expect(agreement.compared == problem.outputCount, "\(operation.name)/\(variant.name) at \(size)")
            }
        }
    }

    @Test("a large output is compared on a sample of rows that holds the first and the last")
    func sample() throws {
        let operation = KernelOperation.gemmFloat32
        let shape = try operation.shape("40x2000x1500")
        let problem = try MatrixProductProblem<Float>(shape, seed: 1)
        try operation.verify(operation.variant("packed"), on: problem, pool: .single)
        #expect(problem.agreement().compared < 40 * 2000)
        for forgotten in [0, 40 * 2000 - 1] {
            let value = problem.c[forgotten]
            problem.c[forgotten] = .nan
            #expect(!problem.agreement().agrees)
            problem.c[forgotten] = value
        }
        #expect(problem.agreement().agrees)
    }

    /// Ways to be wrong, each planted in a rung that is right otherwise.
    enum Fault: String, CaseIterable {
        case forgetsAnElement, forgetsATerm, swapsColumns, isInfinite
    }

    @Test("a rung with a fault is refused, by place and value", arguments: Fault.allCases)
    func faults(fault: Fault) throws {
        let operation = KernelOperation.gemmFloat32
        let variant = KernelVariant("faulty", idea: "planted", sources: []) {
            (problem: MatrixProductProblem<Float>, _) in
            {
                let a = MatrixView(problem.a.pointer, rows: 9, columns: 40)
                let b = MatrixView(problem.b.pointer, rows: 40, columns: 11)
                let c = MutableMatrixView(problem.c.pointer, rows: 9, columns: 11)
                try? MatrixProduct.multiply(a, b, into: c)
                switch fault {
                case .forgetsAnElement: problem.c[98] = .nan
                case .forgetsATerm: problem.c[57] -= problem.a[5 * 40 + 39] * problem.b[39 * 11 + 2]
                case .swapsColumns: problem.c.elements.swapAt(30, 31)
                case .isInfinite: problem.c[0] = .infinity
                }
            }
        }
        let problem = try operation.problem(operation.shape("9x11x40"))
        let error = #expect(throws: KernelError.self) {
            try operation.verify(variant, on: problem, pool: .single)
        }
        let place =
            switch fault {
            case .forgetsAnElement: "C[8, 10] is "
            case .forgetsATerm: "C[5, 2] is "
            case .swapsColumns: "C[2, "
            case .isInfinite: "C[0, 0] is "
            }
        #expect(
            error?.sentence.hasPrefix(
                "gemm-f32/faulty disagrees with the reference, so it is not timed: \(place)") == true
        )
    }

    @Test("cost is the arithmetic and the compulsory traffic")
    func cost() throws {
        let cost = KernelOperation.gemmFloat32.cost(try KernelOperation.gemmFloat32.shape("512"))
        #expect(cost == KernelCost(flops: 268_435_456, bytes: 3_145_728))
        let linear = KernelOperation.linearFloat32
        let row = linear.cost(linear.presets[0])
        #expect(row.flops == 33_554_432)
        #expect(abs(row.intensity - 0.5) < 0.001)
        let double = KernelOperation.gemmFloat64
        #expect(double.cost(double.presets[0]).bytes == 3 * 8 * 1024 * 1024)
    }

    @Test("sizes beyond memory and invalid sizes are errors")
    func absurdSizes() throws {
        for operation in Self.operations {
            #expect(throws: KernelError.self) { try operation.problem(operation.shape("1048576")) }
            #expect(throws: KernelError.self) { try operation.shape("0x1x1") }
            #expect(throws: KernelError.self) { try operation.shape("99999999999999999999") }
        }
    }

    @Test("names are unique and every rung names a source")
    func names() {
        for operation in Self.operations {
            #expect(Set(operation.variants.map(\.name)).count == operation.variants.count)
            #expect(operation.variants.allSatisfy { !$0.sources.isEmpty && !$0.idea.isEmpty })
        }
    }
}

extension KernelProblem {
    fileprivate var outputCount: Int {
        (self as? MatrixProductProblem<Float>)?.c.count ?? (self as? MatrixProductProblem<Double>)?.c.count ?? 0
    }
}
