/// Options for reading files: kinds, limits, and fields of records.
public struct ExtractionOptions: Sendable {
    /// Longer files are skipped and named. Files of records (JSONL, CSV, tsv) have no such limit: they are streamed.
    public var maximumFileBytes = 64 << 20
    /// Longer records are skipped and named.
    public var maximumRecordBytes = 16 << 20
    /// Patterns as `.gitignore` has them, against paths below the root: `build/`, `*.min.js`, `/docs/**/old`,
    /// `!keep.md`.
    public var excludes: [String] = []
    /// Whether the folder's own `.gitignore` files are followed too.
    public var followsGitignore = false
    /// Only these kinds; `nil`: all.
    public var kinds: Set<SourceKind>?
    public var fields = RecordFields()
    public var pdf = PDFOptions()

    public init() {}
}

/// Members of a JSON record, or columns of a table, for the parts of a document. The first existing one is used.
public struct RecordFields: Sendable, Equatable {
    public var text = ["text", "content", "body", "contents", "passage", "document"]
    public var title = ["title", "name", "headline"]
    public var id = ["_id", "id", "doc_id", "docid", "uuid", "key"]

    public init() {}
}

/// Options for running Poppler's `pdftotext`.
public struct PDFOptions: Sendable, Equatable {
    /// Keeps columns and tables as they stand on the page, instead of the order of reading.
    public var keepsLayout = false
    public var seconds = 60.0
    public var maximumTextBytes = 64 << 20
    public var maximumMemoryBytes = 2 << 30
    /// The program; found in PATH where it has no slash.
    public var program = "pdftotext"

    public init() {}
}
