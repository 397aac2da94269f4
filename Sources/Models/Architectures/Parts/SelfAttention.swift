internal import Glibc
internal import Kernels
internal import System

/// Attention of a sequence to itself: softmax(mask(q kᵀ · scale)) v, for each head, and the heads' sum through W_O.
///
/// Multi-head, grouped-query and multi-query attention differ in `kvHeads` alone; head h reads the keys and values of
/// head h / (H / kvHeads).
///
/// - Source: Vaswani et al. 2017, equation 1; Ainslie et al., "GQA", 2023.
struct SelfAttention: Sendable {
    let layer: Int
    /// Query, key and value, in three matrices or one; outputs lie side by side in this order.
    let input: Projection
    /// Query alone, and key and value alone, where the matrices are three: a last layer needs few queries.
    let parts: (query: Projection, keyValue: Projection)?
    let output: Projection
    let heads: Int
    let kvHeads: Int
    let keyWidth: Int
    let valueWidth: Int
    let scale: Float
    let softcap: Float?
    /// Keys that a query sees, its own among them; nil for all.
    let window: Int?
    /// Queries see nothing after them.
    let isCausal: Bool
    /// Norms of each head's queries and keys, before they turn (Qwen 3, Gemma 3).
    let queryNorm: Norm?
    let keyNorm: Norm?
    let rotations: Rotations?
    /// ALiBi: what a score loses for each position of distance.
    let slopes: [Float]?

    var queryColumns: Int { heads * keyWidth }
    var keyColumns: Int { kvHeads * keyWidth }
    var stride: Int { input.outputs }

    /// Reads the normalized rows and writes what is added to the stream; may leave only the rows that are wanted.
    func callAsFunction(_ pass: ForwardPass) throws(ModelError) {
        let normalized = try pass.floats(.normalized, pass.rows * pass.width)
        let projected = try pass.floats(.projected, pass.rows * stride)
        let (keys, narrows) = (projected + queryColumns, pass.narrows(afterKeysOf: layer))

        if narrows, let parts {
            try parts.keyValue(pass, normalized, xStride: pass.width, rows: pass.rows, into: keys, yStride: stride)
        } else {
            try input(pass, normalized, xStride: pass.width, rows: pass.rows, into: projected)
        }
        try prepareKeys(pass, keys)
        if narrows {
            if parts == nil {
                try pass.narrow([(projected, stride)])
            } else {
                try pass.narrow([(normalized, pass.width)])
                try parts?.query(
                    pass, normalized, xStride: pass.width, rows: pass.rows, into: projected, yStride: stride)
            }
        }
        try prepareQueries(pass, projected)

        let gathered = try pass.floats(.gathered, pass.rows * heads * valueWidth)
        try attend(pass, projected, into: gathered)
        try pass.visit(.z(layer: layer), gathered, stride: heads * valueWidth, shape: [heads, valueWidth])
        let delta = try pass.floats(.delta, pass.rows * pass.width)
        try output(pass, gathered, xStride: heads * valueWidth, rows: pass.rows, into: delta)
    }

    /// Keys and values of all rows: normed, turned, and put where later passes find them.
    private func prepareKeys(_ pass: ForwardPass, _ keys: UnsafeMutablePointer<Float>) throws(ModelError) {
        let values = keys + keyColumns
        try pass.visit(.key(layer: layer), keys, stride: stride, shape: [kvHeads, keyWidth])
        try pass.visit(.value(layer: layer), values, stride: stride, shape: [kvHeads, valueWidth])
        turn(pass, keys, heads: kvHeads, norm: keyNorm)
        if rotations != nil {
            try pass.visit(.rotatedKey(layer: layer), keys, stride: stride, shape: [kvHeads, keyWidth])
        }
        let start = pass.now()
        for stretch in pass.stretches {
            guard let cache = stretch.cache else { continue }
            do {
                try PagedAttention.append(
                    keys: keys + stretch.firstRow * stride, keyStride: stride,
                    values: values + stretch.firstRow * stride, valueStride: stride, count: stretch.count,
                    at: stretch.firstPosition, into: cache.pages(layer: layer))
            } catch {
                throw ModelError(pass.transformer.path, error)
            }
        }
        pass.record(.attention, since: start)
    }

    private func prepareQueries(_ pass: ForwardPass, _ queries: UnsafeMutablePointer<Float>) throws(ModelError) {
        try pass.visit(.query(layer: layer), queries, stride: stride, shape: [heads, keyWidth])
        turn(pass, queries, heads: heads, norm: queryNorm)
        if rotations != nil {
            try pass.visit(.rotatedQuery(layer: layer), queries, stride: stride, shape: [heads, keyWidth])
        }
    }

    /// Norms the heads of each row and turns them by its position.
    private func turn(_ pass: ForwardPass, _ rows: UnsafeMutablePointer<Float>, heads: Int, norm: Norm?) {
        guard rotations != nil || norm != nil else { return }
        let start = pass.now()
        let isWindowed = window != nil
        let angles = rotations.map { _ in pass.angles(isWindowed: isWindowed) }
        pass.overRows(pass.rows, width: heads * keyWidth) { range in
            for row in range {
                let numbers = rows + row * stride
                norm?.normalize(numbers, rows: heads, into: numbers, pool: .single)
                guard let rotations, let angles else { continue }
                let pairs = rotations.pairs(isWindowed: isWindowed)
                Elementwise.rotate(
                    numbers, heads: heads, headWidth: keyWidth, pairs: pairs, isAdjacent: rotations.isAdjacent,
                    cosines: angles.cosines + row * pairs, sines: angles.sines + row * pairs)
            }
        }
        pass.record(.rotary, since: start)
    }

    /// What each head gathers, `[rows, H, valueWidth]`.
    private func attend(
        _ pass: ForwardPass, _ projected: UnsafeMutablePointer<Float>, into gathered: UnsafeMutablePointer<Float>
    ) throws(ModelError) {
        let isVisited = pass.wants(.scores(layer: layer)) || pass.wants(.pattern(layer: layer))
        for (index, stretch) in pass.stretches.enumerated() where stretch.count > 0 {
            let start = pass.now()
            let into = gathered + stretch.firstRow * heads * valueWidth
            if isVisited {
                pass.visitor?.willVisit(segment: index)
                try attendExplicitly(pass, stretch, projected + stretch.firstRow * stride, into: into)
            } else {
                do {
                    try attend(pass, stretch, projected + stretch.firstRow * stride, into: into)
                } catch {
                    throw ModelError(pass.transformer.path, error)
                }
            }
            record(pass, stretch, since: start)
        }
    }

    private func attend(
        _ pass: ForwardPass, _ stretch: ForwardPass.Stretch, _ rows: UnsafeMutablePointer<Float>,
        into gathered: UnsafeMutablePointer<Float>
    ) throws(KernelError) {
        guard let cache = stretch.cache else {
            let keys = rows + queryColumns
            return try Attention.forward(
                q: AttentionView(rows, headStride: keyWidth, rowStride: stride),
                k: AttentionView(keys, headStride: keyWidth, rowStride: stride),
                v: AttentionView(keys + keyColumns, headStride: valueWidth, rowStride: stride),
                into: MutableAttentionView(gathered, headStride: valueWidth, rowStride: heads * valueWidth),
                shape: AttentionShape(
                    heads: heads, kvHeads: kvHeads, queries: stretch.count, width: keyWidth, isCausal: isCausal,
                    scale: scale),
                pool: pass.pool)
        }
        try PagedAttention.forward(
            q: rows, qStride: stride, into: gathered, oStride: heads * valueWidth, pages: cache.pages(layer: layer),
            shape: PagedAttentionShape(
                heads: heads, kvHeads: kvHeads, queries: stretch.count, firstPosition: stretch.firstPosition,
                length: stretch.length, scale: scale, isCausal: isCausal, window: window, softcap: softcap,
                alibiSlopes: slopes),
            pool: pass.pool)
    }

    private func record(_ pass: ForwardPass, _ stretch: ForwardPass.Stretch, since start: Double) {
        guard let profile = pass.profile else { return }
        let first = window.map { max(0, stretch.firstPosition + 1 - $0) } ?? 0
        let keys = stretch.length - first
        let pairs =
            Double(heads) * Double(stretch.count) * (Double(keys) - Double(isCausal ? stretch.count - 1 : 0) / 2)
        profile.add(
            .attention,
            .attention(
                heads: heads, kvHeads: kvHeads, queries: stretch.count, keys: keys, width: keyWidth,
                isCausal: isCausal, window: min(window ?? 0, keys)),
            seconds: Clock.now(.monotonic) - start,
            flops: 2 * pairs * Double(keyWidth + valueWidth),
            bytes: 4 * Double(kvHeads * keys + heads * stretch.count) * Double(keyWidth + valueWidth))
    }
}

/// Slopes of ALiBi: a geometric sequence of 2^(-8/H). If H is not a power of two: those of the next lower power, and every
/// other one of the next higher.
///
/// - Source: Press, Smith, Lewis, "Train short, test long", 2022, section 3, and the code published with it.
package func alibiSlopes(heads: Int) -> [Float] {
    func powers(_ count: Int) -> [Float] {
        let ratio = Double(8) / Double(count)
        return (1...count).map { Float(exp2(-ratio * Double($0))) }
    }
    var lower = 1
    while 2 * lower <= heads { lower *= 2 }
    let rest = heads - lower
    guard rest > 0 else { return powers(lower) }
    return powers(lower) + Swift.stride(from: 0, to: 2 * rest, by: 2).map { powers(2 * lower)[$0] }
}
