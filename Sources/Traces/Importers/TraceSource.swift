public import JSON

/// A file or stream that an importer reads record by record: bounded memory, bad records counted, cancel at once.
///
/// The bytes that pass are handed to an archive on their way, so that the source is read once.
///
/// ```swift
/// var source = try TraceSource(path: "run.jsonl", id: 7)
/// try source.forEachRecord(.lines) { node, record, line in
///     count += 1
/// }
/// ```
public struct TraceSource: ~Copyable {
    /// The path as the user gave it; `-` for standard input.
    public let path: String
    /// The source's row in the workspace, for record references.
    public let id: Int64
    /// Whether the first bad record ends the reading with an error.
    public let isStrict: Bool
    /// Objects read.
    public private(set) var records = 0
    /// The records that could not be read: their lines and reasons, the first hundred of them.
    public private(set) var problems: [SkippedRecord] = []
    /// How many records could not be read.
    public private(set) var skipped = 0
    /// Bytes at the end that are the beginning of a record: a line being written while it is read. They are archived,
    /// and neither counted nor an error; reading the grown file again completes them.
    public private(set) var pendingBytes = 0
    /// What the archive threw, if that ended the reading.
    public private(set) var archiveError: (any Error)?
    package let input: RecordInput
    /// Longer records are skipped and counted.
    package let maximumRecordBytes: Int

    /// Opens a file, or standard input for `-`.
    public init(path: String, id: Int64, isStrict: Bool = false, monitor: SourceMonitor = SourceMonitor())
        throws(ImportError)
    {
        self.init(path: path, id: id, isStrict: isStrict, input: try RecordInput(path: path, monitor: monitor))
    }

    /// A source in memory; `path` is what sentences call it.
    public init(
        bytes: [UInt8], path: String = "memory", id: Int64 = 0, isStrict: Bool = false,
        monitor: SourceMonitor = SourceMonitor()
    ) {
        self.init(path: path, id: id, isStrict: isStrict, input: RecordInput(bytes: bytes, monitor: monitor))
    }

    package init(
        path: String, id: Int64, isStrict: Bool = false, input: RecordInput, maximumRecordBytes: Int = 64 << 20
    ) {
        self.path = path
        self.id = id
        self.isStrict = isStrict
        self.input = input
        self.maximumRecordBytes = maximumRecordBytes
    }

    /// Bytes read so far.
    public var bytesRead: Int { input.bytesRead }

    /// Name without folders and suffix: a session's ID if no record has one.
    package var stem: String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) ?? "" } ?? path
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The first bytes, for recognizing the format, without taking them: up to `count`.
    public mutating func head(_ count: Int = 64 << 10) throws(ImportError) -> [UInt8] {
        do throws(RecordInput.Interruption) { return try input.beginning(count) } catch { throw failure(error) }
    }

    /// Calls `body` with each record that is a JSON object, its place, and its line; skips and counts other records.
    ///
    /// The node is valid only inside `body`. Memory is bounded by the longest record. O(bytes).
    public mutating func forEachRecord(
        _ framing: JSONRecordReader.Framing,
        _ body: (_ node: JSONNode, _ record: RecordReference, _ line: Int) throws(ImportError) -> Void
    ) throws(ImportError) {
        let input = input
        let reader = JSONRecordReader(framing: framing, maximumRecordBytes: maximumRecordBytes) {
            try input.read(into: $0)
        }
        let parser = JSONParser()
        while true {
            let record: JSONRecord
            do {
                guard let next = try reader.next() else { break }
                record = next
            } catch { throw failure(error) }
            if record.ending == .oversized {
                try skip(line: record.line, offset: record.offset, reason: "is longer than 64 MiB")
                continue
            }
            let node: JSONNode
            do throws(JSONError) { node = try parser.parse(record.bytes) } catch {
                if record.ending == .endOfInput {
                    pendingBytes = record.length
                } else {
                    let place = record.offset + error.offset
                    try skip(
                        line: record.line, offset: place,
                        reason: "is invalid JSON: \(error.problem.sentence.dropLast())")
                }
                continue
            }
            guard node.kind == .object else {
                try skip(line: record.line, offset: record.offset, reason: "is not a JSON object")
                continue
            }
            records += 1
            let reference = RecordReference(source: id, offset: record.offset, length: record.bytes.count)
            try body(node, reference, record.line)
        }
        withExtendedLifetime(parser) {}
    }

    /// Counts a record, or a part of one, that cannot be used.
    public mutating func skip(line: Int, offset: Int, reason: String) throws(ImportError) {
        if isStrict {
            throw ImportError(rejected: SkippedRecord(line: line, offset: offset, reason: reason), path: path)
        }
        skipped += 1
        if problems.count < 100 { problems.append(SkippedRecord(line: line, offset: offset, reason: reason)) }
    }

    private mutating func failure(_ error: any Error) -> ImportError {
        guard let interruption = error as? RecordInput.Interruption else {
            return ImportError(path: path, problem: "\(error)", remedy: "Nothing was imported.")
        }
        switch interruption {
        case .cancelled:
            return ImportError(
                path: path, offset: bytesRead, problem: "the import was canceled",
                remedy: "Nothing from the file was saved. Import it again.", isCancellation: true)
        case .system(let code):
            return ImportError(path: path, offset: bytesRead, code: code)
        case .archive(let error):
            archiveError = error
            return ImportError(
                path: path, offset: bytesRead, problem: "cannot store the file's contents",
                remedy: "Nothing was imported.")
        }
    }
}

/// A record that could not be read.
public struct SkippedRecord: Hashable, Sendable {
    public var line: Int
    public var offset: Int
    /// What is wrong with it, as the rest of a sentence that begins with "this record".
    public var reason: String

    public init(line: Int, offset: Int, reason: String) {
        self.line = line
        self.offset = offset
        self.reason = reason
    }
}
