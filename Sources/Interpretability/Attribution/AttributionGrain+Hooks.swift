public import Models

extension AttributionGrain {
    /// The hooks that an attribution of this grain reads, of those that a model has: none whose size grows with the
    /// square of the text.
    public func hooks(among known: [Hook]) -> Set<Hook> {
        let last = known.compactMap(\.layer).max() ?? 0
        return Set(
            known.filter { hook in
                switch hook {
                case .embedding, .positionEmbedding, .finalNormScale, .logits: true
                case .residualPost(let layer): layer == last
                case .attentionOut, .feedForwardOut: true
                case .z: self != .components
                case .feedForwardPost: self == .neurons
                default: false
                }
            })
    }
}
