/// A dictionary that a workspace knows.
public struct FeatureDictionary: Hashable, Sendable {
    /// Its number in the workspace.
    public var id: Int64
    /// Description from the time it was added, with later measurements.
    public var description: Description
    /// Nanoseconds since 1970.
    public var created: Int64
    /// Index of its activations on texts; `nil` if there is no complete index.
    public var index: FeatureIndex?

    /// A description of a dictionary, given when it is added.
    public struct Description: Hashable, Sendable {
        /// What a person calls it; unique.
        public var name: String
        /// File or folder of the weights; `nil` if only labels and examples are available.
        public var path: String?
        /// Tells whether the file is still the same; see ``FeatureStore/digest(ofWeights:)``.
        public var digest: String?
        /// TransformerLens's name of the hook.
        public var hook: String
        /// The name of the model that it reads.
        public var model: String
        /// File of that model, if known.
        public var modelPath: String?
        /// `topk`, `batchtopk`, `matryoshka`, `jumprelu`, `standard`, `gated`.
        public var kind: String
        /// d.
        public var width: Int
        /// F.
        public var featureCount: Int
        /// L0, if measured.
        public var meanActive: Double?
        /// What its last evaluation measured, as JSON text.
        public var metrics: String

        /// A description; what is not known is left out.
        public init(
            name: String, path: String? = nil, digest: String? = nil, hook: String, model: String,
            modelPath: String? = nil, kind: String, width: Int, featureCount: Int, meanActive: Double? = nil,
            metrics: String = "{}"
        ) {
            self.name = name
            self.path = path
            self.digest = digest
            self.hook = hook
            self.model = model
            self.modelPath = modelPath
            self.kind = kind
            self.width = width
            self.featureCount = featureCount
            self.meanActive = meanActive
            self.metrics = metrics
        }
    }

    /// What a person calls it.
    public var name: String { description.name }
    /// d.
    public var width: Int { description.width }
    /// F.
    public var featureCount: Int { description.featureCount }
}

/// What a dictionary did on texts.
public struct FeatureIndex: Hashable, Sendable {
    /// Its number in the workspace.
    public var id: Int64
    /// Tokens of the texts.
    public var tokens: Int
    /// Sequences into which the texts were cut.
    public var sequences: Int
    /// Tokens that densities are shares of: all but those that do not count.
    public var counted: Int
    /// Where the texts are from.
    public var source: String
    /// Digest of the indexed weights; `nil` if their file was not available.
    public var weights: String?
    /// Nanoseconds since 1970.
    public var created: Int64
}
