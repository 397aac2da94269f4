private typealias Problem = GemmProblem<UInt16, Float>

extension KernelOperation {
    /// C = A · B, bfloat16 summed in float32.
    public static let gemmBF16 = KernelOperation(
        "gemm-bf16", title: "matrix product, bfloat16", dimensions: Problem.dimensions,
        presets: [
            KernelShape(["m": 1024, "n": 1024, "k": 1024]), KernelShape(["m": 512, "n": 512, "k": 512]),
            KernelShape(["m": 32, "n": 4096, "k": 4096]),
        ],
        square: { KernelShape(["m": $0, "n": $0, "k": $0]) }, arithmetic: .bfloat16,
        costFormula: "2mnk FLOP, 2(mk + kn) + 4mn B",
        cost: { shape in
            let (m, n, k) = (Double(shape["m"]), Double(shape["n"]), Double(shape["k"]))
            return KernelCost(flops: 2 * m * n * k, bytes: 2 * (m * k + k * n) + 4 * m * n)
        },
        problem: { shape, seed throws(KernelError) in
            try Problem(
                shape, seed: seed, element: { BFloat16Conversion.narrow($0.signedUnit()) }, poison: .nan,
                compare: compare)
        },
        variants: [
            rung(
                "naive", .naive, sources: ["gemm_naive.c"],
                idea: "three loops; every element is widened to float32 where it is used, k times"),
            rung(
                "portable", .portable, sources: ["bf16_portable.c", "dot_blocks.c"],
                idea: "widened once, while packing both matrices into panels; a tile of 4 x 8 sums in registers"),
            rung(
                "avx2", .avx2, sources: ["bf16_avx2.c", "bf16_portable.c", "dot_blocks.c"],
                idea: "the same panels, fused multiply-add of eight floats, a tile of 6 x 16"),
            rung(
                "avx512", .avx512, sources: ["bf16_avx512.c", "words_avx512.h", "dot_blocks.c"],
                idea: "sixteen floats, a tile of 6 x 64, A packed by a transpose in registers"),
            rung(
                "avx512-bf16", .dot, sources: ["bf16_dot.c", "words_avx512.h", "dot_blocks.c"],
                idea: "no widening: vdpbf16ps multiplies pairs along k, twice the products of an instruction"),
            KernelVariant(
                "prepacked", idea: "B packed before, as weights are: only A is packed in the call",
                sources: paths(["bf16_dot.c", "words_avx512.h", "dot_blocks.c"]),
                needs: DotProduct.BFloat16Path.dot.needs
            ) { (problem: Problem, pool) in
                let (m, n, k) = (problem.m, problem.n, problem.k)
                let b = try? PackedBF16Matrix(problem.b.pointer, stride: n, k: k, n: n, path: .dot, pool: pool)
                // Without memory for the panels the output stays as it is, and the gate says so.
                return {
                    b?.multiply(problem.a.pointer, aStride: k, m: m, into: problem.c.pointer, cStride: n, pool: pool)
                }
            },
            rung(
                "threads", .best, isParallel: true, sources: ["bf16_dot.c", "dot_blocks.c"],
                idea: "the best path here; threads pack B together, then take blocks of rows in turn"),
        ])
}

private func paths(_ files: [String]) -> [String] { files.map { "CKernels/dot_products/" + $0 } }

private func rung(
    _ name: String, _ path: DotProduct.BFloat16Path, isParallel: Bool = false, sources: [String], idea: String
) -> KernelVariant {
    KernelVariant(
        name, idea: idea, sources: paths(sources), needs: isParallel ? [] : path.needs, isParallel: isParallel
    ) { (problem: Problem, pool) in
        let (m, n, k) = (problem.m, problem.n, problem.k)
        return {
            DotProduct.multiply(
                bf16: problem.a.pointer, aStride: k, by: problem.b.pointer, bStride: n, into: problem.c.pointer,
                cStride: n, m: m, n: n, k: k, path: path, pool: pool)
        }
    }
}

/// Rows of C beside the sums in float64 of the products, which are exact there.
private func compare(_ problem: Problem, rows: [Int]) -> KernelAgreement {
    let (n, k) = (problem.n, problem.k)
    // One rounding a product at most, one a stripe of 512 words, one for the answer.
    let roundings = Double(k + k / 512 + 2) * 0x1p-24
    let growth = roundings / (1 - roundings)
    var worst = KernelAgreement(
        worst: 0, bound: "γ(k + k/512 + 2) Σ|a||b|, u = 2⁻²⁴, of the bfloat16 values; a subnormal may count as zero",
        place: "", compared: rows.count * n)
    for row in rows {
        var sum = [Double](repeating: 0, count: n)
        var magnitude = sum
        for p in 0..<k {
            let left = Double(BFloat16Conversion.widen(problem.a.pointer[row * k + p]))
            let line = problem.b.pointer + p * n
            for j in 0..<n {
                let product = left * Double(BFloat16Conversion.widen(line[j]))
                sum[j] += product
                magnitude[j] += abs(product)
            }
        }
        for j in 0..<n {
            let found = problem.c.pointer[row * n + j]
            let allowed = growth * magnitude[j] + Double(k) * 0x1p-126
            worst.consider(Double(found), beside: sum[j], allowed: allowed) { "C[\(row), \(j)]" }
        }
    }
    worst.refuseUnwritten(in: problem.c.elements, isUnwritten: \.isNaN) { "C[\($0 / n), \($0 % n)]" }
    return worst
}
