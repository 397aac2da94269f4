public import Models

/// A transformer with the memory that its passes use.
public final class TransformerDecoder: Decoder {
    public let transformer: Transformer
    /// Where hooks, adapters and the profile of operations are set.
    public let pass: ForwardPass
    public let contextLength: Int

    /// - Parameter contextLength: the model's own where none is given; a longer one where its positions reach further.
    public init(_ transformer: Transformer, pass: ForwardPass = ForwardPass(), contextLength: Int? = nil) {
        self.transformer = transformer
        self.pass = pass
        self.contextLength = contextLength ?? transformer.configuration.contextLength
    }

    public var name: String { transformer.path }
    public var vocabularySize: Int { transformer.configuration.vocabularySize }

    public func forward(_ segments: [Segment], isCancelled: () -> Bool) throws(ModelError) -> any LogitRows {
        try withoutActuallyEscaping(isCancelled) { isCancelled throws(ModelError) in
            pass.isCancelled = isCancelled
            defer { pass.isCancelled = nil }
            return try transformer.forward(segments, in: pass)
        }
    }
}

extension KVLayout {
    /// The pages of a model.
    ///
    /// - Throws: `ModelError` where a size is absurd.
    public init(_ configuration: ModelConfiguration, pageSize: Int = defaultPageSize) throws(ModelError) {
        try self.init(
            layers: configuration.layerCount, kvHeads: configuration.kvHeadCount, keyWidth: configuration.headWidth,
            valueWidth: configuration.valueWidth, pageSize: pageSize)
    }
}
