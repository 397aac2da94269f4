/// One document as it was found: its text, where each byte of the text stands in the source, and what is known of it.
///
/// ```swift
/// let report = try Extraction.documents(of: "manuals/") { document in
///     print(document.id, document.title, document.sections.count)
///     return true
/// }
/// ```
/// All offsets are bytes of the text's UTF-8.
public struct SourceDocument: Sendable {
    /// Stable from one reading to the next: the path below the root that was given, or the record's own id, or the
    /// path and the number of the record's line (`notes/log.jsonl#12`).
    public var id: String
    /// Title from the document, or the file name; may be empty.
    public var title: String
    public var text: String
    /// Place of the text in its source; `nil` if the source does not contain it as text, as in a PDF.
    public var offsets: OffsetMap?
    public var kind: SourceKind
    public var metadata: [String: MetadataValue]
    /// Sections by start; a nested section follows its parent.
    public var sections: [SourceSection]
    public var origin: SourceOrigin

    public init(
        id: String, title: String = "", text: String, offsets: OffsetMap? = OffsetMap(), kind: SourceKind = .text,
        metadata: [String: MetadataValue] = [:], sections: [SourceSection] = [],
        origin: SourceOrigin = SourceOrigin(path: "", bytes: 0..<0, line: 1)
    ) {
        self.id = id
        self.title = title
        self.text = text
        self.offsets = offsets
        self.kind = kind
        self.metadata = metadata
        self.sections = sections
        self.origin = origin
    }

    /// Returns the source bytes of a part of the text; `nil` if the source has no such bytes.
    public func sourceRange(of range: Range<Int>) -> Range<Int>? { offsets?.sourceRange(of: range) }
}

/// The place that a document was read from.
public struct SourceOrigin: Equatable, Sendable {
    /// The file, as it can be opened.
    public var path: String
    /// The bytes of the file that are the document: all of it, or one record.
    public var bytes: Range<Int>
    /// The line on which it begins, from 1.
    public var line: Int

    public init(path: String, bytes: Range<Int>, line: Int) {
        self.path = path
        self.bytes = bytes
        self.line = line
    }
}

/// The format that a document was read as.
public struct SourceKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static let text = SourceKind(rawValue: "text")
    public static let markdown = SourceKind(rawValue: "markdown")
    public static let html = SourceKind(rawValue: "html")
    public static let code = SourceKind(rawValue: "code")
    public static let pdf = SourceKind(rawValue: "pdf")
    public static let jsonLines = SourceKind(rawValue: "jsonl")
    public static let table = SourceKind(rawValue: "table")
    public static let beir = SourceKind(rawValue: "beir")
    public static let msMarco = SourceKind(rawValue: "msmarco")
}
