/// A document of a corpus: pieces of text with the weight that their tokens have in the loss.
public struct SyntheticDocument: Hashable, Sendable {
    public struct Segment: Hashable, Sendable {
        public var text: String
        /// In hundredths: 100 counts in full, 0 not at all.
        public var weight: UInt8

        public init(_ text: String, weight: UInt8) {
            self.text = text
            self.weight = weight
        }
    }

    public var segments: [Segment]
    /// Tells which template it was made of.
    public var template: UInt64

    public init(segments: [Segment], template: UInt64 = 0) {
        self.segments = segments
        self.template = template
    }

    public var text: String { segments.reduce(into: "") { $0 += $1.text } }
}

/// How much the parts of documents count in the loss, in hundredths.
public struct LossWeights: Hashable, Sendable {
    /// Documents and questions, which a model is given.
    public var prompt: UInt8 = 20
    /// What tools answer, which a model is given as well.
    public var observation: UInt8 = 0
    /// What a model writes.
    public var answer: UInt8 = 100

    public init() {}
}
