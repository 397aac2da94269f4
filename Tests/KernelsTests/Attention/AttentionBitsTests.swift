import Kernels
import Testing

@Suite("Attention gives the same bits")
struct AttentionBitsTests {
    static let shapes = [
        AttentionShape(queries: 300, keys: 500, width: 20),
        AttentionShape(queries: 420, width: 32, isCausal: true),
        AttentionShape(heads: 4, kvHeads: 2, queries: 150, width: 16, isCausal: true, window: 70),
    ]

    @Test("for any number of threads", arguments: shapes, AttentionPath.present)
    func threads(shape: AttentionShape, path: AttentionPath) throws {
        let (one, many) = (try AttentionBackwardProblem(shape, seed: 2), try AttentionBackwardProblem(shape, seed: 2))
        let pool = ThreadPool(threads: 3)
        try one.forward.run(path)
        try many.forward.run(path, pool: pool)
        #expect(one.forward.o.equals(many.forward.o))
        #expect(one.forward.logSumExp.equals(many.forward.logSumExp))
        many.poisonOutput()
        try one.run(path)
        try many.run(path, pool: pool)
        #expect(one.dQ.equals(many.dQ))
        #expect(one.dK.equals(many.dK))
        #expect(one.dV.equals(many.dV))
    }

    @Test("for a query alone and among 64", arguments: [false, true], AttentionPath.present)
    func alone(isCausal: Bool, path: AttentionPath) throws {
        let (rows, keys, width) = (64, 450, 40)
        let together = try AttentionProblem(
            AttentionShape(heads: 2, kvHeads: 1, queries: rows, keys: keys, width: width, isCausal: isCausal), seed: 4)
        try together.run(path)
        for (head, row) in [(0, 0), (0, 1), (0, 40), (1, 63)] {
            // As in decoding: one query, and the keys up to its own.
            let seen = isCausal ? keys - rows + row + 1 : keys
            let (o, logSumExp) = (try AlignedBuffer<Float>.unwritten(width), try AlignedBuffer<Float>.unwritten(1))
            let first = (head * rows + row) * width
            try Attention.forward(
                q: AttentionView(together.q.pointer + first, rows: 1, width: width),
                k: AttentionView(together.k.pointer, rows: seen, width: width),
                v: AttentionView(together.v.pointer, rows: seen, width: width),
                into: MutableAttentionView(o.pointer, rows: 1, width: width), logSumExp: logSumExp.pointer,
                shape: AttentionShape(queries: 1, keys: seen, width: width, isCausal: isCausal), path: path)
            #expect(o.equals(together.o, from: first))
            #expect(logSumExp.equals(together.logSumExp, from: head * rows + row))
        }
    }

    @Test("for the gradient of a query alone and among 64", arguments: AttentionPath.present)
    func gradientAlone(path: AttentionPath) throws {
        let (rows, keys, width) = (64, 250, 24)
        let together = try AttentionBackwardProblem(
            AttentionShape(queries: rows, keys: keys, width: width), seed: 9)
        try together.run(path)
        let (row, forward) = (37, together.forward)
        let dQ = try AlignedBuffer<Float>.unwritten(width)
        let dK = try AlignedBuffer<Float>.unwritten(keys * width)
        let dV = try AlignedBuffer<Float>.unwritten(keys * width)
        try Attention.backward(
            q: AttentionView(forward.q.pointer + row * width, rows: 1, width: width), k: forward.keyView,
            v: forward.valueView, o: AttentionView(forward.o.pointer + row * width, rows: 1, width: width),
            logSumExp: forward.logSumExp.pointer + row,
            outputGradient: AttentionView(together.dO.pointer + row * width, rows: 1, width: width),
            into: (
                q: MutableAttentionView(dQ.pointer, rows: 1, width: width),
                k: MutableAttentionView(dK.pointer, rows: keys, width: width),
                v: MutableAttentionView(dV.pointer, rows: keys, width: width)
            ), shape: AttentionShape(queries: 1, keys: keys, width: width), path: path)
        withExtendedLifetime((dK, dV)) {}
        #expect(dQ.equals(together.dQ, from: row * width))
    }
}
