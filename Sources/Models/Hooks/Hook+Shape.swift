extension Hook {
    /// Returns the shape of the hook's values for a sequence of `tokens` tokens.
    ///
    /// - Parameter keys: positions that are seen: of scores and patterns the last axis.
    public func shape(for configuration: ModelConfiguration, tokens: Int, keys: Int) -> [Int] {
        let heads = configuration.headCount
        switch self {
        case .attentionNormScale, .feedForwardNormScale, .finalNormScale: return [tokens, 1]
        case .query, .rotatedQuery: return [tokens, heads, configuration.headWidth]
        case .key, .rotatedKey: return [tokens, configuration.kvHeadCount, configuration.headWidth]
        case .value: return [tokens, configuration.kvHeadCount, configuration.valueWidth]
        case .scores, .pattern: return [heads, tokens, keys]
        case .z: return [tokens, heads, configuration.valueWidth]
        case .feedForwardPre, .feedForwardLinear, .feedForwardPost:
            return [tokens, configuration.feedForwardWidth]
        case .expertLogits, .expertWeights: return [tokens, configuration.experts?.count ?? 0]
        case .logits: return [tokens, configuration.vocabularySize]
        case .embedding, .positionEmbedding, .residualPre, .attentionNormalized, .attentionOut, .residualMid,
            .feedForwardNormalized, .feedForwardOut, .residualPost, .finalNormalized:
            return [tokens, configuration.width]
        }
    }

    /// The axis along which tokens lie: rows of later passes are appended there.
    var tokenAxis: Int {
        switch self {
        case .scores, .pattern: 1
        default: 0
        }
    }
}
