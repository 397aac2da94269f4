import Kernels
import Testing

@Suite("Attention")
struct AttentionTests {
    @Test("a causal query sees the keys up to its own")
    func example() throws {
        // Three equal keys: each query takes the mean of the values that it sees.
        let (q, k, v) = (
            try AlignedBuffer(holding: [1, 1, 1]), try AlignedBuffer(holding: [0, 0, 0]),
            try AlignedBuffer(holding: [3, 5, 10])
        )
        let o = try AlignedBuffer<Float>.unwritten(3)
        try Attention.forward(
            q: AttentionView(q.pointer, rows: 3, width: 1), k: AttentionView(k.pointer, rows: 3, width: 1),
            v: AttentionView(v.pointer, rows: 3, width: 1), into: MutableAttentionView(o.pointer, rows: 3, width: 1),
            shape: AttentionShape(queries: 3, width: 1, isCausal: true))
        withExtendedLifetime((q, k, v)) {}
        #expect(Array(o.elements) == [3, 4, 6])
    }

    /// Sizes around every border: lanes of 4 to 64, tiles of 6, 12 and 192, chunks of 128.
    static let shapes = [
        AttentionShape(queries: 1, width: 1),
        AttentionShape(queries: 1, keys: 17, width: 256),
        AttentionShape(queries: 5, keys: 3, width: 7),
        AttentionShape(queries: 65, keys: 193, width: 64),
        AttentionShape(queries: 130, keys: 400, width: 33, scale: 0.7),
        AttentionShape(queries: 131, width: 64, isCausal: true),
        AttentionShape(queries: 40, keys: 230, width: 65, isCausal: true),
        AttentionShape(queries: 200, keys: 37, width: 16, isCausal: true),
        AttentionShape(queries: 300, width: 24, isCausal: true, window: 19),
        AttentionShape(queries: 77, keys: 450, width: 12, window: 200),
        AttentionShape(heads: 6, kvHeads: 2, queries: 29, keys: 71, width: 10, isCausal: true),
        AttentionShape(heads: 8, kvHeads: 1, queries: 1, keys: 500, width: 48),
        AttentionShape(heads: 3, queries: 50, width: 128, isCausal: true, window: 1),
    ]

    @Test("every rung agrees with the float64 twin, for all options and odd sizes", arguments: shapes)
    func agreement(shape: AttentionShape) throws {
        for (name, pool) in [("", ThreadPool.single), (" on three threads", ThreadPool(threads: 3))] {
            let problem = try AttentionProblem(shape, seed: 7)
            for variant in KernelOperation.attention.variants where variant.unavailable == nil {
                let agreement = try KernelOperation.attention.verify(variant, on: problem, pool: pool)
                #expect(agreement.worst < 0.9, "\(variant.name)\(name): \(agreement.place)")
            }
        }
    }

    @Test("gradients of every rung agree with the float64 twin", arguments: shapes)
    func gradientAgreement(shape: AttentionShape) throws {
        let problem = try AttentionBackwardProblem(shape, seed: 8)
        for variant in KernelOperation.attentionBackward.variants where variant.unavailable == nil {
            let agreement = try KernelOperation.attentionBackward.verify(
                variant, on: problem, pool: ThreadPool(threads: 2))
            #expect(agreement.worst < 0.9, "\(variant.name): \(agreement.place)")
        }
    }

    @Test("large scores do not overflow", arguments: AttentionPath.present)
    func largeScores(path: AttentionPath) throws {
        let problem = try AttentionProblem(AttentionShape(queries: 100, width: 32, isCausal: true, scale: 30), seed: 3)
        problem.poisonOutput()
        try problem.run(path)
        #expect(problem.agreement().agrees)
        #expect(problem.o.elements.allSatisfy { $0.isFinite })
    }

    @Test("a row that sees no key is zero and its log-sum-exp -infinity", arguments: AttentionPath.present)
    func blindRows(path: AttentionPath) throws {
        // Ten queries after four keys that end with them: the first six stand before the first key.
        let problem = try AttentionProblem(AttentionShape(queries: 10, keys: 4, width: 8, isCausal: true), seed: 1)
        problem.poisonOutput()
        try problem.run(path)
        #expect(problem.o.elements.prefix(48).allSatisfy { $0 == 0 })
        #expect(problem.logSumExp.elements.prefix(6).allSatisfy { $0 == -.infinity })
        #expect(problem.o.elements.dropFirst(48).allSatisfy { $0 != 0 && $0.isFinite })
    }

    @Test("rows may lie apart: heads inside a row, gaps untouched", arguments: AttentionPath.present)
    func strides(path: AttentionPath) throws {
        let shape = AttentionShape(heads: 4, kvHeads: 2, queries: 20, keys: 30, width: 6, isCausal: true)
        let plain = try AttentionProblem(shape, seed: 5)
        try plain.run(path)
        func interleaved(_ buffer: AlignedBuffer<Float>, heads: Int, rows: Int) throws -> AlignedBuffer<Float> {
            let result = try AlignedBuffer<Float>.unwritten(rows * (heads * 6 + 1))
            for (i, element) in buffer.elements.enumerated() {
                let (head, row, c) = (i / (rows * 6), i / 6 % rows, i % 6)
                result[row * (heads * 6 + 1) + head * 6 + c] = element
            }
            return result
        }
        let q = try interleaved(plain.q, heads: 4, rows: 20)
        let (k, v) = (try interleaved(plain.k, heads: 2, rows: 30), try interleaved(plain.v, heads: 2, rows: 30))
        let o = try AlignedBuffer<Float>.unwritten(q.count)
        try Attention.forward(
            q: AttentionView(q.pointer, headStride: 6, rowStride: 25),
            k: AttentionView(k.pointer, headStride: 6, rowStride: 13),
            v: AttentionView(v.pointer, headStride: 6, rowStride: 13),
            into: MutableAttentionView(o.pointer, headStride: 6, rowStride: 25), shape: shape, path: path)
        withExtendedLifetime((q, k, v)) {}
        let expected = try interleaved(plain.o, heads: 4, rows: 20)
        #expect(o.equals(expected))
    }

    @Test(
        "impossible sizes are answered with a sentence",
        arguments: [
            (
                AttentionShape(heads: 3, kvHeads: 2, queries: 1, width: 1),
                "3 heads cannot share 2 key and value heads evenly"
            ),
            (AttentionShape(queries: 0, width: 4), "queries=0 is outside 1...1073741824"),
            (AttentionShape(queries: 1, width: 4, window: 0), "window=0 is outside 1...1073741824"),
            (AttentionShape(queries: 1, width: 4, scale: .nan), "the scale nan is not a finite number"),
        ])
    func impossible(shape: AttentionShape, problem: String) {
        #expect(throws: KernelError.shape(operation: "attention", problem: problem)) {
            try AttentionProblem(shape, seed: 1)
        }
    }

    @Test("visible pairs are counted as they are seen", arguments: shapes)
    func pairs(shape: AttentionShape) {
        let counted = (0..<shape.queries).reduce(0) { $0 + shape.visibleKeys(query: $1).count }
        #expect(shape.visiblePairs == counted)
    }

    @Test("the default preset costs 4 N² d operations, half of them when causal")
    func cost() {
        let operation = KernelOperation.attention
        #expect(operation.cost(operation.presets[0]).flops == 4 * 4096 * 4096 * 64)
        #expect(operation.cost(operation.presets[2]).flops == 4 * 4096 * 4097 / 2 * 64)
        #expect(operation.cost(operation.presets[0]).bytes == 4 * 4 * 4096 * 64)
        #expect(KernelOperation.attentionBackward.cost(operation.presets[0]).flops == 10 * 4096 * 4096 * 64)
    }
}
