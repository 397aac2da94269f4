internal import Glibc
internal import Kernels

/// Numbers [batch, head, row, width] in memory: where the first lies, and how far apart neighbors along each axis are.
/// Those of a row lie side by side.
struct HeadRows<T: BinaryFloatingPoint> {
    var start: UnsafeMutablePointer<T>
    var batchStride: Int
    var headStride: Int
    var rowStride: Int

    func row(_ batch: Int, _ head: Int, _ row: Int) -> UnsafeMutablePointer<T> {
        start + (batch * batchStride + head * headStride + row * rowStride)
    }
}

/// The sizes of one attention and which keys each query sees: as `AttentionShape` of the kernels, with a scale of full precision.
struct AttentionSizes {
    var batch: Int
    var heads: Int
    var kvHeads: Int
    var queries: Int
    var keys: Int
    var width: Int
    var isCausal: Bool
    var window: Int?
    var scale: Double

    func visibleKeys(_ query: Int) -> Range<Int> {
        guard isCausal || window != nil else { return 0..<keys }
        let end = max(0, query + keys - queries + 1)
        return max(0, end - (window ?? end))..<end
    }
}

extension GradientTwin {
    /// O = softmax(scale Q Kᵀ + mask) V for every head; rows that see no key are zero.
    ///
    /// - Parameter logSumExp: `[batch, heads, queries]`.
    static func attention<T: BinaryFloatingPoint>(
        _ sizes: AttentionSizes, q: HeadRows<T>, k: HeadRows<T>, v: HeadRows<T>, into o: HeadRows<T>,
        logSumExp: UnsafeMutablePointer<T>
    ) {
        forEachRow(sizes) { batch, head, query, keys in
            let kvHead = head / (sizes.heads / sizes.kvHeads)
            let out = o.row(batch, head, query)
            out.update(repeating: 0, count: sizes.width)
            let scores = keys.map {
                sizes.scale * dot(q.row(batch, head, query), k.row(batch, kvHead, $0), sizes.width)
            }
            let place = (batch * sizes.heads + head) * sizes.queries + query
            guard let largest = scores.max() else {
                logSumExp[place] = -.infinity
                return
            }
            let lse = largest + log(scores.reduce(0) { $0 + exp($1 - largest) })
            logSumExp[place] = T(lse)
            for c in 0..<sizes.width {
                var sum = 0.0
                for (score, key) in zip(scores, keys) {
                    sum += exp(score - lse) * Double(v.row(batch, kvHead, key)[c])
                }
                out[c] = T(sum)
            }
        }
    }

    /// dQ, dK and dV; scores are computed again. What the gradients held is overwritten.
    static func attentionBackward<T: BinaryFloatingPoint>(
        _ sizes: AttentionSizes, q: HeadRows<T>, k: HeadRows<T>, v: HeadRows<T>, o: HeadRows<T>,
        logSumExp: UnsafePointer<T>, outputGradient: HeadRows<T>, dq: HeadRows<T>, dk: HeadRows<T>, dv: HeadRows<T>
    ) {
        for batch in 0..<sizes.batch {
            for head in 0..<sizes.kvHeads {
                for key in 0..<sizes.keys {
                    dk.row(batch, head, key).update(repeating: 0, count: sizes.width)
                    dv.row(batch, head, key).update(repeating: 0, count: sizes.width)
                }
            }
        }
        forEachRow(sizes) { batch, head, query, keys in
            let kvHead = head / (sizes.heads / sizes.kvHeads)
            let (row, dRow) = (q.row(batch, head, query), dq.row(batch, head, query))
            let dOut = outputGradient.row(batch, head, query)
            let delta = dot(dOut, o.row(batch, head, query), sizes.width)
            let lse = Double(logSumExp[(batch * sizes.heads + head) * sizes.queries + query])
            dRow.update(repeating: 0, count: sizes.width)
            for key in keys {
                let (keyRow, dKey) = (k.row(batch, kvHead, key), dk.row(batch, kvHead, key))
                let (value, dValue) = (v.row(batch, kvHead, key), dv.row(batch, kvHead, key))
                let weight = exp(sizes.scale * dot(row, keyRow, sizes.width) - lse)
                let dScore = sizes.scale * weight * (dot(dOut, value, sizes.width) - delta)
                for c in 0..<sizes.width {
                    dRow[c] += T(dScore) * keyRow[c]
                    dKey[c] += T(dScore) * row[c]
                    dValue[c] += T(weight) * dOut[c]
                }
            }
        }
    }

    private static func forEachRow(
        _ sizes: AttentionSizes, _ body: (_ batch: Int, _ head: Int, _ query: Int, _ keys: Range<Int>) -> Void
    ) {
        for batch in 0..<sizes.batch {
            for head in 0..<sizes.heads {
                for query in 0..<sizes.queries { body(batch, head, query, sizes.visibleKeys(query)) }
            }
        }
    }

    private static func dot<T: BinaryFloatingPoint>(
        _ a: UnsafePointer<T>, _ b: UnsafePointer<T>, _ count: Int
    ) -> Double {
        var sum = 0.0
        for i in 0..<count { sum += Double(a[i]) * Double(b[i]) }
        return sum
    }
}
