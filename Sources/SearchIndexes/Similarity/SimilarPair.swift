/// Two texts and how similar they are.
public struct SimilarPair: Hashable, Sendable {
    /// The smaller label.
    public var first: Int64
    public var second: Int64
    /// The Jaccard similarity of their shingles, or its estimate.
    public var similarity: Double

    public init(_ one: Int64, _ other: Int64, similarity: Double) {
        first = min(one, other)
        second = max(one, other)
        self.similarity = similarity
    }
}

/// Texts that are joined by similar pairs, directly or through others.
public struct SimilarityClusters: Sendable {
    private var parents: [Int64: Int64] = [:]

    public init() {}

    /// The clusters of pairs.
    public init(_ pairs: some Sequence<SimilarPair>) {
        for pair in pairs { join(pair.first, pair.second) }
    }

    /// Says that two belong together.
    public mutating func join(_ one: Int64, _ other: Int64) {
        let (a, b) = (root(of: one), root(of: other))
        // The smallest label is the root, so that clusters do not depend on the order of the pairs.
        parents[max(a, b)] = min(a, b)
        if a == b { parents[a] = a }
    }

    /// Each with two members or more, members and clusters by label.
    public var clusters: [[Int64]] {
        var copy = self
        var members: [Int64: [Int64]] = [:]
        for label in parents.keys { members[copy.root(of: label), default: []].append(label) }
        return members.values.filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }

    /// Returns the smallest label of a cluster; paths to it are halved on the way.
    private mutating func root(of label: Int64) -> Int64 {
        var label = label
        guard parents[label] != nil else {
            parents[label] = label
            return label
        }
        while let parent = parents[label], parent != label {
            let above = parents[parent] ?? parent
            parents[label] = above
            label = above
        }
        return label
    }
}
