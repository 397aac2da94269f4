extension KernelOperation {
    /// A linear layer on few rows, as in decoding: y = x W with weights W [k, n] that stay the same from call to call.
    public static let linearFloat32 = KernelOperation(
        "linear-f32", title: "linear layer on few rows, float32", dimensions: MatrixProductOperation.dimensions,
        presets: [1, 8, 32, 64].map { MatrixProductOperation.shape($0, 4096, 4096) },
        square: { MatrixProductOperation.shape(32, $0, $0) }, arithmetic: .float32,
        costFormula: "2mnk FLOP, 4(mk + kn + mn) B", cost: MatrixProductOperation.cost(bytesOfElement: 4),
        problem: { shape, seed throws(KernelError) in try MatrixProductProblem<Float>(shape, seed: seed) },
        variants: [
            KernelVariant(
                "unpacked", idea: "the general product, which packs W on every call except for a single row",
                sources: kernelSources
            ) { (problem: MatrixProductProblem<Float>, pool) in
                { try? MatrixProduct.multiply(problem.viewA, problem.viewB, into: problem.viewC, pool: pool) }
            },
            KernelVariant(
                "prepacked", idea: "W packed in advance: each panel streams from memory once and is prefetched",
                sources: kernelSources, prepare: packed),
            KernelVariant(
                "prepacked-threads", idea: "threads share the panels of W", sources: kernelSources,
                isParallel: true, prepare: packed),
            MatrixProductOperation.variant(
                "openblas", .openBLAS, of: Float.self, isParallel: true,
                idea: "sgemm, which packs W on every call", sources: MatrixProductOperation.sourceOfLibrary),
            KernelVariant(
                "openblas-sgemv",
                idea: "one sgemv per row: good for a single row, but reads W again for each additional row",
                sources: MatrixProductOperation.sourceOfLibrary, isParallel: true, missing: { OpenBLAS.missing },
                traffic: { shape in
                    let (m, n, k) = (Double(shape["m"]), Double(shape["n"]), Double(shape["k"]))
                    return 4 * m * (n * k + n + k)
                }
            ) { (problem: MatrixProductProblem<Float>, pool) in
                { multiplyRows(of: problem, threads: pool.threads) }
            },
        ])

    private static let kernelSources = MatrixProductOperation.sources(
        "sgemm_\(MatrixProduct.chosenPath(rows: 1, columns: 4096, inner: 4096).rawValue).c")

    private static func packed(_ problem: MatrixProductProblem<Float>, _ pool: ThreadPool) -> () -> Void {
        // Without memory for the copy nothing is computed: the output stays poisoned and the rung is refused.
        guard let weights = try? PackedMatrix(problem.viewB, pool: pool) else { return {} }
        return { try? MatrixProduct.multiply(problem.viewA, weights, into: problem.viewC, pool: pool) }
    }

    private static func multiplyRows(of problem: MatrixProductProblem<Float>, threads: Int) {
        let (a, c) = (problem.viewA, problem.viewC)
        OpenBLAS.shared?.withThreads(threads) {
            for row in 0..<c.rows {
                OpenBLAS.shared?.sgemv(
                    problem.viewB.transposed, a.pointer + row * a.rowStride, into: c.pointer + row * c.rowStride)
            }
        }
    }
}
