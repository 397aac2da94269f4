private typealias Ladder = GemmLadder<DotProduct.BFloat16Path>

extension KernelOperation {
    /// C = A · B, bfloat16 summed in float32.
    public static let gemmBF16 = Ladder.operation(
        title: "matrix product, bfloat16", arithmetic: .bfloat16, costFormula: "2mnk FLOP, 2(mk + kn) + 4mn B",
        problem: { shape, seed throws(KernelError) in
            try Ladder.Problem(
                shape, seed: seed, element: { BFloat16Conversion.narrow($0.signedUnit()) }, poison: .nan,
                compare: compare)
        },
        variants: [
            Ladder.rung(
                "naive", .naive, sources: ["gemm_naive.c"],
                idea: "three loops; every element is widened to float32 at each of its k uses"),
            Ladder.rung(
                "portable", .portable, sources: ["bf16_portable.c", "dot_tile.h", "dot_blocks.c"],
                idea: "widened once, while packing both matrices; a tile of 4 x 8 sums in registers"),
            Ladder.rung(
                "avx2", .avx2, sources: ["bf16_avx2.c", "bf16_portable.c", "dot_tile.h", "dot_blocks.c"],
                idea: "the same panels, fused multiply-add of eight floats, a tile of 6 x 16"),
            Ladder.rung(
                "avx512", .avx512, sources: ["bf16_avx512.c", "words_avx512.h", "dot_tile.h", "dot_blocks.c"],
                idea: "sixteen floats, a tile of 6 x 64, A packed by a transpose in registers"),
            Ladder.rung(
                "avx512-bf16", .dot, sources: ["bf16_dot.c", "words_avx512.h", "dot_tile.h", "dot_blocks.c"],
                idea: "no widening: vdpbf16ps multiplies pairs along k, twice the products per instruction"),
            Ladder.prepacked(
                .dot, sources: ["bf16_dot.c", "words_avx512.h", "dot_tile.h", "dot_blocks.c"],
                idea: "B packed in advance, as weights are; only A is packed during the call"),
            Ladder.rung(
                "threads", .best, isParallel: true, sources: ["bf16_dot.c", "dot_tile.h", "dot_blocks.c"],
                idea: "the best path on this machine; threads share the packing of B and the blocks of rows"),
        ])
}

/// Rows of C next to the sums in float64 of the products, which are exact there.
private func compare(_ problem: Ladder.Problem, rows: [Int]) -> KernelAgreement {
    let (n, k) = (problem.n, problem.k)
    // At most one rounding per product, one per stripe of 512 words, and one for the result.
    let roundings = Double(k + k / 512 + 2) * 0x1p-24
    let growth = roundings / (1 - roundings)
    var worst = KernelAgreement(
        worst: 0,
        bound: "γ(k + k/512 + 2) Σ|a||b|, u = 2⁻²⁴, for the bfloat16 values; subnormal values may count as zero",
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
