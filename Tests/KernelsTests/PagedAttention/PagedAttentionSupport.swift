import Glibc
import Kernels

/// Seeded queries, keys and values, written into pages in odd pieces, and what attention over them should be.
final class PagedAttentionProblem {
    let shape: PagedAttentionShape
    let keyWidth: Int
    let valueWidth: Int
    let q: AlignedBuffer<Float>
    let k: AlignedBuffer<Float>
    let v: AlignedBuffer<Float>
    let o: AlignedBuffer<Float>
    let pages: PagedKeyValues
    private let memory: [AlignedBuffer<Float>]

    init(_ shape: PagedAttentionShape, keyWidth: Int, valueWidth: Int? = nil, pageSize: Int = 32) throws {
        let valueWidth = valueWidth ?? keyWidth
        self.shape = shape
        self.keyWidth = keyWidth
        self.valueWidth = valueWidth
        q = try AlignedBuffer(count: shape.queries * shape.heads * keyWidth)
        k = try AlignedBuffer(count: shape.length * shape.kvHeads * keyWidth)
        v = try AlignedBuffer(count: shape.length * shape.kvHeads * valueWidth)
        o = try AlignedBuffer(count: shape.queries * shape.heads * valueWidth)
        var state: UInt64 = 7
        for buffer in [q, k, v] {
            for i in 0..<buffer.count {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                buffer[i] = (Float(state >> 40) * 0x1p-23 - 1) * 1.7320508
            }
        }
        let count = (shape.length + pageSize - 1) / pageSize
        let floats = shape.kvHeads * pageSize
        memory = try (0..<count).map { _ in
            let page = try AlignedBuffer<Float>(count: floats * (keyWidth + valueWidth))
            page.elements.update(repeating: .nan)  // what was never written must not be believed
            return page
        }
        pages = PagedKeyValues(
            keys: memory.map(\.pointer), values: memory.map { $0.pointer + floats * keyWidth }, pageSize: pageSize,
            kvHeads: shape.kvHeads, keyWidth: keyWidth, valueWidth: valueWidth)
        var position = 0
        for piece in [1, 45, 3, Int.max] where position < shape.length {
            let count = min(piece, shape.length - position)
            let (keyStride, valueStride) = (shape.kvHeads * keyWidth, shape.kvHeads * valueWidth)
            try PagedAttention.append(
                keys: k.pointer + position * keyStride, keyStride: keyStride,
                values: v.pointer + position * valueStride, valueStride: valueStride, count: count, at: position,
                into: pages)
            position += count
        }
    }

    func run(_ path: AttentionPath = .automatic, pool: ThreadPool = .single) throws -> [Float] {
        o.elements.update(repeating: .nan)
        try PagedAttention.forward(
            q: q.pointer, qStride: shape.heads * keyWidth, into: o.pointer, oStride: shape.heads * valueWidth,
            pages: pages, shape: shape, path: path, pool: pool)
        return Array(o.elements)
    }

    /// The formulas, in float64, over the rows that were given: `[queries, heads, valueWidth]`.
    func twin() -> [Double] {
        (0..<shape.queries).flatMap { query in (0..<shape.heads).flatMap { self.row(query: query, head: $0) } }
    }

    private func row(query: Int, head: Int) -> [Double] {
        let (group, position) = (shape.heads / shape.kvHeads, shape.firstPosition + query)
        let keys = (0..<shape.length).filter { key in
            if let window = shape.window { return key <= position && key > position - window }
            return !shape.isCausal || key <= position
        }
        let scores = keys.map { key -> Double in
            var score = 0.0
            for c in 0..<keyWidth {
                let number = k[(key * shape.kvHeads + head / group) * keyWidth + c]
                score += Double(q[(query * shape.heads + head) * keyWidth + c]) * Double(number)
            }
            score *= Double(shape.scale)
            if let cap = shape.softcap { score = Double(cap) * tanh(score / Double(cap)) }
            if let slopes = shape.alibiSlopes { score += Double(slopes[head]) * Double(key - position) }
            return score
        }
        let highest = scores.max() ?? 0
        let weights = scores.map { exp($0 - highest) }
        let sum = weights.reduce(0, +)
        return (0..<valueWidth).map { c in
            var output = 0.0
            for (weight, key) in zip(weights, keys) {
                output += weight / sum * Double(v[(key * shape.kvHeads + head / group) * valueWidth + c])
            }
            return output
        }
    }
}
