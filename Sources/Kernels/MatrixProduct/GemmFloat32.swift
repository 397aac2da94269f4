internal import CKernels

extension KernelOperation {
    /// C = A B in float32, from three loops to the limit of the machine.
    public static let gemmFloat32 = MatrixProductOperation.gemm(
        "gemm-f32", title: "matrix product, float32", of: Float.self, prefix: "s", arithmetic: .float32,
        presets: [512, 1024, 256, 2048, 64],
        lowerRungs: [
            MatrixProductOperation.naive(of: Float.self, orrery_sgemm_naive),
            MatrixProductOperation.lowerRung(
                "loop-order", of: Float.self, orrery_sgemm_loop_order, file: "loop_order.c",
                idea: "the inner loop runs along rows of B and C, so the compiler vectorizes it"),
            MatrixProductOperation.lowerRung(
                "blocked", of: Float.self, orrery_sgemm_blocked, file: "blocked.c",
                idea: "blocks that fit in the cache; four terms at a time, so C is written a quarter as often"),
        ])
}
