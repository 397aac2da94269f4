/// What the operations on quantized rows share.
enum QuantizedOperation {
    static func make(_ format: Quantization, portable: String, avx2: String, vnni: String) -> KernelOperation {
        let block = format.blockSize
        let bytes = format.bytesPerBlock
        let sharedSources =
            (format == .q4_k || format == .q5_k ? ["super_blocks_avx512.h"] : [])
            + ["row_groups_avx512.h", "activations_avx512.c"]
        return KernelOperation(
            "matvec-\(format.rawValue)", title: "rows of \(format.rawValue.uppercased()) weights by activations",
            dimensions: [
                KernelOperation.Dimension("m", "rows of x", in: 1...65_536),
                KernelOperation.Dimension("n", "rows of W", in: 1...(1 << 20)),
                KernelOperation.Dimension("k", "weights per row, a multiple of \(block)", in: block...(1 << 20)),
            ],
            presets: [
                KernelShape(["m": 1, "n": 4096, "k": 4096]), KernelShape(["m": 32, "n": 4096, "k": 4096]),
                KernelShape(["m": 1, "n": 512, "k": 1024]),
            ],
            square: { KernelShape(["m": 1, "n": $0, "k": $0]) }, arithmetic: .int8,
            costFormula: "2mnk operations, \(bytes)/\(block) nk + 4m(k + n) B",
            cost: { shape in
                let (m, n, k) = (Double(shape["m"]), Double(shape["n"]), Double(shape["k"]))
                let weights = Double(bytes) / Double(block) * n * k
                return KernelCost(flops: 2 * m * n * k, bytes: weights + 4 * m * (k + n))
            },
            problem: { shape, seed throws(KernelError) in try QuantizedProblem(format, shape, seed: seed) },
            variants: [
                rung(
                    "decoded", .decoded, sources: ["rows_decoded.c", "row_formats.c"],
                    idea: "decodes weights and activations to floats and sums the products in double"),
                rung("portable", .portable, sources: ["rows_portable.c", "activations.c"], idea: portable),
                rung("avx2", .avx2, sources: ["rows_avx2.c", "activations.c"], idea: avx2),
                rung(
                    "avx512-vnni", .vnni,
                    sources: ["\(format.rawValue)_vnni.c"] + sharedSources, idea: vnni),
                rung(
                    "threads", .best, isParallel: true,
                    sources: ["\(format.rawValue)_vnni.c"] + sharedSources,
                    idea: "the best path on this machine; each thread takes 128 KiB of weights at a time"),
            ])
    }

    private static func rung(
        _ name: String, _ path: QuantizedRows.Path, isParallel: Bool = false, sources: [String], idea: String
    ) -> KernelVariant {
        KernelVariant(
            name, idea: idea, sources: sources.map { "CKernels/dot_products/" + $0 },
            needs: isParallel ? [] : path.needs, isParallel: isParallel
        ) { (problem: QuantizedProblem, pool) in
            { problem.multiply(path, pool) }
        }
    }
}
