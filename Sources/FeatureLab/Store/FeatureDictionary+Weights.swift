public import Interpretability

extension FeatureDictionary {
    /// File or folder of the weights; `nil` if the dictionary has only labels.
    public var path: String? { description.path }
    /// TransformerLens's name of the hook that it reads.
    public var hook: String { description.hook }
    /// The model's name.
    public var model: String { description.model }
    /// The model's file, where it is known.
    public var modelPath: String? { description.modelPath }
    /// `topk`, `batchtopk`, `matryoshka`, `jumprelu`, `standard`, `gated`.
    public var kind: String { description.kind }
    /// L0, where it was measured.
    public var meanActive: Double? { description.meanActive }
}

extension FeatureDictionary.Description {
    /// What a dictionary's own weights say of it.
    ///
    /// - Parameters:
    ///   - name: What a person calls it.
    ///   - path: The folder or file where the weights lie.
    ///   - modelPath: The file of the model that it reads, where that is known.
    public init(_ weights: SparseAutoencoder, name: String, path: String, modelPath: String?) {
        self.init(
            name: name, path: path, digest: FeatureStore.digest(ofWeights: path), hook: weights.origin.hook,
            model: weights.origin.model, modelPath: modelPath, kind: weights.origin.kind, width: weights.inputWidth,
            featureCount: weights.featureCount)
    }
}
