public import Models

/// A transformer with the memory that its passes use.
public final class TransformerDecoder: Decoder {
    public let transformer: Transformer
    /// Forward pass, which has the hooks, adapters, and operation profile.
    public let pass: ForwardPass
    public let contextLength: Int

    /// - Parameter contextLength: Context length (default: the model's own); may be longer if the positions allow it.
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
    /// Creates the layout of a model's pages.
    ///
    /// - Throws: `ModelError` where a size is absurd.
    public init(_ configuration: ModelConfiguration, pageSize: Int = defaultPageSize) throws(ModelError) {
        try self.init(
            layers: configuration.layerCount, kvHeads: configuration.kvHeadCount, keyWidth: configuration.headWidth,
            valueWidth: configuration.valueWidth, pageSize: pageSize)
    }
}
