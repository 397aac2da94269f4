internal import CKernels

extension KernelOperation {
    /// e^(x - max) / Σ e^(x - max) along rows.
    public static let softmax = KernelOperation(
        "softmax", title: "softmax of rows, float32", dimensions: RowShape.dimensions,
        presets: [
            RowShape.shape(rows: 32, columns: 1024), RowShape.shape(rows: 4, columns: 1024),
            RowShape.shape(rows: 80, columns: 1024), RowShape.shape(rows: 20, columns: 4096),
            RowShape.shape(rows: 5, columns: 16384), RowShape.shape(rows: 2048, columns: 4096),
        ],
        square: { RowShape.shape(rows: $0, columns: $0) }, arithmetic: .float32, isStreaming: true,
        costFormula: "5 rows columns FLOP (one each: maximum, difference, exponential, sum, division), "
            + "8 rows columns B",
        cost: { RowShape.cost($0, flopsEach: 5) },
        problem: { shape, seed throws(KernelError) in
            try RowProblem(.softmax, rows: shape["rows"], columns: shape["columns"], seed: seed)
        },
        variants: [
            rung("libm", "three passes, one call of expf per value", "softmax_libm.c", orrery_softmax_libm),
            rung(
                "exp-portable", "a branchless polynomial for the exponential, which the compiler vectorizes",
                "softmax_portable.c", header: "exp_portable.h", orrery_softmax_portable),
        ] + vectorRungs)

    #if arch(x86_64)
        private static var vectorRungs: [KernelVariant] {
            [
                rung(
                    "avx2", "vectors of 8 with fused multiply-add", "softmax_avx2.c", header: "exp_avx2.h",
                    needs: .avx2, orrery_softmax_avx2),
                rung(
                    "avx512", "vectors of 16; 32 powers of two in two registers and a parabola between them",
                    "softmax_avx512.c", header: "exp_avx512.h", needs: .avx512, orrery_softmax_avx512),
                rung(
                    "online",
                    "maximum and sum in one pass: one fewer read, but each exponential is computed twice",
                    "softmax_online.c",
                    header: "exp_avx512.h", needs: .avx512, orrery_softmax_online),
                rung(
                    "overlapped",
                    "skips the maximum if no exponential can overflow; divides a row while the next starts",
                    "softmax_overlapped.c", header: "exp_avx512.h", needs: .avx512, orrery_softmax_overlapped),
                KernelVariant(
                    "threads", idea: "chunks of rows on all threads",
                    sources: ["CKernels/rows/softmax_overlapped.c", "CKernels/thread_pool.c"],
                    needs: RowPath.best.needs, isParallel: true
                ) { (problem: RowProblem, pool) in
                    {
                        Rows.softmax(
                            problem.input.pointer, into: problem.output.pointer, rows: problem.rows,
                            columns: problem.columns, pool: pool)
                    }
                },
            ]
        }
    #else
        private static var vectorRungs: [KernelVariant] { [] }
    #endif

    private static func rung(
        _ name: String, _ idea: String, _ source: String, header: String? = nil, needs: ProcessorFeatures = [],
        _ kernel:
            @escaping @Sendable (
                UnsafePointer<Float>?, Int, UnsafeMutablePointer<Float>?, Int, Int, Int
            ) -> Void
    ) -> KernelVariant {
        KernelVariant(
            name, idea: idea, sources: [source, header].compactMap(\.self).map { "CKernels/rows/\($0)" }, needs: needs
        ) { (problem: RowProblem, _) in
            let columns = problem.columns
            return { kernel(problem.input.pointer, columns, problem.output.pointer, columns, problem.rows, columns) }
        }
    }
}

/// The sizes of the row operations.
enum RowShape {
    static let dimensions = [
        KernelOperation.Dimension("rows", "rows"), KernelOperation.Dimension("columns", "values per row"),
    ]

    static func shape(rows: Int, columns: Int) -> KernelShape { KernelShape(["rows": rows, "columns": columns]) }

    /// One read and one write of each number; what all rows share (gain and bias) is not counted.
    static func cost(_ shape: KernelShape, flopsEach: Double) -> KernelCost {
        let numbers = Double(shape["rows"]) * Double(shape["columns"])
        return KernelCost(flops: flopsEach * numbers, bytes: 8 * numbers)
    }
}
