private typealias Problem = GemmProblem<Int8, Int32>

extension KernelOperation {
    /// C = A · B, int8 summed exactly in int32.
    public static let gemmInt8 = KernelOperation(
        "gemm-int8", title: "matrix product, int8", dimensions: Problem.dimensions,
        presets: [
            KernelShape(["m": 1024, "n": 1024, "k": 1024]), KernelShape(["m": 512, "n": 512, "k": 512]),
            KernelShape(["m": 32, "n": 4096, "k": 4096]),
        ],
        square: { KernelShape(["m": $0, "n": $0, "k": $0]) }, arithmetic: .int8,
        costFormula: "2mnk operations, mk + kn + 4mn B",
        cost: { shape in
            let (m, n, k) = (Double(shape["m"]), Double(shape["n"]), Double(shape["k"]))
            return KernelCost(flops: 2 * m * n * k, bytes: m * k + k * n + 4 * m * n)
        },
        problem: { shape, seed throws(KernelError) in
            // k below 131,072 keeps every sum of 2¹⁴ below the poison.
            try Problem(
                shape, seed: seed, element: { Int8(truncatingIfNeeded: $0.next()) }, poison: .max, compare: compare)
        },
        variants: [
            rung("naive", .naive, sources: ["gemm_naive.c"], idea: "three loops; B is read down its columns"),
            rung(
                "portable", .portable, sources: ["int8_portable.c", "dot_blocks.c"],
                idea: "panels of int16 pairs along k: two products and their sum are one step; a tile of 4 x 8"),
            rung(
                "avx2", .avx2, sources: ["int8_avx2.c", "int8_portable.c", "dot_blocks.c"],
                idea: "vpmaddwd on eight pairs, a tile of 6 x 16; bytes would be faster and could saturate"),
            rung(
                "avx512-vnni", .vnni, sources: ["int8_vnni.c", "words_avx512.h", "dot_blocks.c"],
                idea: "vpdpbusd multiplies fours of bytes; A is shifted to unsigned, column sums of B take that off"),
            KernelVariant(
                "prepacked", idea: "B and its column sums packed before, as weights are: only A is packed in the call",
                sources: paths(["int8_vnni.c", "words_avx512.h", "dot_blocks.c"]), needs: DotProduct.Int8Path.vnni.needs
            ) { (problem: Problem, pool) in
                let (m, n, k) = (problem.m, problem.n, problem.k)
                let b = try? PackedInt8Matrix(problem.b.pointer, stride: n, k: k, n: n, path: .vnni, pool: pool)
                // Without memory for the panels the output stays as it is, and the gate says so.
                return {
                    b?.multiply(problem.a.pointer, aStride: k, m: m, into: problem.c.pointer, cStride: n, pool: pool)
                }
            },
            rung(
                "threads", .best, isParallel: true, sources: ["int8_vnni.c", "dot_blocks.c"],
                idea: "the best path here; threads pack B together, then take blocks of rows in turn"),
        ])
}

private func paths(_ files: [String]) -> [String] { files.map { "CKernels/dot_products/" + $0 } }

private func rung(
    _ name: String, _ path: DotProduct.Int8Path, isParallel: Bool = false, sources: [String], idea: String
) -> KernelVariant {
    KernelVariant(
        name, idea: idea, sources: paths(sources), needs: isParallel ? [] : path.needs, isParallel: isParallel
    ) { (problem: Problem, pool) in
        let (m, n, k) = (problem.m, problem.n, problem.k)
        return {
            DotProduct.multiply(
                int8: problem.a.pointer, aStride: k, by: problem.b.pointer, bStride: n, into: problem.c.pointer,
                cStride: n, m: m, n: n, k: k, path: path, pool: pool)
        }
    }
}

/// Rows of C beside the sums in whole numbers: any difference is one too many.
private func compare(_ problem: Problem, rows: [Int]) -> KernelAgreement {
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
