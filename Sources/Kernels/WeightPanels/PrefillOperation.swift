internal import CKernels

/// What the ladders of many rows of activations by a weight matrix share.
enum PrefillOperation {
    static func make(_ format: WeightFormat, panels: String, sources: [String]) -> KernelOperation {
        let block = format.blockSize
        let bytes = format.bytesPerBlock
        return KernelOperation(
            "prefill-\(format.rawValue)", title: "a prompt by \(format.rawValue.uppercased()) weights",
            dimensions: [
                KernelOperation.Dimension("m", "rows of x, tokens of the prompt", in: 1...65_536),
                KernelOperation.Dimension("n", "rows of W", in: 1...(1 << 20)),
                KernelOperation.Dimension("k", "weights per row, a multiple of \(block)", in: block...(1 << 20)),
            ],
            presets: [
                KernelShape(["m": 128, "n": 2048, "k": 2048]), KernelShape(["m": 512, "n": 2048, "k": 2048]),
                KernelShape(["m": 128, "n": 5632, "k": 2048]), KernelShape(["m": 128, "n": 2048, "k": 5632]),
                KernelShape(["m": 16, "n": 2048, "k": 2048]),
            ],
            square: { KernelShape(["m": 128, "n": $0, "k": $0]) }, arithmetic: format == .f16 ? .float32 : .int8,
            costFormula: "2mnk operations, \(bytes)/\(block) nk + 4m(k + n) B",
            cost: { shape in
                let (m, n, k) = (Double(shape["m"]), Double(shape["n"]), Double(shape["k"]))
                let weights = Double(bytes) / Double(block) * n * k
                return KernelCost(flops: 2 * m * n * k, bytes: weights + 4 * m * (k + n))
            },
            problem: { shape, seed throws(KernelError) in try PrefillProblem(format, shape, seed: seed) },
            variants: [
                KernelVariant(
                    "naive", idea: "decodes a row of weights to floats, then three loops with dependent sums",
                    sources: ["CKernels/weight_products/naive.c"], prepare: naive),
                KernelVariant(
                    "decoded",
                    idea: "decodes 256 rows to floats in memory, then a float32 product: the cost of decoding",
                    sources: ["CKernels/matrix_product/sgemm_avx512.c", "CKernels/matrix_product/product.h"],
                    prepare: decoded),
                rung("panels", format, isParallel: false, sources: sources, idea: panels),
                rung(
                    "threads", format, isParallel: true, sources: sources,
                    idea: "threads share the conversion of x and the chunks of rows of W"),
            ])
    }

    private static func rung(
        _ name: String, _ format: WeightFormat, isParallel: Bool, sources: [String], idea: String
    ) -> KernelVariant {
        KernelVariant(
            name, idea: idea, sources: sources.map { "CKernels/" + $0 },
            needs: format == .f16 ? .avx512 : [.avx512, .vnni], isParallel: isParallel
        ) { (problem: PrefillProblem, pool) in
            {
                // Without memory for packing the output stays as it is, and the gate says so.
                _ = try? WeightPanels.multiply(
                    problem.w, problem.x.pointer, xStride: problem.k, m: problem.m, into: problem.y.pointer,
                    yStride: problem.n, pool: pool)
            }
        }
    }

    @Sendable
    static func naive(_ problem: PrefillProblem, _: ThreadPool) -> () -> Void {
        let row = try? AlignedBuffer<Float>(count: problem.k)
        return {
            guard let row else { return }
            for i in 0..<problem.n {
                problem.w.decode(row: i, into: row.pointer)
                orrery_decoded_product(
                    row.pointer, 1, problem.k, problem.x.pointer, problem.k, problem.m, problem.y.pointer + i,
                    problem.n)
            }
        }
    }

    @Sendable
    private static func decoded(_ problem: PrefillProblem, _: ThreadPool) -> () -> Void {
        let stripe = try? AlignedBuffer<Float>(count: 256 * problem.k)
        let x = MatrixView(UnsafePointer(problem.x.pointer), rows: problem.m, columns: problem.k)
        return {
            guard let stripe else { return }
            for first in stride(from: 0, to: problem.n, by: 256) {
                let rows = first..<min(problem.n, first + 256)
                problem.w.decode(rows: rows, into: stripe.pointer, pool: .single)
                let weights = MatrixView(UnsafePointer(stripe.pointer), rows: rows.count, columns: problem.k)
                let y = MutableMatrixView(
                    problem.y.pointer + first, rows: problem.m, columns: rows.count, rowStride: problem.n)
                try? MatrixProduct.multiply(x, weights.transposed, into: y, pool: .single)
            }
        }
    }
}

extension KernelOperation {
    /// A prompt's activations by float16 weights, exactly.
    public static let prefillF16 = PrefillOperation.make(
        .f16, panels: "widens rows of W in place for transposed panels of x, without shuffling weights",
        sources: [
            "weight_products/float_rows_avx512.c", "weight_products/row_tile.h", "weight_products/widen_avx512.h",
        ])

    /// A prompt's activations in 8 bits by Q8_0 weights.
    public static let prefillQ8_0 = integers(
        .q8_0, panels: "transposes bytes of 32 rows into panels for vpdpbusd, with 12 sums of a run in registers"
    )

    /// A prompt's activations in 8 bits by Q4_0 weights.
    public static let prefillQ4_0 = integers(
        .q4_0, panels: "expands nibbles to bytes while packing a panel of 16 KiB, which fits in the L1 cache")

    /// A prompt's activations in 8 bits by Q4_K weights.
    public static let prefillQ4_K = integers(
        .q4_k, panels: "unpacks scales and minima of 16 rows at once; minima times sums of runs of x")

    private static func integers(_ format: WeightFormat, panels: String) -> KernelOperation {
        PrefillOperation.make(
            format, panels: panels,
            sources: [
                "weight_products/byte_panels.h", "weight_products/\(format.rawValue)_panels.c",
                "weight_products/panel_loops.c", "weight_products/activation_runs_avx512.c",
            ])
    }
}
