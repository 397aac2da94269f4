internal import CKernels

extension KernelOperation {
    /// C = A B in float64: the same ladder with half the lanes.
    public static let gemmFloat64 = MatrixProductOperation.gemm(
        "gemm-f64", title: "matrix product, float64", of: Double.self, prefix: "d", arithmetic: .float64,
        presets: [1024, 512, 256], lowerRungs: [MatrixProductOperation.naive(of: Double.self, orrery_dgemm_naive)])
}
