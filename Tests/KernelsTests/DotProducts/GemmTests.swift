import Kernels
import Testing

@Suite("Matrix products in 16 and 8 bits")
struct GemmTests {
    static let operations = [KernelOperation.gemmBF16, .gemmInt8]
    static let rungs = operations.flatMap { operation in operation.variants.map { (operation, $0) } }
    /// Borders of tiles, of words, of stripes (512 words) and of blocks.
    static let shapes: [KernelShape] = [
        [1, 1, 1], [2, 3, 5], [5, 17, 7], [6, 64, 4], [7, 65, 3], [13, 130, 131], [1, 200, 513], [50, 63, 66],
        [3, 9, 2049], [197, 33, 40],
    ].map { KernelShape(["m": $0[0], "n": $0[1], "k": $0[2]]) }

    @Test("every rung agrees with the twin at every border", arguments: rungs.indices)
    func agreement(index: Int) throws {
        let (operation, variant) = Self.rungs[index]
        try skip(unless: variant.unavailable == nil, variant)
        for shape in Self.shapes {
            let problem = try operation.problem(shape, seed: 7)
            try operation.verify(variant, on: problem, pool: .shared)
        }
    }

    @Test("a planted fault is found: one product lost, one element never written", arguments: operations.indices)
    func plantedFault(index: Int) throws {
        let operation = Self.operations[index]
        let shape = KernelShape(["m": 4, "n": 70, "k": 1000])
        let problem = try operation.problem(shape)
        let variant = try operation.variant("threads")
        #expect(try operation.verify(variant, on: problem, pool: .single).agrees)
        if let problem = problem as? GemmProblem<UInt16, Float> {
            let lost = BFloat16Conversion.widen(problem.a[3]) * BFloat16Conversion.widen(problem.b[3 * 70 + 69])
            problem.c[69] -= lost
            #expect(!problem.agreement().agrees)
            problem.c[69] = .nan
            #expect(problem.agreement().worst == .infinity)
        }
        if let problem = problem as? GemmProblem<Int8, Int32> {
            problem.c[69] += 1
            #expect(!problem.agreement().agrees)
            problem.c[69] = .max
            #expect(problem.agreement().place == "C[0, 69] was never written")
        }
    }

    @Test("the smallest and the largest int8 multiply exactly", arguments: DotProduct.Int8Path.allCases)
    func extremes(path: DotProduct.Int8Path) throws {
        try skip(unless: path.isAvailable, path)
        let (m, n, k) = (7, 67, 4099)
        for (left, right): (Int8, Int8) in [(-128, -128), (-128, 127), (127, -128), (127, 127), (0, -128)] {
            let a = [Int8](repeating: left, count: m * k)
            let b = [Int8](repeating: right, count: k * n)
            var c = [Int32](repeating: .max, count: m * n)
            DotProduct.multiply(
                int8: a, aStride: k, by: b, bStride: n, into: &c, cStride: n, m: m, n: n, k: k, path: path)
            #expect(c.allSatisfy { $0 == Int32(left) * Int32(right) * Int32(k) }, "\(left) · \(right)")
        }
    }

    @Test("small whole numbers in bfloat16 multiply exactly on every path", arguments: DotProduct.BFloat16Path.allCases)
    func wholeNumbers(path: DotProduct.BFloat16Path) throws {
        try skip(unless: path.isAvailable, path)
        let (m, n, k) = (8, 71, 1030)
        let a = (0..<m * k).map { BFloat16Conversion.narrow(Float($0 % 15 - 7)) }
        let b = (0..<k * n).map { BFloat16Conversion.narrow(Float($0 % 13 - 6)) }
        var c = [Float](repeating: .nan, count: m * n)
        DotProduct.multiply(bf16: a, aStride: k, by: b, bStride: n, into: &c, cStride: n, m: m, n: n, k: k, path: path)
        for i in 0..<m {
            for j in 0..<n {
                let sum = (0..<k).reduce(0) { $0 + ((i * k + $1) % 15 - 7) * (($1 * n + j) % 13 - 6) }
                #expect(c[i * n + j] == Float(sum))
            }
        }
    }

    @Test("subnormal numbers count, but as zero on the path of vdpbf16ps", arguments: DotProduct.BFloat16Path.allCases)
    func subnormals(path: DotProduct.BFloat16Path) throws {
        try skip(unless: path.isAvailable, path)
        let tiny: UInt16 = 0x0001  // 2⁻¹³³
        let huge = BFloat16Conversion.narrow(0x1p100)
        var c: Float = .nan
        DotProduct.multiply(
            bf16: [tiny], aStride: 1, by: [huge], bStride: 1, into: &c, cStride: 1, m: 1, n: 1, k: 1, path: path)
        #expect(c == (path == .dot ? 0 : 0x1p-33))
    }

    @Test("infinities and NaN stay what they are", arguments: DotProduct.BFloat16Path.allCases)
    func specials(path: DotProduct.BFloat16Path) throws {
        try skip(unless: path.isAvailable, path)
        let (infinity, nan, one): (UInt16, UInt16, UInt16) = (0x7f80, 0x7fc0, 0x3f80)
        let a = [one, one, infinity, one, nan, one, infinity, one]  // four rows of two
        let b = [one, 0xff80]  // 1 and -∞, one column
        var c = [Float](repeating: 0, count: 4)
        DotProduct.multiply(bf16: a, aStride: 2, by: b, bStride: 1, into: &c, cStride: 1, m: 4, n: 1, k: 2, path: path)
        #expect(c[0] == -.infinity && c[1].isNaN && c[2].isNaN && c[3].isNaN)
    }

    @Test("one thread, two and five, packed before or not, a row alone or among others: the same bits")
    func sameBits() throws {
        let (m, n, k) = (64, 200, 1500)
        var bits = SeededBits(seed: 3)
        let a = (0..<m * k).map { _ in BFloat16Conversion.narrow(bits.signedUnit()) }
        let b = (0..<k * n).map { _ in BFloat16Conversion.narrow(bits.signedUnit()) }
        for path in DotProduct.BFloat16Path.allCases where path.isAvailable {
            var whole = [Float](repeating: .nan, count: m * n)
            DotProduct.multiply(
                bf16: a, aStride: k, by: b, bStride: n, into: &whole, cStride: n, m: m, n: n, k: k, path: path,
                pool: .single)
            for threads in [2, 5] {
                var c = [Float](repeating: .nan, count: m * n)
                DotProduct.multiply(
                    bf16: a, aStride: k, by: b, bStride: n, into: &c, cStride: n, m: m, n: n, k: k, path: path,
                    pool: ThreadPool(threads: threads))
                #expect(c.map(\.bitPattern) == whole.map(\.bitPattern), "\(path), \(threads) threads")
            }
            for row in [0, 5, 63] {
                var alone = [Float](repeating: .nan, count: n)
                DotProduct.multiply(
                    bf16: Array(a[(row * k)...]), aStride: k, by: b, bStride: n, into: &alone, cStride: n, m: 1, n: n,
                    k: k,
                    path: path)
                #expect(
                    alone.map(\.bitPattern) == whole[(row * n)..<(row + 1) * n].map(\.bitPattern), "\(path), row \(row)"
                )
            }
            guard path != .naive else { continue }
            var packed = [Float](repeating: .nan, count: m * n)
            try PackedBF16Matrix(b, stride: n, k: k, n: n, path: path)
                .multiply(a, aStride: k, m: m, into: &packed, cStride: n)
            #expect(packed.map(\.bitPattern) == whole.map(\.bitPattern), "\(path), packed before")
        }
    }

    @Test("strides reach parts of larger matrices and leave the rest alone", arguments: DotProduct.Int8Path.allCases)
    func strides(path: DotProduct.Int8Path) throws {
        try skip(unless: path.isAvailable, path)
        let (m, n, k, aStride, bStride, cStride) = (5, 20, 9, 13, 31, 27)
        var bits = SeededBits(seed: 11)
        let a = (0..<m * aStride).map { _ in Int8(truncatingIfNeeded: bits.next()) }
        let b = (0..<k * bStride).map { _ in Int8(truncatingIfNeeded: bits.next()) }
        var c = [Int32](repeating: -1, count: m * cStride)
        DotProduct.multiply(
            int8: a, aStride: aStride, by: b, bStride: bStride, into: &c, cStride: cStride, m: m, n: n, k: k, path: path
        )
        for i in 0..<m {
            for j in 0..<cStride {
                let sum = (0..<k).reduce(Int32(0)) {
                    $0 + Int32(a[i * aStride + $1]) * Int32(b[$1 * bStride + min(j, n)])
                }
                #expect(c[i * cStride + j] == (j < n ? sum : -1))
            }
        }
    }

    @Test("a product without inner length is zero")
    func emptySum() {
        var c: [Float] = [.nan, .nan]
        DotProduct.multiply(bf16: [], aStride: 0, by: [], bStride: 2, into: &c, cStride: 2, m: 1, n: 2, k: 0)
        #expect(c == [0, 0])
    }

    @Test("the model counts what the formula says")
    func costs() {
        let shape = KernelShape(["m": 2, "n": 3, "k": 5])
        #expect(KernelOperation.gemmBF16.cost(shape) == KernelCost(flops: 60, bytes: 2 * (10 + 15) + 24))
        #expect(KernelOperation.gemmInt8.cost(shape) == KernelCost(flops: 60, bytes: 10 + 15 + 24))
    }
}
