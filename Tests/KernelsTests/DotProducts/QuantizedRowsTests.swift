import CKernels
import Kernels
import Testing

@Suite("Rows of quantized weights by activations")
struct QuantizedRowsTests {
    static let operations = [KernelOperation.matvecQ8_0, .matvecQ4_0, .matvecQ4_K, .matvecQ5_K, .matvecQ6_K]
    static let rungs = operations.flatMap { operation in operation.variants.map { (operation, $0) } }
    static let cases = Quantization.allCases.flatMap { format in QuantizedRows.Path.allCases.map { (format, $0) } }

    @Test("every rung agrees with the twin, for rows that end within a group of 512 too", arguments: rungs.indices)
    func agreement(index: Int) throws {
        let (operation, variant) = Self.rungs[index]
        try skip(unless: variant.unavailable == nil, variant)
        let block = operation.name.hasSuffix("_k") ? 256 : 32
        for (m, n, blocks) in [(1, 1, 1), (1, 9, 3), (2, 7, 2), (3, 8, 17), (5, 13, 4), (33, 20, 9), (1, 600, 5)] {
            let problem = try operation.problem(KernelShape(["m": m, "n": n, "k": blocks * block]), seed: 9)
            let agreement = try operation.verify(variant, on: problem, pool: .shared)
            #expect(agreement.compared > 0)
        }
    }

    @Test("a planted fault is found: one block lost, one element never written", arguments: operations.indices)
    func plantedFault(index: Int) throws {
        let operation = Self.operations[index]
        let made = try operation.problem(KernelShape(["m": 2, "n": 10, "k": 512]))
        let problem = try #require(made as? QuantizedProblem)
        problem.multiply(.best, .single)
        #expect(problem.agreement().agrees)
        let right = problem.y[13]
        let (weights, _) = QuantizedTwin.decode(problem.rows.format, rowBytes(problem, 3), count: 512)
        problem.y[13] -= Float(weights[77]) * problem.x[512 + 77]
        #expect(!problem.agreement().agrees)
        problem.y[13] = .nan
        #expect(!problem.agreement().agrees)
        problem.y[13] = right
        #expect(problem.agreement().agrees)
    }

    private func rowBytes(_ problem: QuantizedProblem, _ row: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: problem.rows.bytes[(row * problem.rows.bytesPerRow)...])
    }

    @Test("the extreme codes and the extreme activations multiply exactly", arguments: cases.indices)
    func extremes(index: Int) throws {
        let (format, path) = Self.cases[index]
        try skip(unless: path.isAvailable, path)
        let (k, rows) = (768, 5)
        for code: UInt8 in [0x00, 0x80, 0x7f, 0xff, 0x0f, 0xf0] {
            var bytes = [UInt8](repeating: code, count: try #require(format.byteCount(k * rows)))
            for block in stride(from: 0, to: bytes.count, by: format.bytesPerBlock) {
                for place in Self.halves(format) {
                    bytes.replaceSubrange(block + place..<block + place + 2, with: [0x00, 0x3c])  // 1
                }
            }
            let x = [Float](repeating: -127, count: k)  // the scale is one
            var y = [Float](repeating: .nan, count: rows)
            try bytes.withUnsafeBytes { bytes in
                try QuantizedRows(format, rows: rows, columns: k, bytes: bytes)
                    .multiply(x, xStride: k, m: 1, into: &y, yStride: rows, path: path)
                let expected = QuantizedTwin.decode(format, bytes, count: k).weights.reduce(0, +) * -127
                #expect(y.allSatisfy { Double($0) == expected }, "code \(code)")
            }
        }
    }

    /// Where a block holds its float16 numbers.
    private static func halves(_ format: Quantization) -> [Int] {
        switch format {
        case .q8_0, .q4_0: [0]
        case .q4_k, .q5_k: [0, 2]
        case .q6_k: [208]
        }
    }

    @Test("one thread, two and five, a row of x alone or among others: the same bits", arguments: cases.indices)
    func sameBits(index: Int) throws {
        let (format, path) = Self.cases[index]
        try skip(unless: path.isAvailable, path)
        let shape = KernelShape(["m": 64, "n": 37, "k": 1280])
        let problem = try QuantizedProblem(format, shape, seed: 2)
        problem.multiply(path, .single)
        let whole = problem.y.elements.map(\.bitPattern)
        for threads in [2, 5] {
            problem.poisonOutput()
            problem.multiply(path, ThreadPool(threads: threads))
            #expect(problem.y.elements.map(\.bitPattern) == whole, "\(threads) threads")
        }
        for row in [0, 1, 31, 32, 63] {
            var alone = [Float](repeating: .nan, count: 37)
            try problem.rows.multiply(
                problem.x.pointer + row * 1280, xStride: 1280, m: 1, into: &alone, yStride: 37, path: path)
            #expect(alone.map(\.bitPattern) == Array(whole[(row * 37)..<(row + 1) * 37]), "row \(row)")
        }
    }

    @Test("a row of weights alone has the bits that it has among others", arguments: cases.indices)
    func weightRowAlone(index: Int) throws {
        let (format, path) = Self.cases[index]
        try skip(unless: path.isAvailable, path)
        let problem = try QuantizedProblem(format, KernelShape(["m": 3, "n": 21, "k": 768]), seed: 4)
        problem.multiply(path, .single)
        for row in [0, 6, 20] {
            let alone = try QuantizedRows(format, rows: 1, columns: 768, bytes: rowBytes(problem, row))
            var y = [Float](repeating: .nan, count: 3)
            try alone.multiply(problem.x.pointer, xStride: 768, m: 3, into: &y, yStride: 1, path: path)
            for i in 0..<3 { #expect(y[i].bitPattern == problem.y[i * 21 + row].bitPattern) }
        }
    }

    @Test("every path brings activations to the same 8 bits as the twin", arguments: cases.indices)
    func activations(index: Int) throws {
        let (format, path) = Self.cases[index]
        try skip(unless: path.isAvailable, path)
        let k = 1280
        let cFormats: [Quantization: orrery_row_format] = [
            .q8_0: ORRERY_Q8_0, .q4_0: ORRERY_Q4_0, .q4_k: ORRERY_Q4_K, .q5_k: ORRERY_Q5_K, .q6_k: ORRERY_Q6_K,
        ]
        let cFormat = try #require(cFormats[format])
        let cPath = [QuantizedRows.Path.avx2: ORRERY_ROWS_AVX2, .vnni: ORRERY_ROWS_VNNI][path] ?? ORRERY_ROWS_PORTABLE
        var bits = SeededBits(seed: 8)
        var x = (0..<2 * k).map { _ in bits.signedUnit() }
        for i in 0..<256 { x[i] = Float(i % 255 - 127) / 2 }  // many ties
        for i in 256..<512 { x[i] = 0 }
        for i in 512..<768 { x[i] *= 0x1p-136 }  // steps of no size
        let groups = AlignedBytes(count: orrery_activation_bytes(k, 2))
        var found = [Float](repeating: .nan, count: k)
        for row in 0..<2 {
            orrery_quantize_activations(cFormat, cPath, x, k, k, 2, row, 1, groups.pointer)
        }
        for row in 0..<2 {
            orrery_decode_activations(cFormat, cPath, groups.pointer, k, 2, row, &found)
            let expected = x[(row * k)..<(row + 1) * k].withUnsafeBufferPointer { QuantizedTwin.quantized(format, $0) }
            for i in 0..<k {
                #expect(Double(found[i]) == expected[i] || Float(expected[i]) == found[i], "\(row), \(i)")
            }
        }
    }

    @Test("what is not finite makes its row NaN and no other", arguments: cases.indices)
    func undefined(index: Int) throws {
        let (format, path) = Self.cases[index]
        try skip(unless: path.isAvailable, path)
        let problem = try QuantizedProblem(format, KernelShape(["m": 4, "n": 9, "k": 512]), seed: 6)
        problem.x[512 + 300] = .infinity
        problem.x[3 * 512] = .nan
        problem.multiply(path, .single)
        for i in 0..<4 {
            for row in 0..<9 { #expect(problem.y[i * 9 + row].isNaN == (i % 2 == 1), "row \(i)") }
        }
    }

    @Test("encoded weights answer nearly as the weights themselves do", arguments: Quantization.allCases)
    func encoded(format: Quantization) throws {
        let (n, k) = (16, 1024)
        var bits = SeededBits(seed: 1)
        let weights = (0..<n * k).map { _ in bits.signedUnit() }
        let x = (0..<k).map { _ in bits.signedUnit() }
        let rows = try QuantizedRows(format, encoding: weights, rows: n, columns: k)
        var y = [Float](repeating: .nan, count: n)
        try rows.multiply(x, xStride: k, m: 1, into: &y, yStride: n)
        var (error, size) = (Float(0), Float(0))
        for row in 0..<n {
            let exact = (0..<k).reduce(Float(0)) { $0 + weights[row * k + $1] * x[$1] }
            error += (y[row] - exact) * (y[row] - exact)
            size += exact * exact
        }
        let allowed: [Quantization: Float] = [.q8_0: 0.02, .q6_k: 0.04, .q5_k: 0.08]
        #expect((error / size).squareRoot() < allowed[format] ?? 0.15)
    }

    @Test("the model counts whole blocks")
    func costs() {
        let shape = KernelShape(["m": 2, "n": 3, "k": 512])
        let flops = 2.0 * 2 * 3 * 512
        #expect(KernelOperation.matvecQ8_0.cost(shape) == KernelCost(flops: flops, bytes: 3 * 16 * 34 + 8 * 515))
        #expect(KernelOperation.matvecQ4_0.cost(shape) == KernelCost(flops: flops, bytes: 3 * 16 * 18 + 8 * 515))
        #expect(KernelOperation.matvecQ4_K.cost(shape) == KernelCost(flops: flops, bytes: 3 * 2 * 144 + 8 * 515))
        #expect(KernelOperation.matvecQ5_K.cost(shape) == KernelCost(flops: flops, bytes: 3 * 2 * 176 + 8 * 515))
        #expect(KernelOperation.matvecQ6_K.cost(shape) == KernelCost(flops: flops, bytes: 3 * 2 * 210 + 8 * 515))
    }

    @Test("a row that is not a whole block is refused in a sentence")
    func oddRow() {
        let error = #expect(throws: KernelError.self) {
            _ = try KernelOperation.matvecQ4_K.problem(KernelShape(["m": 1, "n": 4, "k": 300]))
        }
        #expect(error?.sentence == "matvec-q4_k: k=300 is not a multiple of the block size 256.")
    }
}

/// Memory for what kernels load 64 bytes at a time.
private final class AlignedBytes {
    let pointer: UnsafeMutableRawPointer
    init(count: Int) { pointer = .allocate(byteCount: count, alignment: 64) }
    deinit { pointer.deallocate() }
}
