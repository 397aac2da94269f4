public import Interpretability

extension FeatureDictionary {
    /// File or folder of the weights; `nil` if the dictionary has only labels.
    public var path: String? { description.path }
    /// TransformerLens's name of the hook that it reads.
    public var hook: String { description.hook }
    /// The model's name.
    public var model: String { description.model }
    /// File of the model, if known.
    public var modelPath: String? { description.modelPath }
    /// `topk`, `batchtopk`, `matryoshka`, `jumprelu`, `standard`, `gated`.
    public var kind: String { description.kind }
    /// L0, if measured.
    public var meanActive: Double? { description.meanActive }
}

extension FeatureDictionary.Description {
    /// What a dictionary's own weights say of it.
    ///
    /// - Parameters:
    ///   - name: Name of the dictionary.
    ///   - path: Folder or file of the weights.
    ///   - modelPath: File of the model that the dictionary reads, if known.
    public init(_ weights: SparseAutoencoder, name: String, path: String, modelPath: String?) {
        self.init(
            name: name, path: path, digest: FeatureStore.digest(ofWeights: path), hook: weights.origin.hook,
            model: weights.origin.model, modelPath: modelPath, kind: weights.origin.kind, width: weights.inputWidth,
            featureCount: weights.featureCount)
    }
}
