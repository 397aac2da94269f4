/// Options for adding documents.
public struct AddOptions: Sendable {
    /// Namespace for the documents (default: the corpus's own).
    public var namespace: String?
    /// The metadata key whose text says the namespace of each document, where a document has it.
    public var namespaceKey: String?
    /// Removes documents whose files an earlier add of the same folder found and this one does not.
    public var prunes = false
    /// Metadata added to every document. The document's own metadata takes precedence.
    public var metadata: [String: MetadataValue] = [:]
    public var extraction = ExtractionOptions()
    /// Embedder for the semantic chunker.
    public var embedder: (any Embedder)?
    /// Reads files again although nothing says that they changed.
    public var readsAll = false
    /// Whether to record the changes, so ``CorpusStore/undo()`` can revert them.
    public var isUndoable = true
    /// Bytes of text that one transaction brings in, about.
    public var batchBytes = 8 << 20
    /// Maximum number of documents per transaction.
    public var batchDocuments = 2_000

    public init() {}
}

/// The progress of an add.
public struct AddProgress: Hashable, Sendable {
    /// The file at hand.
    public var path: String
    public var files: Int
    public var totalFiles: Int
    /// Bytes of files that are done with, and of all.
    public var bytes: Int64
    public var totalBytes: Int64
    /// Documents looked at so far.
    public var documents: Int
}

/// The result of an add.
public struct AddReport: Hashable, Sendable {
    /// Documents that are new.
    public var added = 0
    /// Documents whose text, title or metadata is another than before.
    public var changed = 0
    public var unchanged = 0
    /// Documents that are gone: no longer in a file that was read again, or of a vanished file with `prunes`.
    public var removed = 0
    /// Files of an earlier add that are not there any more; their documents stay unless `prunes` says otherwise. The
    /// first thousand.
    public var vanished: [String] = []
    public var vanishedCount = 0
    /// Reasons for skipped files and documents, one sentence each; at most a thousand.
    public var skipped: [String] = []
    public var skippedCount = 0
    /// Notes about files that were read, one sentence each; at most a thousand.
    public var notes: [String] = []
    /// Chunks written, those that stayed as they were not counted.
    public var chunks = 0
    /// Bytes of files that were read, and of texts that came out of them.
    public var bytesRead: Int64 = 0
    public var textBytes: Int64 = 0
    public var seconds = 0.0
    /// Row of the edit that ``CorpusStore/undo()`` reverts; `nil` if nothing was changed or undo was not wanted.
    public var edit: Int64?
    /// It was ended before everything was read; what was done is kept.
    public var isCancelled = false

    public init() {}

    /// Bytes of files read per second; `nil` if nothing was read.
    public var bytesPerSecond: Double? { seconds > 0 && bytesRead > 0 ? Double(bytesRead) / seconds : nil }

    private static let most = 1_000

    mutating func skip(_ sentence: String) {
        skippedCount += 1
        if skipped.count < Self.most { skipped.append(sentence) }
    }

    mutating func note(_ sentence: String) {
        if notes.count < Self.most { notes.append(sentence) }
    }

    mutating func vanish(_ path: String) {
        vanishedCount += 1
        if vanished.count < Self.most { vanished.append(path) }
    }
}
