internal import CKernels

extension KernelOperation {
    /// C = A B in float64: the same ladder with half the lanes.
    public static let gemmFloat64 = KernelOperation(
        "gemm-f64", title: "matrix product, float64", dimensions: MatrixProductOperation.dimensions,
        presets: [1024, 512, 256].map { MatrixProductOperation.shape($0, $0, $0) },
        square: { MatrixProductOperation.shape($0, $0, $0) }, arithmetic: .float64,
        costFormula: "2mnk FLOP, 8(mk + kn + mn) B", cost: MatrixProductOperation.cost(bytesOfElement: 8),
        problem: { shape, seed throws(KernelError) in try MatrixProductProblem<Double>(shape, seed: seed) },
        variants: [
            KernelVariant(
                "naive", idea: "three loops: each element of C is a row of A times a column of B",
                sources: ["CKernels/matrix_product/naive.c"]
            ) { (problem: MatrixProductProblem<Double>, _) in
                {
                    withUnsafePointer(to: Double.product(problem.operands)) { orrery_dgemm_naive($0) }
                }
            },
            MatrixProductOperation.variant(
                "packed", .portable, of: Double.self,
                idea: "B packed into panels, a 6 x 4 tile of C kept in registers through a block of the sum",
                sources: MatrixProductOperation.sources("dgemm_portable.c")),
            MatrixProductOperation.variant(
                "avx2", .avx2, of: Double.self,
                idea: "vectors of 4 and fused multiply-add: a tile of 6 x 8 in 12 of 16 registers",
                sources: MatrixProductOperation.sources("dgemm_avx2.c")),
            MatrixProductOperation.variant(
                "avx512", .avx512, of: Double.self,
                idea: "vectors of 8 and 32 registers: a tile of 6 x 32 needs 10 loads for 24 multiply-adds",
                sources: MatrixProductOperation.sources("dgemm_avx512.c")),
            MatrixProductOperation.variant(
                "avx512-threads", .avx512, of: Double.self, isParallel: true,
                idea: "threads take strips of C, each with a packed B of its own: nothing is shared but what is read",
                sources: MatrixProductOperation.sources("dgemm_avx512.c") + ["CKernels/thread_pool.c"]),
            MatrixProductOperation.variant(
                "openblas", .openBLAS, of: Double.self, isParallel: true,
                idea: "the yardstick: kernels in assembly, tuned by hand for twenty years",
                sources: MatrixProductOperation.sourceOfLibrary),
        ])
}
