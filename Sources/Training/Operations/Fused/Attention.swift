internal import Kernels
public import Tensors

/// Attention of every head: softmax(scale q kᵀ + mask) v, without the matrix of scores, forward or back.
///
/// Scores are computed again on the way back from the log-sum-exp of each row. Operands may be views of a larger tensor
/// (slices, transposes), as long as the numbers of a head lie side by side.
///
/// - Parameters:
///   - q: `[batch, queries, heads, width]`.
///   - k: `[batch, keys, kvHeads, width]`, `kvHeads` a divisor of `heads`: head h reads h / (heads / kvHeads).
///   - v: as k.
///   - isCausal: a query sees keys up to its own position only; the queries are the last of the sequence.
///   - window: Maximum number of keys a query sees, ending at its own position; implies causality.
///   - scale: 1 / √width where it is nil.
/// - Returns: `[batch, queries, heads, width]`. A row that sees no key is zero.
/// - Source: Dao et al., FlashAttention, NeurIPS 2022; Dao, FlashAttention-2, 2023.
public func attention<S>(
    _ q: Variable<S>, _ k: Variable<S>, _ v: Variable<S>, isCausal: Bool = true, window: Int? = nil,
    scale: Double? = nil
) throws(TensorError) -> Variable<S> {
    let call = try AttentionCall(
        q: q.value, k: k.value, v: v.value, isCausal: isCausal, window: window, scale: scale)
    let result = try call.forward()
    let basics = { () throws(TensorError) in try call.basic(q, k, v) }
    return .made(by: "attention", result.output, from: [q, k, v], basics: basics) { back throws(TensorError) in
        let dq = try Tensor<S>.unfilled(call.q.shape)
        let dk = try Tensor<S>.unfilled(call.k.shape)
        let dv = try Tensor<S>.unfilled(call.v.shape)
        try call.backward(result, back.gradient.value, into: (dq, dk, dv))
        return [Variable(dq), Variable(dk), Variable(dv)]
    }
}

/// Attention of queries, keys and values that lie side by side, as one projection makes them: nothing is copied.
///
/// - Parameters:
///   - qkv: `[batch, position, (heads + 2 · kvHeads) · width]`: the heads of queries, then those of keys, then values.
///   - kvHeads: `heads` where it is nil.
/// - Returns: `[batch, position, heads · width]`: what the output projection takes.
public func attention<S>(
    qkv: Variable<S>, heads: Int, kvHeads: Int? = nil, isCausal: Bool = true, window: Int? = nil, scale: Double? = nil
) throws(TensorError) -> Variable<S> {
    let kvHeads = kvHeads ?? heads
    let all = heads > 0 && kvHeads > 0 ? heads + 2 * kvHeads : 0
    guard qkv.rank == 3, all > 0, qkv.shape[2] % all == 0 else {
        throw TensorError(
            "attention", qkv.shape,
            problem: "must be [batch, position, width], with a width divisible by \(heads) query heads "
                + "plus twice \(kvHeads) key heads")
    }
    let (batch, positions, width) = (qkv.shape[0], qkv.shape[1], qkv.shape[2] / all)
    let parts = try QKVParts(qkv.value, heads: heads, kvHeads: kvHeads, width: width)
    let call = try AttentionCall(
        q: parts.q, k: parts.k, v: parts.v, isCausal: isCausal, window: window, scale: scale)
    let result = try call.forward()
    let joined = [batch, positions, heads * width]
    let basics = { () throws(TensorError) in
        let split = try qkv.reshaped([batch, positions, heads + 2 * kvHeads, width])
        return try call.basic(
            split.sliced(axis: 2, 0..<heads), split.sliced(axis: 2, heads..<heads + kvHeads),
            split.sliced(axis: 2, heads + kvHeads..<heads + 2 * kvHeads)
        ).reshaped(joined)
    }
    return .made(by: "attention", try result.output.reshaped(joined), from: [qkv], basics: basics) {
        back throws(TensorError) in
        let gradient = try Tensor<S>.unfilled([batch, positions, all * width])
        let parts = try QKVParts(gradient, heads: heads, kvHeads: kvHeads, width: width)
        let dOutput = try back.gradient.value.reshaped([batch, positions, heads, width])
        try call.backward(result, dOutput, into: (parts.q, parts.k, parts.v))
        return [Variable(gradient)]
    }
}

/// Views of the heads of queries, keys and values in one tensor.
struct QKVParts<S: FloatingAccumulator> {
    let q: Tensor<S>
    let k: Tensor<S>
    let v: Tensor<S>

    init(_ qkv: Tensor<S>, heads: Int, kvHeads: Int, width: Int) throws(TensorError) {
        let split = try qkv.reshaped([qkv.shape[0], qkv.shape[1], heads + 2 * kvHeads, width])
        q = try split.sliced(axis: 2, 0..<heads)
        k = try split.sliced(axis: 2, heads..<heads + kvHeads)
        v = try split.sliced(axis: 2, heads + kvHeads..<heads + 2 * kvHeads)
    }
}
