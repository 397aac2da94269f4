/// What the products of 16- and 8-bit matrices have in common as operations: shapes, cost and kinds of rungs.
enum GemmLadder<Path: DotKernelPath> {
    typealias Problem = GemmProblem<Path.Element, Path.Sum>

    static func operation(
        title: String, arithmetic: KernelArithmetic, costFormula: String,
        problem: @escaping @Sendable (KernelShape, UInt64) throws(KernelError) -> Problem, variants: [KernelVariant]
    ) -> KernelOperation {
        KernelOperation(
            Path.operation, title: title, dimensions: Problem.dimensions,
            presets: [
                KernelShape(["m": 1024, "n": 1024, "k": 1024]), KernelShape(["m": 512, "n": 512, "k": 512]),
                KernelShape(["m": 32, "n": 4096, "k": 4096]),
            ],
            square: { KernelShape(["m": $0, "n": $0, "k": $0]) }, arithmetic: arithmetic, costFormula: costFormula,
            cost: { shape in
                let (m, n, k) = (Double(shape["m"]), Double(shape["n"]), Double(shape["k"]))
                let inputs = Double(MemoryLayout<Path.Element>.size) * (m * k + k * n)
                return KernelCost(flops: 2 * m * n * k, bytes: inputs + 4 * m * n)
            },
            problem: { shape, seed throws(KernelError) in try problem(shape, seed) }, variants: variants)
    }

    /// A rung of `DotProduct`, by path; a parallel one runs anywhere, on the best path there is.
    static func rung(
        _ name: String, _ path: Path, isParallel: Bool = false, sources: [String], idea: String
    ) -> KernelVariant {
        KernelVariant(
            name, idea: idea, sources: paths(sources), needs: isParallel ? [] : path.needs, isParallel: isParallel
        ) { (problem: Problem, pool) in
            let (m, n, k) = (problem.m, problem.n, problem.k)
            return {
                DotProduct.product(
                    problem.a.pointer, aStride: k, by: problem.b.pointer, bStride: n, into: problem.c.pointer,
                    cStride: n, m: m, n: n, k: k, path: path, pool: pool)
            }
        }
    }

    /// The rung whose B is packed before the call that is timed.
    static func prepacked(_ path: Path, sources: [String], idea: String) -> KernelVariant {
        KernelVariant("prepacked", idea: idea, sources: paths(sources), needs: path.needs) { (problem: Problem, pool) in
            let (m, n, k) = (problem.m, problem.n, problem.k)
            let b = try? PackedDotMatrix(packing: problem.b.pointer, stride: n, k: k, n: n, path: path, pool: pool)
            // Without memory for the panels the output stays as it is, and the gate says so.
            return {
                b?.multiply(problem.a.pointer, aStride: k, m: m, into: problem.c.pointer, cStride: n, pool: pool)
            }
        }
    }

    private static func paths(_ files: [String]) -> [String] { files.map { "CKernels/dot_products/" + $0 } }
}
