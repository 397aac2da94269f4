internal import CKernels
internal import Synchronization

/// Products of many rows of activations with a weight matrix where it lies, as a prompt needs them: y = x · Wᵀ.
///
/// The matrix is neither decoded nor repacked as a whole: parts of it pass through the caches, in memory of at most
/// 400 KiB that a thread keeps, and meet up to 512 rows of activations each, which the caller's thread keeps in the
/// form that the kernel reads. How numbers are rounded depends on the format:
///
/// - f32, f16, nf4: float32 throughout; W is exact.
/// - bf16: activations are rounded to bfloat16 where the processor multiplies it, as llama.cpp does.
/// - q8_0, q4_0, q4_k, q5_k, q6_k, int8: activations become int8 by runs of 32 columns, with scale amax / 127 in
///   float32; integers are summed exactly within a run. A run with an infinity or a NaN makes its row of y NaN.
///
/// The order of sums depends on `columns` alone: the same bits for any number of threads, and for a row alone or among
/// others.
public enum WeightPanels {
    /// y[m, rows] = x[m, columns] · Wᵀ; strides count elements.
    ///
    /// Any m of 1 or more is right; from about `fewestRows` on this is the fastest way.
    ///
    /// - Returns: false if this processor has no such path (AVX-512 for floats, and its VNNI for integers): then
    ///   y is as it was.
    /// - Throws: `KernelError.memory` if there is not enough memory for packing; y is then incomplete.
    public static func multiply(
        _ w: WeightMatrix, _ x: UnsafePointer<Float>, xStride: Int, m: Int, into y: UnsafeMutablePointer<Float>,
        yStride: Int, pool: ThreadPool = .shared
    ) throws(KernelError) -> Bool {
        guard let kernel = orrery_panel_kernel_of(w.format.panels, ProcessorFeatures.present.rawValue) else {
            return false
        }
        guard m > 0 else { return true }
        var product = orrery_weight_product(
            format: w.format.panels, rows: w.rows, columns: w.columns, weights: w.bytes.baseAddress, scales: w.scales,
            x: x, x_row: xStride, m: m, y: y, y_row: yStride, activations: nil)
        let rowsAtOnce = orrery_panel_rows_of_x(kernel)
        let blocks = (m + rowsAtOnce - 1) / rowsAtOnce
        for block in 0..<blocks {
            let (first, end) = (m * block / blocks, m * (block + 1) / blocks)
            product.x = x + first * xStride
            product.y = y + first * yStride
            product.m = end - first
            try run(kernel, &product, pool)
        }
        withExtendedLifetime(w) {}
        return true
    }

    /// Rows of x from which this beats products of a row or a few: fewer do not make up for packing W. Measured on a
    /// Zen 5 with W in memory.
    public static func fewestRows(_ format: WeightFormat) -> Int {
        switch format {
        case .f32, .bf16, .int8: 8
        case .f16: 12
        case .q4_0, .q4_k, .q5_k: 16
        case .q6_k: 24
        case .q8_0, .nf4: 32
        }
    }

    private static func run(
        _ kernel: OpaquePointer, _ product: inout orrery_weight_product, _ pool: ThreadPool
    ) throws(KernelError) {
        let bytes = orrery_panel_activation_bytes(kernel, product.m, product.columns)
        product.activations = orrery_panel_activation_memory(bytes)
        guard product.activations != nil else { throw .memory(bytes: bytes) }
        let isComplete = withUnsafePointer(to: &product) { product in
            pool.run(chunks: orrery_panel_activation_chunks(kernel, product)) { chunk, _ in
                orrery_panel_pack_activations(kernel, product, chunk)
            }
            let hasMemory = Atomic(true)
            pool.run(chunks: orrery_panel_chunks(kernel, product)) { chunk, _ in
                if orrery_panel_multiply(kernel, product, chunk) != 0 { hasMemory.store(false, ordering: .relaxed) }
            }
            return hasMemory.load(ordering: .relaxed)
        }
        guard isComplete else { throw .memory(bytes: orrery_panel_scratch_bytes(kernel)) }
    }
}

extension WeightFormat {
    /// Its name in C.
    var panels: orrery_weight_format {
        switch self {
        case .f32: ORRERY_WEIGHTS_F32
        case .f16: ORRERY_WEIGHTS_F16
        case .bf16: ORRERY_WEIGHTS_BF16
        case .q8_0: ORRERY_WEIGHTS_Q8_0
        case .q4_0: ORRERY_WEIGHTS_Q4_0
        case .q4_k: ORRERY_WEIGHTS_Q4_K
        case .q5_k: ORRERY_WEIGHTS_Q5_K
        case .q6_k: ORRERY_WEIGHTS_Q6_K
        case .nf4: ORRERY_WEIGHTS_NF4
        case .int8: ORRERY_WEIGHTS_INT8
        }
    }
}
