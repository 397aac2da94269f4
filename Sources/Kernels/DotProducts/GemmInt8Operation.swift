private typealias Ladder = GemmLadder<DotProduct.Int8Path>

extension KernelOperation {
    /// C = A · B, int8 summed exactly in int32.
    public static let gemmInt8 = Ladder.operation(
        title: "matrix product, int8", arithmetic: .int8, costFormula: "2mnk operations, mk + kn + 4mn B",
        problem: { shape, seed throws(KernelError) in
            // k below 131,072 keeps every sum of 2¹⁴ below the poison.
            try Ladder.Problem(
                shape, seed: seed, element: { Int8(truncatingIfNeeded: $0.next()) }, poison: .max, compare: compare)
        },
        variants: [
            Ladder.rung("naive", .naive, sources: ["gemm_naive.c"], idea: "three loops; B is read down its columns"),
            Ladder.rung(
                "portable", .portable, sources: ["int8_portable.c", "dot_tile.h", "dot_blocks.c"],
                idea: "panels of int16 pairs along k: two products and their sum in one step; a tile of 4 x 8"),
            Ladder.rung(
                "avx2", .avx2, sources: ["int8_avx2.c", "int8_portable.c", "dot_tile.h", "dot_blocks.c"],
                idea: "vpmaddwd on eight pairs, a tile of 6 x 16; bytes would be faster but could saturate"),
            Ladder.rung(
                "avx512-vnni", .vnni, sources: ["int8_vnni.c", "words_avx512.h", "dot_tile.h", "dot_blocks.c"],
                idea: "vpdpbusd multiplies groups of 4 bytes; column sums of B correct for the unsigned A"),
            Ladder.prepacked(
                .vnni, sources: ["int8_vnni.c", "words_avx512.h", "dot_tile.h", "dot_blocks.c"],
                idea: "B and its column sums packed in advance, as weights are; only A is packed during the call"),
            Ladder.rung(
                "threads", .best, isParallel: true, sources: ["int8_vnni.c", "dot_tile.h", "dot_blocks.c"],
                idea: "the best path on this machine; threads share the packing of B and the blocks of rows"),
        ])
}

/// Rows of C next to the sums in whole numbers: any difference is one too many.
private func compare(_ problem: Ladder.Problem, rows: [Int]) -> KernelAgreement {
    let (n, k) = (problem.n, problem.k)
    var worst = KernelAgreement(worst: 0, bound: "none: exact", place: "", compared: rows.count * n)
    for row in rows {
        var sum = [Int32](repeating: 0, count: n)
        for p in 0..<k {
            let left = Int32(problem.a.pointer[row * k + p])
            let line = problem.b.pointer + p * n
            for j in 0..<n { sum[j] &+= left * Int32(line[j]) }
        }
        for j in 0..<n {
            let found = problem.c.pointer[row * n + j]
            worst.consider(Double(found), beside: Double(sum[j]), allowed: 0) { "C[\(row), \(j)]" }
        }
    }
    worst.refuseUnwritten(in: problem.c.elements, isUnwritten: { $0 == .max }) { "C[\($0 / n), \($0 % n)]" }
    return worst
}
