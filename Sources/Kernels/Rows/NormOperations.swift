internal import CKernels

extension KernelOperation {
    /// (x - mean) / √(variance + epsilon) · gain + bias along rows.
    public static let layerNorm = KernelOperation(
        "layer-norm", title: "layer norm of rows, float32", dimensions: NormShape.dimensions("gain and a bias"),
        presets: NormShape.presets, square: { NormShape.shape(rows: $0, columns: $0) }, arithmetic: .float32,
        isStreaming: true,
        costFormula: "7 rows columns FLOP (mean 1, variance 3, difference and scale 2, other 1; 9 with gain and bias), "
            + "8 rows columns B",
        cost: { RowShape.cost($0, flopsEach: $0["affine"] == 0 ? 7 : 9) },
        problem: { shape, seed throws(KernelError) in
            let affine = shape["affine"] != 0
            return try RowProblem(
                .layerNorm(epsilon: 1e-5), rows: shape["rows"], columns: shape["columns"], hasGain: affine,
                hasBias: affine, seed: seed)
        },
        variants: [
            layerNormRung("textbook", NormIdea.textbook, "norm_textbook.c", orrery_layer_norm_textbook),
            layerNormRung("portable", NormIdea.portable, "norm_portable.c", orrery_layer_norm_portable),
        ] + layerNormVectorRungs)

    /// x / √(mean(x²) + epsilon) · gain along rows.
    public static let rmsNorm = KernelOperation(
        "rms-norm", title: "RMS norm of rows, float32", dimensions: NormShape.dimensions("gain"),
        presets: NormShape.presets, square: { NormShape.shape(rows: $0, columns: $0) }, arithmetic: .float32,
        isStreaming: true,
        costFormula: "3 rows columns FLOP (squares 2, scale 1; 4 with gain), 8 rows columns B",
        cost: { RowShape.cost($0, flopsEach: $0["affine"] == 0 ? 3 : 4) },
        problem: { shape, seed throws(KernelError) in
            try RowProblem(
                .rmsNorm(epsilon: 1e-6), rows: shape["rows"], columns: shape["columns"], hasGain: shape["affine"] != 0,
                seed: seed)
        },
        variants: [
            rmsNormRung("textbook", NormIdea.textbook, "norm_textbook.c", orrery_rms_norm_textbook),
            rmsNormRung("portable", NormIdea.portable, "norm_portable.c", orrery_rms_norm_portable),
        ] + rmsNormVectorRungs)

    #if arch(x86_64)
        private static var layerNormVectorRungs: [KernelVariant] {
            [
                layerNormRung("avx2", NormIdea.avx2, "norm_avx2.c", needs: .avx2, orrery_layer_norm_avx2),
                layerNormRung(
                    "avx512",
                    "mean and variance in one shifted pass, while the previous row is written",
                    "layer_norm_avx512.c", needs: .avx512, orrery_layer_norm_avx512),
                KernelVariant(
                    "threads", idea: NormIdea.threads,
                    sources: ["CKernels/rows/layer_norm_avx512.c", "CKernels/thread_pool.c"],
                    needs: RowPath.best.needs, isParallel: true
                ) { (problem: RowProblem, pool) in
                    {
                        Rows.layerNorm(
                            problem.input.pointer, into: problem.output.pointer, gain: problem.gain?.pointer,
                            bias: problem.bias?.pointer, rows: problem.rows, columns: problem.columns, pool: pool)
                    }
                },
            ]
        }

        private static var rmsNormVectorRungs: [KernelVariant] {
            [
                rmsNormRung("avx2", NormIdea.avx2, "norm_avx2.c", needs: .avx2, orrery_rms_norm_avx2),
                rmsNormRung(
                    "avx512", "sums the squares of one row while the previous row is written", "rms_norm_avx512.c",
                    needs: .avx512, orrery_rms_norm_avx512),
                KernelVariant(
                    "threads", idea: NormIdea.threads,
                    sources: ["CKernels/rows/rms_norm_avx512.c", "CKernels/thread_pool.c"], needs: RowPath.best.needs,
                    isParallel: true
                ) { (problem: RowProblem, pool) in
                    {
                        Rows.rmsNorm(
                            problem.input.pointer, into: problem.output.pointer, gain: problem.gain?.pointer,
                            rows: problem.rows, columns: problem.columns, pool: pool)
                    }
                },
            ]
        }
    #else
        private static var layerNormVectorRungs: [KernelVariant] { [] }
        private static var rmsNormVectorRungs: [KernelVariant] { [] }
    #endif

    private static func layerNormRung(
        _ name: String, _ idea: String, _ source: String, needs: ProcessorFeatures = [],
        _ kernel:
            @escaping @Sendable (
                UnsafePointer<Float>?, Int, UnsafeMutablePointer<Float>?, Int, UnsafePointer<Float>?,
                UnsafePointer<Float>?, Float, Int, Int
            ) -> Void
    ) -> KernelVariant {
        KernelVariant(name, idea: idea, sources: ["CKernels/rows/\(source)"], needs: needs) {
            (problem: RowProblem, _) in
            let (x, y, columns) = (problem.input.pointer, problem.output.pointer, problem.columns)
            let (gain, bias) = (problem.gain?.pointer, problem.bias?.pointer)
            return {
                withExtendedLifetime(problem) {
                    kernel(x, columns, y, columns, gain, bias, 1e-5, problem.rows, columns)
                }
            }
        }
    }

    private static func rmsNormRung(
        _ name: String, _ idea: String, _ source: String, needs: ProcessorFeatures = [],
        _ kernel:
            @escaping @Sendable (
                UnsafePointer<Float>?, Int, UnsafeMutablePointer<Float>?, Int, UnsafePointer<Float>?, Float, Int, Int
            ) -> Void
    ) -> KernelVariant {
        KernelVariant(name, idea: idea, sources: ["CKernels/rows/\(source)"], needs: needs) {
            (problem: RowProblem, _) in
            let (x, y, columns) = (problem.input.pointer, problem.output.pointer, problem.columns)
            let gain = problem.gain?.pointer
            return {
                withExtendedLifetime(problem) { kernel(x, columns, y, columns, gain, 1e-6, problem.rows, columns) }
            }
        }
    }
}

private enum NormIdea {
    static let textbook = "plain loops with sums in float64, one value at a time"
    static let portable = "sixteen partial sums, which the compiler vectorizes"
    static let avx2 = "vectors of 8 with fused multiply-add, four partial sums at once"
    static let threads = "chunks of rows on all threads"
}

/// The sizes of the norms: rows, columns, and whether there is a gain (and a bias, where the norm has one).
private enum NormShape {
    static func dimensions(_ parameters: String) -> [KernelOperation.Dimension] {
        RowShape.dimensions + [KernelOperation.Dimension("affine", "1 with a \(parameters), 0 without", in: 0...1)]
    }

    static func shape(rows: Int, columns: Int, affine: Int = 0) -> KernelShape {
        KernelShape(["rows": rows, "columns": columns, "affine": affine])
    }

    static let presets = [
        shape(rows: 32, columns: 1024), shape(rows: 32, columns: 1024, affine: 1), shape(rows: 4, columns: 1024),
        shape(rows: 80, columns: 1024), shape(rows: 20, columns: 4096), shape(rows: 5, columns: 16384),
        shape(rows: 2048, columns: 4096),
    ]
}
