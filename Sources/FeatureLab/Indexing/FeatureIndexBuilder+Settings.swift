internal import JSON

extension FeatureIndexBuilder {
    /// What an index follows from, and how it is built.
    public struct Settings: Hashable, Sendable {
        /// Default memory limit of a builder, in bytes.
        public static let usualMemory = 1_500 << 20

        /// Which examples are drawn.
        public var seed: UInt64 = 0
        /// What the texts are, for people.
        public var source = ""
        /// What tells the texts, how they were cut and the model from others: a build is gone on with only where this,
        /// the rest that it follows from and the file of the weights are the same.
        public var fingerprint = ""
        /// Tokens from which correlations are computed.
        public var sampledTokens = 1 << 16
        /// Tokens after which the work is put on the disk.
        public var checkpointTokens = 1 << 20
        /// Seconds after which it is, or ten times as many as the last time took where that is longer.
        public var checkpointSeconds = 30.0
        /// Bytes that the builder may take.
        public var memoryLimit = Settings.usualMemory

        /// Creates settings for texts that are identified by properties set later.
        public init(source: String = "", seed: UInt64 = 0) {
            self.source = source
            self.seed = seed
        }
    }
}

extension FeatureIndexBuilder.Settings {
    /// What the result follows from, as JSON text.
    ///
    /// - Parameter weights: The digest of the dictionary's file.
    func json(weights: String?) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("source", source)
            json.member("fingerprint", fingerprint)
            json.member("weights", ifPresent: weights)
            json.member("seed", String(seed))
            json.member("sampled", sampledTokens)
        }
        return json.text
    }

    /// What ``json(weights:)`` says of an index.
    static func origin(ofJSON text: String) -> (source: String, weights: String?) {
        guard let document = try? JSONDocument(parsing: text) else { return ("", nil) }
        return document.withRoot { ($0["source"]?.string ?? "", $0["weights"]?.string) }
    }
}
