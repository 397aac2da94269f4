import Kernels
import Testing

@Suite("Attention over pages")
struct PagedAttentionTests {
    @Test("of one token over three pages is softmax(scale q Kᵀ) V", arguments: [.automatic] + AttentionPath.present)
    func decode(path: AttentionPath) throws {
        let problem = try PagedAttentionProblem(
            PagedAttentionShape(heads: 8, kvHeads: 2, queries: 1, firstPosition: 70, scale: 0.25), keyWidth: 16)
        try expectTwin(problem, path)
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let shape: PagedAttentionShape
        var keyWidth = 8
        var valueWidth: Int?
        var pageSize = 32
    }

    static let cases = [
        Case(
            testDescription: "one of everything",
            shape: PagedAttentionShape(heads: 1, kvHeads: 1, queries: 1, firstPosition: 0, scale: 1), keyWidth: 1),
        Case(
            testDescription: "a prompt from its start, heads in threes, odd widths",
            shape: PagedAttentionShape(heads: 6, kvHeads: 2, queries: 67, firstPosition: 0, scale: 0.3),
            keyWidth: 33, valueWidth: 21),
        Case(
            testDescription: "a piece of a prompt behind others, in pages of 96",
            shape: PagedAttentionShape(heads: 4, kvHeads: 4, queries: 40, firstPosition: 150, scale: 0.4),
            keyWidth: 64, pageSize: 96),
        Case(
            testDescription: "a context long enough for several runs of keys",
            shape: PagedAttentionShape(heads: 5, kvHeads: 1, queries: 2, firstPosition: 1700, scale: 0.4)),
        Case(
            testDescription: "a window that begins within a page",
            shape: PagedAttentionShape(heads: 2, kvHeads: 1, queries: 50, firstPosition: 100, scale: 0.4, window: 37)),
        Case(
            testDescription: "a window far behind the start of a long context",
            shape: PagedAttentionShape(heads: 2, kvHeads: 2, queries: 1, firstPosition: 1500, scale: 1, window: 700)),
        Case(
            testDescription: "capped scores",
            shape: PagedAttentionShape(heads: 2, kvHeads: 1, queries: 9, firstPosition: 60, scale: 2, softcap: 5)),
        Case(
            testDescription: "slopes of ALiBi",
            shape: PagedAttentionShape(
                heads: 4, kvHeads: 2, queries: 33, firstPosition: 20, scale: 0.4,
                alibiSlopes: [0.25, 0.0625, 0.015625, 0.00390625])),
        Case(
            testDescription: "an encoder, where every token sees all",
            shape: PagedAttentionShape(
                heads: 2, kvHeads: 2, queries: 70, firstPosition: 0, scale: 0.4, isCausal: false)),
        Case(
            testDescription: "everything at once",
            shape: PagedAttentionShape(
                heads: 2, kvHeads: 1, queries: 70, firstPosition: 600, scale: 1, window: 200, softcap: 3,
                alibiSlopes: [0.5, 0.01])),
    ]

    @Test("agrees with the formulas", arguments: cases, [.automatic] + AttentionPath.present)
    func formulas(_ one: Case, path: AttentionPath) throws {
        try expectTwin(
            PagedAttentionProblem(
                one.shape, keyWidth: one.keyWidth, valueWidth: one.valueWidth, pageSize: one.pageSize), path)
    }

    @Test("has the same bits with one thread and with three", arguments: [.automatic] + AttentionPath.present)
    func threads(path: AttentionPath) throws {
        let pool = ThreadPool(threads: 3)
        for queries in [1, 120] {
            let problem = try PagedAttentionProblem(
                PagedAttentionShape(heads: 16, kvHeads: 2, queries: queries, firstPosition: 1400, scale: 0.2),
                keyWidth: 24)
            let one = try problem.run(path).map(\.bitPattern)
            #expect(try problem.run(path, pool: pool).map(\.bitPattern) == one)
        }
    }

    @Test("does not care where a page lies: pages in any order of memory give the same bits")
    func order() throws {
        let problem = try PagedAttentionProblem(
            PagedAttentionShape(heads: 4, kvHeads: 2, queries: 3, firstPosition: 90, scale: 0.2), keyWidth: 8)
        let other = try PagedAttentionProblem(problem.shape, keyWidth: 8)
        // Page 0 of one sequence, the others of its twin: as branches share a prefix.
        var shared = other.pages
        shared.keys[0] = problem.pages.keys[0]
        shared.values[0] = problem.pages.values[0]
        let expected = try problem.run()
        try PagedAttention.forward(
            q: other.q.pointer, qStride: 4 * 8, into: other.o.pointer, oStride: 4 * 8, pages: shared,
            shape: other.shape)
        #expect(Array(other.o.elements) == expected)
    }

    @Test("keeps what was appended")
    func append() throws {
        let problem = try PagedAttentionProblem(
            PagedAttentionShape(heads: 2, kvHeads: 2, queries: 1, firstPosition: 80, scale: 1), keyWidth: 5,
            valueWidth: 3)
        for (position, head) in [(0, 1), (31, 0), (32, 1), (80, 0)] {
            let key = (0..<5).map { problem.k[(position * 2 + head) * 5 + $0] }
            let value = (0..<3).map { problem.v[(position * 2 + head) * 3 + $0] }
            #expect(problem.pages.key(head: head, position: position) == key)
            #expect(Array(problem.pages.value(head: head, position: position)) == value)
        }
    }

    static let refusals: [(PagedAttentionShape, Int, String)] = [
        (.init(heads: 3, kvHeads: 2, queries: 1, firstPosition: 0, scale: 1), 32, "3 heads cannot share 2 key"),
        (.init(heads: 2, kvHeads: 2, queries: 1, firstPosition: 99, scale: 1), 32, "need 4 pages, but there are 1"),
        (.init(heads: 2, kvHeads: 2, queries: 1, firstPosition: 0, scale: 1), 24, "not a multiple of 32"),
        (.init(heads: 2, kvHeads: 2, queries: 0, firstPosition: 0, scale: 1), 32, "queries=0 is outside"),
        (
            .init(heads: 2, kvHeads: 2, queries: 1, firstPosition: -1, length: 1, scale: 1), 32,
            "firstPosition=-1 is out of range"
        ),
        (.init(heads: 2, kvHeads: 2, queries: 1, firstPosition: 0, scale: .nan), 32, "not a finite number"),
        (.init(heads: 2, kvHeads: 2, queries: 1, firstPosition: 0, scale: 1, softcap: -1), 32, "softcap -1.0"),
        (.init(heads: 2, kvHeads: 2, queries: 1, firstPosition: 0, scale: 1, alibiSlopes: [1]), 32, "1 slopes for 2"),
        (.init(heads: 4, kvHeads: 4, queries: 1, firstPosition: 0, scale: 1), 32, "have 2 key heads, not 4"),
    ]

    @Test("refuses sizes that do not fit, in a sentence", arguments: refusals)
    func refusal(shape: PagedAttentionShape, pageSize: Int, words: String) throws {
        let memory = try AlignedBuffer<Float>(count: 4096)
        let pages = PagedKeyValues(
            keys: [memory.pointer], values: [memory.pointer], pageSize: pageSize, kvHeads: 2, keyWidth: 4,
            valueWidth: 4)
        #expect {
            try PagedAttention.forward(
                q: memory.pointer, qStride: 8, into: memory.pointer, oStride: 8, pages: pages, shape: shape)
        } throws: {
            "\($0)".hasPrefix("paged attention: ") && "\($0)".contains(words)
        }
    }

    private func expectTwin(_ problem: PagedAttentionProblem, _ path: AttentionPath) throws {
        let worst = zip(try problem.run(path), problem.twin()).map { abs(Double($0) - $1) }
        // Weights sum to 1 and values stay below 1.8: what is left is the rounding of scores up to about 20.
        #expect(worst.allSatisfy { $0 <= 4e-6 }, "off by \(worst.max() ?? 0)")
    }
}
