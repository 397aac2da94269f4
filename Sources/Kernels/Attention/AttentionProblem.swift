import Hashing

/// Seeded queries, keys and values, and the output that the rungs of `attention` fill.
package final class AttentionProblem: KernelProblem {
    package let shape: AttentionShape
    package let q, k, v, o, logSumExp: AlignedBuffer<Float>
    private let seed: UInt64
    /// Why the rung that ran last gave nothing.
    var shortage: KernelError?
    /// Whether the rung that ran last has a log-sum-exp to show.
    var keepsLogSumExp = true
    private var scoreMemory: AlignedBuffer<Float>?

    package init(_ shape: AttentionShape, seed: UInt64) throws(KernelError) {
        try shape.check("attention")
        self.shape = shape
        self.seed = seed
        let size = try AttentionSizes(shape)
        q = try AlignedBuffer(count: size.queries)
        k = try AlignedBuffer(count: size.keys)
        v = try AlignedBuffer(count: size.keys)
        o = try AlignedBuffer(count: size.queries)
        logSumExp = try AlignedBuffer(count: size.rows)
        var noise = AttentionNoise(seed: seed)
        for buffer in [q, k, v] { noise.fill(buffer) }
    }

    package var queryView: AttentionView { AttentionView(q.pointer, rows: shape.queries, width: shape.width) }
    package var keyView: AttentionView { AttentionView(k.pointer, rows: shape.keys, width: shape.width) }
    package var valueView: AttentionView { AttentionView(v.pointer, rows: shape.keys, width: shape.width) }
    package var outputView: MutableAttentionView {
        MutableAttentionView(o.pointer, rows: shape.queries, width: shape.width)
    }
    package var twin: AttentionTwin { AttentionTwin(shape: shape, q: queryView, k: keyView, v: valueView) }

    /// `[queries, keys]` for the rungs that keep the scores of a head.
    func scores() throws(KernelError) -> UnsafeMutablePointer<Float> {
        if let scoreMemory { return scoreMemory.pointer }
        let memory = try AlignedBuffer<Float>(count: shape.queries * shape.keys)
        scoreMemory = memory
        return memory.pointer
    }

    /// The call that `make` makes; where it finds no memory, one that leaves the output poisoned and says why.
    func prepared(_ make: () throws(KernelError) -> () -> Void) -> () -> Void {
        do {
            return try make()
        } catch {
            return { self.shortage = error }
        }
    }

    package var workingSet: Int { [q, k, v, o, logSumExp].reduce(0) { $0 + $1.byteCount } }

    package func poisonOutput() {
        keepsLogSumExp = true
        shortage = nil
        o.elements.update(repeating: .nan)
        logSumExp.elements.update(repeating: .nan)
    }

    package func agreement() -> KernelAgreement {
        if let shortage { return .nothing(shortage) }
        var worst = AttentionDifference()
        let cost = shape.width * (shape.visiblePairs / shape.queries + 1) + 200
        for (head, query) in AttentionSample.rows(shape.heads, shape.queries, costEach: cost, seed: seed) {
            let row = twin.row(head: head, query: query)
            let place = "head \(head), query \(query)"
            for c in 0..<shape.width {
                worst.see(
                    "\(place), element \(c)", found: o[(head * shape.queries + query) * shape.width + c],
                    expected: row.output[c], tolerance: row.tolerance[c])
            }
            guard keepsLogSumExp else { continue }
            worst.see(
                "the log-sum-exp of \(place)", found: logSumExp[head * shape.queries + query],
                expected: row.logSumExp, tolerance: row.logTolerance)
        }
        return worst.agreement(bound: "(4√keys + 8 + (8√d + 4) scale Σ|q||k|) u Σ p|v|")
    }
}

/// Elements of the operands; sizes whose product no machine holds are refused before anything is asked for.
struct AttentionSizes {
    let queries, keys, rows: Int

    init(_ shape: AttentionShape) throws(KernelError) {
        func product(_ factors: Int...) throws(KernelError) -> Int {
            var result = 1
            for factor in factors {
                let (value, overflow) = result.multipliedReportingOverflow(by: factor)
                guard !overflow else { throw .memory(bytes: nil) }
                result = value
            }
            return result
        }
        queries = try product(shape.heads, shape.queries, shape.width)
        keys = try product(shape.kvHeads, shape.keys, shape.width)
        rows = try product(shape.heads, shape.queries)
        _ = try product(shape.queries, shape.keys, 16)
    }
}

/// Even numbers in -√3 ..< √3, of variance 1, from SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
struct AttentionNoise {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(state: seed) }

    mutating func next() -> UInt64 {
        generator.next()
    }

    mutating func fill(_ buffer: AlignedBuffer<Float>) {
        for i in 0..<buffer.count { buffer.pointer[i] = (Float(next() >> 40) * 0x1p-23 - 1) * 1.7320508 }
    }
}

/// Rows that are compared: all where that is cheap, otherwise the first, the last and seeded ones between.
enum AttentionSample {
    private static let budget = 20_000_000

    static func rows(_ heads: Int, _ rows: Int, costEach: Int, seed: UInt64) -> [(head: Int, row: Int)] {
        let total = heads * rows
        let affordable = max(8, budget / max(costEach, 1))
        if total <= affordable { return (0..<total).map { ($0 / rows, $0 % rows) } }
        var noise = AttentionNoise(seed: seed ^ 0x5a5a)
        let chosen = (0..<affordable - 2).map { _ in Int(noise.next() % UInt64(total)) }
        return ([0, total - 1] + chosen).map { ($0 / rows, $0 % rows) }
    }
}

/// The element with the largest error in units of what is allowed.
struct AttentionDifference {
    private var worst = -1.0
    private var place = ""
    private var compared = 0

    mutating func see(_ name: @autoclosure () -> String, found: Float, expected: Double, tolerance: Double) {
        compared += 1
        // Equal infinities agree; NaN never does. Below the smallest normal number a result may be lost.
        let error = Double(found) == expected ? 0 : abs(Double(found) - expected) / (tolerance + 0x1p-126)
        guard error > worst || error.isNaN else { return }
        worst = error.isNaN ? .infinity : error
        place = "\(name()) is \(found), expected \(Float(expected)) within \(Float(tolerance))"
    }

    func agreement(bound: String) -> KernelAgreement {
        KernelAgreement(worst: worst, bound: bound, place: place, compared: compared)
    }
}

extension KernelAgreement {
    /// Of a rung that gave nothing to compare.
    static func nothing(_ reason: KernelError) -> KernelAgreement {
        KernelAgreement(worst: .infinity, bound: "none", place: reason.sentence, compared: 0)
    }
}
