/// A format that documents are read from: one file, and one line in ``SourceFormats``.
protocol SourceReader: SendableMetatype {
    static var kind: SourceKind { get }
    /// One line about the format, for lists.
    static var summary: String { get }
    /// Lower case, with their dots.
    static var suffixes: [String] { get }
    /// Whether a file with such a beginning is this format, whatever its name.
    static func recognizes(_ head: SourceHead) -> Bool
    /// Hands the file's documents to the sink, until it wants no more.
    static func read(_ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink) throws
}

/// The beginning of a file, for format detection.
struct SourceHead {
    var name: Substring
    var suffix: String
    /// Up to 4 KiB from the start of the file.
    var bytes: [UInt8]
    /// Whether these bytes are all of the file.
    var isWhole: Bool
    /// Whether the folder is a BEIR collection.
    var hasBEIRNeighbors = false

    /// The bytes as ASCII in lower case, anything else as it is, without white space in front.
    var start: String {
        let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let text = rest.drop { $0 == 0x20 || (9...13).contains($0) }.prefix(256)
        return String(decoding: text, as: UTF8.self).lowercased()
    }

    /// The whole lines, and the last one where it is the file's.
    var lines: [ArraySlice<UInt8>] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if !isWhole, lines.count > 1 { lines.removeLast() }
        return lines
    }
}

/// All formats, in the order in which they are asked.
enum SourceFormats {
    static let all: [any SourceReader.Type] = [
        PDFReader.self,
        BEIRReader.self,
        JSONLinesReader.self,
        MSMARCOReader.self,
        TableReader.self,
        HTMLReader.self,
        MarkdownReader.self,
        CodeReader.self,
        PlainTextReader.self,
    ]

    /// Returns the reader for a file: by its beginning, then by its suffix, then plain text if the file is text.
    ///
    /// - Returns: `nil` for a binary file.
    static func reader(of head: SourceHead) -> (any SourceReader.Type)? {
        if let said = all.first(where: { $0.recognizes(head) }) { return said }
        if head.bytes.withUnsafeBufferPointer({ TextDecoding.looksBinary($0) }) { return nil }
        return all.first { $0.suffixes.contains(head.suffix) } ?? PlainTextReader.self
    }

    static func reader(of kind: SourceKind) -> any SourceReader.Type {
        all.first { $0.kind == kind } ?? PlainTextReader.self
    }
}

/// Takes the documents of one file, and what there is to say of it.
final class DocumentSink {
    private(set) var read: ExtractionReport.Read
    private(set) var skipped = ExtractionReport()
    /// No more is wanted.
    private(set) var isEnded = false
    private let receive: (SourceDocument) throws -> Bool

    init(_ file: SourceFile, receive: @escaping (SourceDocument) throws -> Bool) {
        read = ExtractionReport.Read(path: file.path, kind: file.kind, documents: 0, bytes: 0, notes: [])
        self.receive = receive
    }

    func take(_ document: SourceDocument) throws {
        read.documents += 1
        if try !receive(document) { isEnded = true }
    }

    func note(_ sentence: String) {
        if read.notes.count < 100 { read.notes.append(sentence) }
    }

    func skip(line: Int? = nil, _ reason: String) { skipped.skip(read.path, line: line, reason) }

    func count(bytes: Int) { read.bytes += bytes }
}
