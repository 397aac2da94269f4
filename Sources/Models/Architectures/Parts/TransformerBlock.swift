/// Attention and a feed-forward, each added to the residual stream.
///
/// Before the first norm of either part, the stream is `residualPre` or `residualMid`, and after the last one
/// `residualPost`; the latter two are sums before their norms, as in TransformerLens.
struct TransformerBlock: Sendable {
    /// Norms around a part: x = sum(x + output(part(input(x)))).
    struct Norms: Sendable {
        var input: Norm?
        var output: Norm?
        var sum: Norm?
    }

    let layer: Int
    let attention: SelfAttention
    let attentionNorms: Norms
    let feedForward: FeedForward
    let feedForwardNorms: Norms

    /// Reads the parts of a layer.
    init(_ block: LayerReader) throws(ModelError) {
        let norm = Norm.Kind(block.family.norm)
        layer = block.layer
        var norms = (Norms(), Norms())
        switch block.family.block {
        case .preNorm, .sandwich:
            norms.0.input = try block.norm("attn_norm", norm, hooks: .attention(layer))
            norms.1.input = try block.norm("ffn_norm", norm, hooks: .feedForward(layer))
        case .postNorm:
            norms.0.sum = try block.norm("attn_output_norm", norm, hooks: .attention(layer))
            norms.1.sum = try block.norm("layer_output_norm", norm, hooks: .feedForward(layer))
        }
        if block.family.block == .sandwich {
            norms.0.output = try block.norm("post_attention_norm", norm)
            norms.1.output = try block.norm("post_ffw_norm", norm)
        }
        (attentionNorms, feedForwardNorms) = norms
        attention = try block.attention(
            normsHeads: block.family.normsHeads, isCausal: block.family.block != .postNorm)
        feedForward = try block.feedForward()
    }

    /// Updates the residual stream of the pass.
    func callAsFunction(_ pass: ForwardPass) throws(ModelError) {
        try pass.checkCancellation()
        try pass.visitResidual(.residualPre(layer: layer))
        try pass.read(attentionNorms.input)
        try attention(pass)
        try pass.write(.attentionOut(layer: layer), through: attentionNorms.output)
        try pass.normResidual(attentionNorms.sum, after: .residualMid(layer: layer))
        try pass.read(feedForwardNorms.input)
        try feedForward(pass)
        try pass.write(.feedForwardOut(layer: layer), through: feedForwardNorms.output)
        try pass.normResidual(feedForwardNorms.sum, after: .residualPost(layer: layer))
    }
}

/// How blocks read the residual stream and write to it.
extension ForwardPass {
    func visitResidual(_ hook: @autoclosure () -> Hook) throws(ModelError) {
        guard !wanted.isEmpty else { return }
        try visit(hook(), try floats(.residual, rows * width), stride: width, shape: [width])
    }

    /// Copies the stream, through the norm if there is one, to the input of the next part.
    func read(_ norm: Norm?) throws(ModelError) {
        let (residual, normalized) = (try floats(.residual, rows * width), try floats(.normalized, rows * width))
        if let norm {
            try norm(self, residual, rows: rows, into: normalized)
        } else {
            normalized.update(from: residual, count: rows * width)
        }
    }

    /// Adds the output of a part to the stream.
    func write(_ hook: @autoclosure () -> Hook, through norm: Norm? = nil) throws(ModelError) {
        let delta = try floats(.delta, rows * width)
        if let norm { try norm(self, delta, rows: rows, into: delta) }
        try visit(hook(), delta, stride: width, shape: [width])
        try addDeltaToResidual()
    }

    func normResidual(_ norm: Norm?, after hook: @autoclosure () -> Hook) throws(ModelError) {
        try visitResidual(hook())
        guard let norm else { return }
        let residual = try floats(.residual, rows * width)
        try norm(self, residual, rows: rows, into: residual)
    }
}
