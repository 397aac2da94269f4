extension FeatureDictionary {
    /// How the file of a dictionary's weights is another one than before.
    public struct FileChange: Hashable, Sendable {
        /// It is not the one that was added: labels may be of other features.
        public var sinceAdded: Bool
        /// It is not the one that was indexed: counts and examples are of other features.
        public var sinceIndexed: Bool
        /// What it is called and where it lies, for the sentence.
        var subject: String

        /// What a person should know before believing what is shown.
        public var sentence: String {
            let (what, remedy) =
                switch (sinceAdded, sinceIndexed) {
                case (true, true):
                    ("added and indexed", "Labels and the index belong to the old weights. Index the dictionary again.")
                case (_, true): ("indexed", "The index belongs to the old weights. Index the dictionary again.")
                default: ("added", "Earlier labels may belong to different features.")
                }
            return "\(subject): the file has changed since it was \(what). \(remedy)"
        }
    }

    /// Whether the file at its path is still the one that was added and indexed; reads at most two mebibytes of it.
    ///
    /// - Returns: nil where it is, and where that cannot be told: no digest is known, or the file cannot be read, of
    ///   which opening it speaks.
    public func fileChange() -> FileChange? {
        guard let path, let digest = FeatureStore.digest(ofWeights: path) else { return nil }
        let change = FileChange(
            sinceAdded: description.digest.map { $0 != digest } ?? false,
            sinceIndexed: index?.weights.map { $0 != digest } ?? false, subject: "\(name) (\(path))")
        return change.sinceAdded || change.sinceIndexed ? change : nil
    }
}
