internal import CKernels

extension KernelOperation {
    /// C = A B in float32, from three loops to the limit of the machine.
    public static let gemmFloat32 = KernelOperation(
        "gemm-f32", title: "matrix product, float32", dimensions: MatrixProductOperation.dimensions,
        presets: [512, 1024, 256, 2048, 64].map { MatrixProductOperation.shape($0, $0, $0) },
        square: { MatrixProductOperation.shape($0, $0, $0) }, arithmetic: .float32,
        costFormula: "2mnk FLOP, 4(mk + kn + mn) B", cost: MatrixProductOperation.cost(bytesOfElement: 4),
        problem: { shape, seed throws(KernelError) in try MatrixProductProblem<Float>(shape, seed: seed) },
        variants: [
            lowerRung(
                "naive", orrery_sgemm_naive, file: "naive.c",
                idea: "three loops: each element of C is a row of A times a column of B"),
            lowerRung(
                "loop-order", orrery_sgemm_loop_order, file: "loop_order.c",
                idea: "the inner loop runs along rows of B and C: contiguous, and the compiler makes vectors of it"),
            lowerRung(
                "blocked", orrery_sgemm_blocked, file: "blocked.c",
                idea: "blocks that stay in the cache; four terms at a time, so that C is written a quarter as often"),
            MatrixProductOperation.variant(
                "packed", .portable, of: Float.self,
                idea: "B packed into panels, a 6 x 8 tile of C kept in registers through a block of the sum",
                sources: MatrixProductOperation.sources("sgemm_portable.c")),
            MatrixProductOperation.variant(
                "avx2", .avx2, of: Float.self,
                idea: "vectors of 8 and fused multiply-add: a tile of 6 x 16 in 12 of 16 registers",
                sources: MatrixProductOperation.sources("sgemm_avx2.c")),
            MatrixProductOperation.variant(
                "avx512", .avx512, of: Float.self,
                idea: "vectors of 16 and 32 registers: a tile of 6 x 64 needs 10 loads for 24 multiply-adds",
                sources: MatrixProductOperation.sources("sgemm_avx512.c")),
            MatrixProductOperation.variant(
                "avx512-threads", .avx512, of: Float.self, isParallel: true,
                idea: "threads take strips of C, each with a packed B of its own: nothing is shared but what is read",
                sources: MatrixProductOperation.sources("sgemm_avx512.c") + ["CKernels/thread_pool.c"]),
            MatrixProductOperation.variant(
                "openblas", .openBLAS, of: Float.self, isParallel: true,
                idea: "the yardstick: kernels in assembly, tuned by hand for twenty years",
                sources: MatrixProductOperation.sourceOfLibrary),
        ])

    private static func lowerRung(
        _ name: String, _ function: @escaping @Sendable (UnsafePointer<orrery_sgemm>?) -> Void, file: String,
        idea: String
    ) -> KernelVariant {
        KernelVariant(
            name, idea: idea, sources: ["CKernels/matrix_product/\(file)"]
        ) { (problem: MatrixProductProblem<Float>, _) in
            {
                withUnsafePointer(to: Float.product(problem.operands)) { function($0) }
            }
        }
    }
}
