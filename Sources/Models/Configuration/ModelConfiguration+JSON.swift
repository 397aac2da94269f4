public import JSON

extension ModelConfiguration: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("family", family.name)
            json.member("name", name)
            json.member("vocabulary_size", vocabularySize)
            json.member("width", width)
            json.member("layers", layerCount)
            json.member("heads", headCount)
            json.member("kv_heads", kvHeadCount)
            json.member("head_width", headWidth)
            json.member("value_width", valueWidth)
            json.member("feed_forward_width", feedForwardWidth)
            json.member("context_length", contextLength)
            json.member("norm_epsilon", normEpsilon)
            json.member("positions", positions)
            json.member("attention_scale", attentionScale)
            json.member("attention_softcap", ifPresent: attentionSoftcap)
            json.member("final_softcap", ifPresent: finalSoftcap)
            json.member("sliding_window", ifPresent: slidingWindow)
            if !windowedLayers.isEmpty { json.member("windowed_layers", windowedLayers) }
            json.member("embedding_scale", embeddingScale)
            json.member("experts", ifPresent: experts)
            json.member("ties_embeddings", tiesEmbeddings)
            json.member("activation", activation.rawValue)
            json.member("pooling", ifPresent: pooling?.rawValue)
            json.member("begin_token", ifPresent: beginToken)
            json.member("end_tokens", endTokens)
        }
    }
}

extension ExpertConfiguration: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("count", count)
            $0.member("used", used)
            $0.member("feed_forward_width", feedForwardWidth)
        }
    }
}

extension PositionEncoding: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .learned: json.member("kind", "learned")
            case .sinusoidal: json.member("kind", "sinusoidal")
            case .alibi: json.member("kind", "alibi")
            case .none: json.member("kind", "none")
            case .rotary(let rotary):
                json.member("kind", "rotary")
                json.member("base", rotary.base)
                json.member("windowed_base", ifPresent: rotary.windowedBase)
                json.member("width", rotary.width)
                json.member("pairing", rotary.pairing.rawValue)
                json.member("scaling", rotary.scaling.name)
            }
        }
    }
}

extension RotaryScaling {
    /// `yarn`, `llama3`: as configurations call it.
    public var name: String {
        switch self {
        case .none: "none"
        case .linear: "linear"
        case .dynamic: "dynamic"
        case .llama3: "llama3"
        case .yarn: "yarn"
        case .longrope: "longrope"
        case .factors: "factors"
        }
    }
}
