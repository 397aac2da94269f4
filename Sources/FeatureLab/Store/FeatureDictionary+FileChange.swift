extension FeatureDictionary {
    /// How the file of a dictionary's weights is another one than before.
    public struct FileChange: Hashable, Sendable {
        /// Whether the file changed since it was added, so labels may belong to different features.
        public var sinceAdded: Bool
        /// Whether the file changed since it was indexed, so counts and examples belong to different features.
        public var sinceIndexed: Bool
        /// Name and path of the dictionary, for the sentence.
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

    /// Returns how the dictionary's file has changed since it was added and indexed; reads at most 2 MiB of it.
    ///
    /// - Returns: `nil` if the file is unchanged, or if that is unknown because there is no digest or the file is
    ///   unreadable. Opening the dictionary reports an unreadable file.
    public func fileChange() -> FileChange? {
        guard let path, let digest = FeatureStore.digest(ofWeights: path) else { return nil }
        let change = FileChange(
            sinceAdded: description.digest.map { $0 != digest } ?? false,
            sinceIndexed: index?.weights.map { $0 != digest } ?? false, subject: "\(name) (\(path))")
        return change.sinceAdded || change.sinceIndexed ? change : nil
    }
}
