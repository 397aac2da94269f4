/// A block whose norms come before its parts, as nearly all decoders have it:
///
///     x += attention(norm(x))
///     x += feedForward(norm(x))
struct PreNormBlock: Sendable {
    let layer: Int
    let attentionNorm: Norm
    let attention: SelfAttention
    let feedForwardNorm: Norm
    let feedForward: FeedForward

    func callAsFunction(_ pass: ForwardPass) throws(ModelError) {
        try pass.checkCancellation()
        try pass.read(attentionNorm, of: .residualPre(layer: layer))
        try attention(pass)
        try pass.write(.attentionOut(layer: layer))
        try pass.read(feedForwardNorm, of: .residualMid(layer: layer))
        try feedForward(pass)
        try pass.write(.feedForwardOut(layer: layer))
        try pass.visitResidual(.residualPost(layer: layer))
    }
}

/// A block with norms before and after its parts (Gemma 2 and 3):
///
///     x += norm(attention(norm(x)))
///     x += norm(feedForward(norm(x)))
struct SandwichBlock: Sendable {
    let layer: Int
    let attentionNorm: Norm
    let attention: SelfAttention
    let attentionPostNorm: Norm
    let feedForwardNorm: Norm
    let feedForward: FeedForward
    let feedForwardPostNorm: Norm

    func callAsFunction(_ pass: ForwardPass) throws(ModelError) {
        try pass.checkCancellation()
        try pass.read(attentionNorm, of: .residualPre(layer: layer))
        try attention(pass)
        try pass.write(.attentionOut(layer: layer), through: attentionPostNorm)
        try pass.read(feedForwardNorm, of: .residualMid(layer: layer))
        try feedForward(pass)
        try pass.write(.feedForwardOut(layer: layer), through: feedForwardPostNorm)
        try pass.visitResidual(.residualPost(layer: layer))
    }
}

/// A block whose norms come after the sums (Vaswani et al. 2017; BERT):
///
///     x = norm(x + attention(x))
///     x = norm(x + feedForward(x))
///
/// As in TransformerLens `residualMid` and `residualPost` are the sums before their norms.
struct PostNormBlock: Sendable {
    let layer: Int
    let attention: SelfAttention
    let attentionNorm: Norm
    let feedForward: FeedForward
    let feedForwardNorm: Norm

    func callAsFunction(_ pass: ForwardPass) throws(ModelError) {
        try pass.checkCancellation()
        try pass.read(nil, of: .residualPre(layer: layer))
        try attention(pass)
        try pass.write(.attentionOut(layer: layer))
        try pass.normResidual(attentionNorm, after: .residualMid(layer: layer))
        try pass.read(nil, of: nil)
        try feedForward(pass)
        try pass.write(.feedForwardOut(layer: layer))
        try pass.normResidual(feedForwardNorm, after: .residualPost(layer: layer))
    }
}

/// How blocks read the residual stream and write to it.
extension ForwardPass {
    func visitResidual(_ hook: @autoclosure () -> Hook) throws(ModelError) {
        guard !wanted.isEmpty else { return }
        try visit(hook(), try floats(.residual, rows * width), stride: width, shape: [width])
    }

    /// The stream, normed where there is a norm, becomes what the next part reads.
    func read(_ norm: Norm?, of hook: @autoclosure () -> Hook?) throws(ModelError) {
        let (residual, normalized) = (try floats(.residual, rows * width), try floats(.normalized, rows * width))
        if !wanted.isEmpty, let hook = hook() { try visitResidual(hook) }
        if let norm {
            try norm(self, residual, rows: rows, into: normalized)
        } else {
            normalized.update(from: residual, count: rows * width)
        }
    }

    /// What the part computed is added to the stream.
    func write(_ hook: @autoclosure () -> Hook, through norm: Norm? = nil) throws(ModelError) {
        let delta = try floats(.delta, rows * width)
        if let norm { try norm(self, delta, rows: rows, into: delta) }
        try visit(hook(), delta, stride: width, shape: [width])
        try addDeltaToResidual()
    }

    func normResidual(_ norm: Norm, after hook: @autoclosure () -> Hook) throws(ModelError) {
        try visitResidual(hook())
        let residual = try floats(.residual, rows * width)
        try norm(self, residual, rows: rows, into: residual)
    }
}
