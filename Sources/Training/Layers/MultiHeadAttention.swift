public import Tensors

/// Self-attention of several heads: softmax(q kᵀ / √width) v for each, and a linear layer over all
/// (Vaswani et al. 2017).
///
/// With fewer heads of keys and values than of queries, several queries share one (grouped-query attention, Ainslie
/// et al. 2023).
public final class MultiHeadAttention<Scalar: FloatingAccumulator>: Layer {
    /// Queries, keys and values at once: [(heads + 2 keyValueHeads) headWidth, width].
    public let inputs: Linear<Scalar>
    public let output: Linear<Scalar>
    public let heads: Int
    public let keyValueHeads: Int
    public let isCausal: Bool

    /// - Parameters:
    ///   - keyValueHeads: as many as heads where they are not given; heads must be a multiple.
    ///   - headWidth: width / heads where it is not given.
    public init(
        _ name: String, width: Int, heads: Int, keyValueHeads: Int? = nil, headWidth: Int? = nil,
        isCausal: Bool = true, hasBias: Bool = true, initializer: Initializer = .layerDefault,
        random: inout RandomStreams
    ) throws(TensorError) {
        let layer = "MultiHeadAttention \(name)"
        let shared = keyValueHeads ?? heads
        try requirePositive(layer, ("width", width), ("heads", heads), ("key and value heads", shared))
        guard heads % shared == 0 else {
            throw TensorError(
                layer, problem: "has \(heads) heads, which is not a multiple of \(shared) key and value heads")
        }
        guard headWidth != nil || width % heads == 0 else {
            throw TensorError(layer, problem: "has a width of \(width), which is not a multiple of \(heads) heads")
        }
        let each = headWidth ?? width / heads
        try requirePositive(layer, ("head width", each))
        let (total, overflow) = (heads &+ 2 &* shared).multipliedReportingOverflow(by: each)
        guard !overflow, heads < 1 << 30, shared < 1 << 30 else {
            throw TensorError(layer, problem: "is too wide for memory")
        }
        inputs = try Linear(
            "\(name).qkv", inputs: width, outputs: total, hasBias: hasBias, initializer: initializer, random: &random)
        output = try Linear(
            "\(name).output", inputs: heads * each, outputs: width, hasBias: hasBias, initializer: initializer,
            random: &random)
        self.heads = heads
        self.keyValueHeads = shared
        self.isCausal = isCausal
    }

    public var parameters: [Parameter<Scalar>] { inputs.parameters + output.parameters }

    /// - Parameter x: [batch, position, width].
    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        guard x.rank == 3 else {
            throw TensorError("MultiHeadAttention", x.shape, problem: "is not [batch, position, width]")
        }
        let mixed = try attention(qkv: inputs(x, pass), heads: heads, kvHeads: keyValueHeads, isCausal: isCausal)
        return try output(mixed, pass)
    }
}
