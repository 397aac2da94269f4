public import System

/// A source for pipelines: one state of a corpus, which does not change while it is held.
///
/// A run of a pipeline, and an explanation of it, hold one source from beginning to end.
public typealias RetrievalSource = ChunkSource & LexicalSearching & DenseSearching & FilterResolving

/// A source of chunk texts.
public protocol ChunkSource: Sendable {
    /// Name of the corpus.
    var corpus: String { get }
    /// Number of chunks that can be found.
    var chunkCount: Int { get }

    /// Returns the contents of chunks in the order of `ids`, without missing chunks.
    func chunks(_ ids: [Int64]) throws(Problem) -> [ChunkContent]

    /// Returns the searched chunks of a document, in the order of its text; empty if the document does not exist.
    ///
    /// - Parameter document: Id that the owner gave the document.
    func chunks(ofDocument document: String) throws(Problem) -> [Int64]

    /// Returns the metadata of a chunk's document as filters see it, in display order.
    func metadata(ofChunk chunk: Int64) throws(Problem) -> [Stage.Parameter]
}

/// A chunk as a pipeline reads it.
public struct ChunkContent: Hashable, Sendable {
    /// The row in the workspace: the label in every index.
    public var id: Int64
    /// The document's id, as its owner calls it.
    public var document: String
    /// A short name for lists, such as `manual-7 §4`.
    public var label: String
    public var text: String
    /// Bytes of the chunk within its document's text. Chunks of one document whose ranges overlap have the same bytes
    /// there.
    public var range: Range<Int>
    /// The larger chunk that it was cut from, where the chunker makes such.
    public var parent: Int64?

    public init(
        id: Int64, document: String, label: String, text: String, range: Range<Int>, parent: Int64? = nil
    ) {
        self.id = id
        self.document = document
        self.label = label
        self.text = text
        self.range = range
        self.parent = parent
    }

    /// As records keep it.
    public var passage: Passage {
        Passage(chunk: id, document: document, label: label, text: text, range: range)
    }
}

/// A chunk that a search found.
public struct ChunkHit: Hashable, Sendable {
    public var chunk: Int64
    /// As people read it: higher is better, but for Euclidean distances.
    public var score: Double

    public init(chunk: Int64, score: Double) {
        self.chunk = chunk
        self.score = score
    }
}

/// The result of a search.
public struct ChunkHits: Hashable, Sendable {
    /// Best first; of equal ones the smaller id.
    public var hits: [ChunkHit]
    /// Settings that were in effect, where the request left them open: `ef 64`, `k1 1.2`.
    public var parameters: [Stage.Parameter]
    /// A sentence about the search, such as the plan that a filter led to.
    public var note: String?

    public init(_ hits: [ChunkHit], parameters: [Stage.Parameter] = [], note: String? = nil) {
        self.hits = hits
        self.parameters = parameters
        self.note = note
    }
}

/// The place of a chunk in a complete ranking.
public struct ChunkPlace: Hashable, Sendable {
    /// Counted from 1.
    public var rank: Int
    public var score: Double

    public init(rank: Int, score: Double) {
        self.rank = rank
        self.score = score
    }
}
