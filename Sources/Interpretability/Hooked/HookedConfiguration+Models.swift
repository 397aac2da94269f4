public import Models

extension HookedConfiguration {
    /// That of a model of the runtime.
    ///
    /// - Throws: An error for an encoder, which has no next token.
    public init(_ model: ModelConfiguration) throws(InterpretabilityError) {
        guard model.pooling == nil, !model.family.isEncoder else {
            throw InterpretabilityError(
                model.name.isEmpty ? "model" : model.name, problem: "encoders do not predict next tokens",
                remedy: "Use a decoder.")
        }
        let isLayer = model.family.norm == .layer
        let width = model.feedForwardWidth
        self.init(
            name: model.name, vocabularySize: model.vocabularySize, width: model.width, layerCount: model.layerCount,
            headCount: model.headCount, kvHeadCount: model.kvHeadCount, headWidth: model.headWidth,
            valueWidth: model.valueWidth, contextLength: model.contextLength, norm: isLayer ? .layer : .rms,
            normEpsilon: Double(model.normEpsilon),
            feedForward: model.experts.map { .experts($0) }
                ?? (model.family.isGated ? .gated(width: width) : .plain(width: width)),
            activation: model.activation, positions: model.positions, attentionScale: Double(model.attentionScale),
            attentionSoftcap: model.attentionSoftcap.map(Double.init),
            finalSoftcap: model.finalSoftcap.map(Double.init),
            slidingWindow: model.slidingWindow, windowedLayers: model.windowedLayers,
            embeddingScale: Double(model.embeddingScale),
            normsHeads: model.family.normsHeads, isSandwich: model.family.block == .sandwich)
    }

    /// The hooks of the model, in the order of the pass.
    public var hooks: [Hook] { Hook.allCases(for: likeness).filter(exists) }

    /// The shape of what a hook shows of a sequence.
    public func shape(of hook: Hook, tokens: Int) -> [Int] { hook.shape(for: likeness, tokens: tokens, keys: tokens) }

    /// A model of the runtime with the same hooks.
    private var likeness: ModelConfiguration {
        var (family, experts, inner): (ArchitectureDescriptor, ExpertConfiguration?, Int) = (.gpt2, nil, 0)
        switch feedForward {
        case .none: break
        case .plain(let width): inner = width
        case .gated(let width): (family, inner) = (.llama, width)
        case .experts(let mixture): (family, experts) = (.mixtral, mixture)
        }
        return ModelConfiguration(
            family: family, name: name, vocabularySize: vocabularySize, width: width, layerCount: layerCount,
            headCount: headCount, kvHeadCount: kvHeadCount, headWidth: headWidth, valueWidth: valueWidth,
            feedForwardWidth: inner, contextLength: contextLength, normEpsilon: Float(normEpsilon),
            positions: positions, experts: experts, tiesEmbeddings: false, activation: activation)
    }

    private func exists(_ hook: Hook) -> Bool {
        switch hook {
        case .attentionNormScale, .attentionNormalized, .finalNormScale, .finalNormalized: norm != .none
        case .feedForwardNormScale, .feedForwardNormalized: norm != .none && feedForward != .none
        case .residualMid, .feedForwardPre, .feedForwardLinear, .feedForwardPost, .feedForwardOut:
            feedForward != .none
        default: true
        }
    }
}
