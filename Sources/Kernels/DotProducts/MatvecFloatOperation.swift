internal import CKernels

extension KernelOperation {
    /// Rows of float16 weights by activations in float32.
    public static let matvecF16 = float(
        .f16,
        portable: "widens a piece of a row to floats, then multiplies with several partial sums",
        avx2: "the same loops in 256-bit registers; vcvtph2ps widens eight halves at once",
        avx512:
            "vcvtph2ps widens sixteen halves at once for up to four rows of x; prefetches 4 KiB ahead"
    )

    /// Rows of bfloat16 weights by activations in float32.
    public static let matvecBF16 = float(
        .bf16,
        portable: "widens a piece of a row by shifts, then multiplies with several partial sums",
        avx2: "the same loops in 256-bit registers",
        avx512:
            "a shift widens sixteen weights at once for up to four rows of x; prefetches 4 KiB ahead")

    private static func float(
        _ format: WeightFormat, portable: String, avx2: String, avx512: String
    ) -> KernelOperation {
        let bytes = Double(format.bytesPerBlock)
        return KernelOperation(
            "matvec-\(format.rawValue)", title: "rows of \(format.rawValue.uppercased()) weights by activations",
            dimensions: [
                KernelOperation.Dimension("m", "rows of x", in: 1...65_536),
                KernelOperation.Dimension("n", "rows of W", in: 1...(1 << 20)),
                KernelOperation.Dimension("k", "weights per row", in: 1...(1 << 20)),
            ],
            presets: [
                KernelShape(["m": 1, "n": 4096, "k": 4096]), KernelShape(["m": 7, "n": 4096, "k": 4096]),
                KernelShape(["m": 1, "n": 512, "k": 1024]),
            ],
            square: { KernelShape(["m": 1, "n": $0, "k": $0]) }, arithmetic: .float32,
            costFormula: "2mnk FLOP, \(format.bytesPerBlock) nk + 4m(k + n) B",
            cost: { shape in
                let (m, n, k) = (Double(shape["m"]), Double(shape["n"]), Double(shape["k"]))
                return KernelCost(flops: 2 * m * n * k, bytes: bytes * n * k + 4 * m * (k + n))
            },
            problem: { shape, seed throws(KernelError) in try PrefillProblem(format, shape, seed: seed) },
            variants: [
                KernelVariant(
                    "naive", idea: "decodes a row of weights to floats, then adds the products one after another",
                    sources: ["CKernels/weight_products/naive.c"], prepare: PrefillOperation.naive),
                rung(
                    "portable", format, .portable, sources: ["float_rows_portable.c", "float_row_pieces.h"],
                    idea: portable),
                rung("avx2", format, .avx2, sources: ["float_rows_avx2.c", "float_row_pieces.h"], idea: avx2),
                rung("avx512", format, .avx512, sources: ["float_rows_avx512.c"], idea: avx512),
                rung(
                    "threads", format, nil, sources: ["float_rows_avx512.c"],
                    idea: "the best path on this machine; each thread takes 64 to 512 KiB of weights at a time"),
            ])
    }

    /// - Parameter path: nil for the best one, on all threads.
    private static func rung(
        _ name: String, _ format: WeightFormat, _ path: RowProductPath?, sources: [String], idea: String
    ) -> KernelVariant {
        KernelVariant(
            name, idea: idea, sources: (["float_rows.h"] + sources).map { "CKernels/dot_products/" + $0 },
            needs: path?.needs(format) ?? [], isParallel: path == nil
        ) { (problem: PrefillProblem, pool) in
            {
                let product = RowProduct(problem.w, into: problem.y.pointer, yStride: problem.n, path: path)
                // Without memory for the activations the output stays as it is, and the gate says so.
                try? RowProduct.run(
                    [product], problem.x.pointer, xStride: problem.k, m: problem.m, pool: path == nil ? pool : .single)
            }
        }
    }
}
