extension WritingWeights {
    /// The output matrices of a transformer that is written out.
    ///
    /// - Parameter isSandwich: It norms what its halves write, so that heads and neurons have no matrix into the
    ///   stream.
    public init(_ weights: HookedWeights<Scalar>, isSandwich: Bool = false) {
        self.init(
            layers: weights.blocks.map { block in
                let hasFeedForward = block.feedForward != nil || block.experts != nil
                if isSandwich { return Layer(hasFeedForward: hasFeedForward) }
                return Layer(
                    attention: block.output, attentionBias: block.outputBias, feedForward: block.feedForward?.output,
                    feedForwardBias: block.feedForward?.outputBias, hasFeedForward: hasFeedForward)
            })
    }
}
