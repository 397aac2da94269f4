public import SearchIndexes

/// Texts that are there more than once, exactly or nearly: to be shown before anything is dropped.
public struct DuplicateReport: Sendable {
    /// Texts that belong together.
    public struct Cluster: Hashable, Sendable, Identifiable {
        /// Label of the text that represents the cluster: the longest text; among equally long texts, the smallest
        /// label.
        public var representative: Int64
        /// The others, by label.
        public var members: [Member]

        public init(representative: Int64, members: [Member]) {
            self.representative = representative
            self.members = members
        }

        public var id: Int64 { representative }
    }

    /// A text that another one stands for.
    public struct Member: Hashable, Sendable {
        public var label: Int64
        /// Whether all bytes are the same as the representative's.
        public var isExact: Bool
        /// Jaccard similarity to the representative; it can be below the threshold if other texts connect the two.
        public var similarity: Double
        /// Whether the similarity was computed from the texts; it is an estimate from signatures otherwise.
        public var isVerified: Bool

        public init(label: Int64, isExact: Bool, similarity: Double, isVerified: Bool) {
            self.label = label
            self.isExact = isExact
            self.similarity = similarity
            self.isVerified = isVerified
        }
    }

    public let settings: MinHashSettings
    /// Texts that were compared.
    public let count: Int
    /// Clusters by representative.
    public let clusters: [Cluster]
    /// Texts without words, which are near to nothing.
    public let withoutWords: [Int64]

    /// Labels of texts that could be dropped if the representatives are kept.
    public var redundant: [Int64] { clusters.flatMap { $0.members.map(\.label) }.sorted() }
    public var exactCount: Int { clusters.reduce(0) { $0 + $1.members.count { $0.isExact } } }
    public var nearCount: Int { clusters.reduce(0) { $0 + $1.members.count { !$0.isExact } } }
}
