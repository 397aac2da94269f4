/// A model that a workspace knows by name: a local file or a remote model.
public struct ModelEntry: Hashable, Sendable {
    public var id: Int64
    /// Unique name, chosen by the user.
    public var name: String
    /// A path, or what `ProviderSpecification` reads: `openai:gpt-4o-mini`.
    public var specification: String
    /// Description of the file; `nil` for a remote model.
    public var file: File?
    /// Nanoseconds since 1970.
    public var added: Int64

    /// The description of a model's file at the time it was added.
    public struct File: Hashable, Sendable {
        public var architecture: String
        /// `q4_k, q6_k, f32`: the formats of its weights, most weights first.
        public var formats: String
        public var parameters: Int
        public var bytes: Int
        /// Tokens that its context holds.
        public var contextLength: Int
        /// FNV-1a of the size and the first and last mebibyte, to detect changes of the file.
        public var digest: UInt64

        public init(
            architecture: String, formats: String, parameters: Int, bytes: Int, contextLength: Int, digest: UInt64
        ) {
            self.architecture = architecture
            self.formats = formats
            self.parameters = parameters
            self.bytes = bytes
            self.contextLength = contextLength
            self.digest = digest
        }
    }

    public init(id: Int64, name: String, specification: String, file: File?, added: Int64) {
        self.id = id
        self.name = name
        self.specification = specification
        self.file = file
        self.added = added
    }
}
