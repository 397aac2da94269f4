/// What a corpus is made of: grammar, sources, their shares, filters, and what is held out.
public struct SyntheticRecipe: Sendable {
    /// How the documents of a source are made.
    public enum Source: Sendable {
        /// A rule of the grammar, with a prefix.
        case grammar(rule: String, prefix: String)
        /// Documents with questions.
        case reading(
            subjects: ClosedRange<Int>, relations: ClosedRange<Int>, questions: ClosedRange<Int>, facts: Int,
            only: [String])
        /// A range of name pairs, repeated a range of times.
        case copying(pairs: ClosedRange<Int>, times: ClosedRange<Int>)
        /// Tool use.
        case episodes([Episode.Kind: Int])
    }

    /// Shares of the sources up to a part of the corpus.
    public struct Phase: Sendable, Hashable {
        /// 0...1 of the tokens.
        public var until: Double
        public var shares: [String: Double]
        /// Tokens of a row that documents fill; nil: all of it.
        public var row: Int?

        public init(until: Double, shares: [String: Double], row: Int? = nil) {
            self.until = until
            self.shares = shares
            self.row = row
        }
    }

    public var name = "corpus"
    public var version = 1
    public var seed: UInt64 = 0
    public var grammar: Grammar
    /// Tokens of the training set.
    public var tokens = 1_000_000
    public var context = 512
    public var region = HeldOutRegion(oneIn: 8)
    public var vocabularySize = 2048
    /// Pairs that occur less often in the sample are not merged: whole names stay two pieces, known ones and new ones
    /// alike. The vocabulary may stay smaller than it could be.
    public var minimumFrequency = 2
    public var pattern = "qwen2"
    public var tokenizerSample = 20_000
    /// The text of a tokenizer.json that is taken as it is, rather than training one: a corpus for a model that is
    /// there already.
    public var tokenizerText: String?
    public var weights = LossWeights()
    public var filters = QualityFilters()
    /// Documents of grammar sources that are nearer than this are passed over; 1 turns it off.
    public var nearDuplicate = 0.9
    public var sources: [(name: String, source: Source)] = []
    public var phases: [Phase] = []
    public var evaluation = EvaluationCounts()

    /// How much is held out.
    public struct EvaluationCounts: Sendable, Hashable {
        public var stories = 200
        public var questions = 300
        public var episodes = 300
        public var arithmetic = 100
        /// Tokens of the validation set.
        public var validation = 200_000
    }
}
