internal import Formatting
public import System

/// Options for cutting texts into chunks, with a text form that is stored with the chunks.
///
/// ```swift
/// let options = try ChunkerOptions(parsing: "recursive size=1200 overlap=200")
/// let spans = try options.chunker().chunks(of: document)
/// ```
/// The defaults are 1,000 characters and 150 of overlap: encoders for sentences read 256 tokens, which is about 1,000
/// characters of English, so that nothing is cut off unseen; and an answer of a sentence or two that a border would
/// split stands whole in one of the two chunks.
public struct ChunkerOptions: Equatable, Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// Depends on the document: `markdown`, `code`, sections of a page, or otherwise `recursive`.
        case automatic
        /// Exactly at the size, wherever that is.
        case fixed
        /// Cuts at the end of a paragraph, or else of a sentence, a line, or a word.
        case recursive
        /// Whole sentences, as many as fit.
        case sentence
        /// Cuts at headings; code fences and tables stay whole if they fit.
        case markdown
        /// Cuts at types and functions, together with the comments above them.
        case code
        /// Small chunks to find, each naming the larger one to read.
        case parentChild = "parent-child"
        /// Cuts between the adjacent sentences that are least similar.
        case semantic
    }

    public enum Unit: String, CaseIterable, Sendable {
        case characters, tokens
    }

    public var kind: Kind
    public var unit = Unit.characters
    /// The longest chunk.
    public var size: Int
    /// Maximum overlap of a chunk with the next one.
    public var overlap: Int
    /// The longest parent; of parent-child only.
    public var parentSize: Int
    /// Percentile of the distances between sentences above which the text is cut: 95 cuts at the top 5 %. Semantic
    /// only.
    public var percentile: Double
    /// Breaks where the cosine falls below this, instead of at a percentile. Semantic only.
    public var threshold: Double?
    /// Leaves out the white space at the ends of chunks.
    public var trims = true

    /// The defaults of a kind.
    public init(_ kind: Kind = .recursive, unit: Unit = .characters) {
        self.kind = kind
        self.unit = unit
        let scale = unit == .characters ? 4 : 1
        switch kind {
        case .automatic, .fixed, .recursive, .sentence, .markdown: (size, overlap) = (250 * scale, 38 * scale)
        // A function is read whole or not at all.
        case .code: (size, overlap) = (375 * scale, 0)
        case .parentChild: (size, overlap) = (100 * scale, 12 * scale)
        case .semantic: (size, overlap) = (375 * scale, 0)
        }
        if unit == .characters { overlap -= overlap % 10 }
        parentSize = 500 * scale
        percentile = 95
    }

    /// Checks the options.
    ///
    /// - Throws: `Problem` for the first option that is out of range.
    public func validate() throws(Problem) {
        func fail(_ problem: String, _ remedy: String) -> Problem {
            Problem(.invalid, "chunker \"\(self)\"", problem, remedy: remedy)
        }
        guard (1...10_000_000).contains(size) else {
            throw fail("size \(size) is out of range", "Use 1 to 10,000,000.")
        }
        guard overlap >= 0, overlap <= size / 2 else {
            throw fail(
                "overlap \(overlap) is out of range",
                "Use 0 to \(size / 2), half of the size.")
        }
        if kind == .parentChild {
            guard parentSize > size, parentSize <= 100_000_000 else {
                throw fail("parent \(parentSize) must be larger than size \(size)", "Increase parent.")
            }
        }
        if kind == .semantic {
            guard percentile > 0, percentile < 100 else {
                throw fail(
                    "percentile \(Format.plain(percentile)) is out of range",
                    "Use a number between 0 and 100, such as 95."
                )
            }
            if let threshold, !(-1...1).contains(threshold) {
                throw fail(
                    "threshold \(Format.plain(threshold)) is out of range",
                    "Use a cosine between -1 and 1, such as 0.7.")
            }
        }
    }

    /// Returns a chunker of these options.
    ///
    /// - Parameters:
    ///   - tokens: Needed where the unit is tokens.
    ///   - embed: Needed for semantic chunks.
    /// - Throws: `Problem` if the options are impossible or something that they need is missing.
    public func chunker(
        tokens: TokenCounter? = nil, embed: SentenceEmbedder? = nil
    ) throws(Problem) -> any Chunker {
        try validate()
        if unit == .tokens, tokens == nil {
            throw Problem(
                .invalid, "chunker \"\(self)\"", "unit=tokens needs a tokenizer",
                remedy: "Name a model, or use unit=characters.")
        }
        let counter = unit == .tokens ? tokens : nil
        switch kind {
        case .automatic: return AutomaticChunker(options: self, tokens: counter)
        case .fixed, .recursive, .sentence: return WindowChunker(options: self, tokens: counter)
        case .markdown: return SectionChunker(options: self, tokens: counter)
        case .code: return CodeChunker(options: self, tokens: counter)
        case .parentChild: return ParentChildChunker(options: self, tokens: counter)
        case .semantic:
            guard let embed else {
                throw Problem(
                    .invalid, "chunker \"\(self)\"", "semantic chunking needs an embedder",
                    remedy: "Choose an embedder for the corpus, or use recursive.")
            }
            return SemanticChunker(options: self, tokens: counter, embed: embed)
        }
    }
}
