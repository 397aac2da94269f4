/// A collection of documents with its indexes, as a workspace keeps it.
public struct Corpus: Hashable, Sendable, Identifiable {
    public var id: Int64
    public var name: String
    public var settings: CorpusSettings
    /// Nanoseconds since 1970.
    public var created: Int64
    /// Grows with every change that a search can see.
    public var revision: Int64
    public var documentCount: Int
    /// Chunks that are searched.
    public var chunkCount: Int
    /// Bytes of all texts together.
    public var byteCount: Int64
    /// Whether the corpus is sample data, which takes documents only if it is named explicitly.
    public var isSample: Bool
}

/// A document of a corpus, without its text.
public struct DocumentRow: Hashable, Sendable, Identifiable {
    public var id: Int64
    public var corpus: Int64
    public var namespace: String
    /// The id by which its owner calls it; unique within corpus and namespace.
    public var name: String
    /// The file that it came from; empty for one that a program made.
    public var path: String
    public var title: String
    /// `text`, `markdown`, `html`, `code`, `pdf`, ...
    public var kind: String
    /// Language as an ISO 639-1 code; empty if detection was not confident enough.
    public var language: String
    public var byteCount: Int
    /// Chunks that are searched.
    public var chunkCount: Int
    /// Nanoseconds since 1970.
    public var added: Int64
    public var changed: Int64
    /// The document whose text it repeats: it is kept and not searched.
    public var duplicate: Int64?
}

/// A chunk of a document, without its text.
public struct ChunkRow: Hashable, Sendable, Identifiable {
    /// The label in every index.
    public var id: Int64
    public var document: Int64
    /// Its place among the chunks of the document, from 0.
    public var ordinal: Int
    /// Bytes of the document's text.
    public var range: Range<Int>
    /// The larger chunk that it was cut from, where the chunker makes such.
    public var parent: Int64?
    /// False for chunks that only others point at as their parent.
    public var isIndexed: Bool
    /// Headings above it, the outermost first, ` › ` between them.
    public var heading: String
    public var digest: ContentDigest
}
