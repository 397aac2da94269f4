internal import Bytes
internal import CJSON
internal import Glibc

/// A reader that splits a stream into records and needs memory only for the longest record.
///
/// ```swift
/// let reader = JSONRecordReader(fileDescriptor: file, framing: .lines)
/// while let record = try reader.next() {
///     do { try ingest(parser.parse(record.bytes), at: record.offset) }
///     catch let error as JSONError { report(record.line, error) }
/// }
/// ```
/// The reader does not validate records: damaged records are returned unchanged, and the parser reports their errors.
/// If records are lines, a damaged record never affects the next one. If records are values, a missing quote or bracket
/// makes the rest of the stream part of the same record.
public final class JSONRecordReader {
    /// Methods of separating records.
    public enum Framing: Sendable {
        /// Lines or values, depending on the first non-blank line.
        ///
        /// Records are values if the line starts with `[`, with an object that continues on the next line, or with two
        /// objects. Otherwise, records are lines.
        case automatic
        /// Each line is a record; blank lines are skipped.
        case lines
        /// Each top-level value is a record and can span any number of lines; each element of a top-level array is a record.
        case values
    }

    /// Method of separating records; never `automatic` after the first record has been read.
    public private(set) var framing: Framing

    let input: ByteWindow
    /// Number of lines in the skipped start of the current record.
    private var linesSkipped = 0
    let maximumRecordBytes: Int
    /// Whether the position is inside a top-level array.
    var insideArray = false
    /// Whether an element was read after the last comma, which allows another comma.
    var commaMayFollow = false
    private var sniffed = false

    /// Creates a reader of bytes that a closure provides.
    ///
    /// - Parameters:
    ///   - framing: Method of separating records.
    ///   - maximumRecordBytes: Maximum length of a record in bytes; longer records are reported as oversized and
    ///     skipped.
    ///   - offset: Offset of the first byte in the complete input, for a reader that continues where another one
    ///     stopped.
    ///   - line: Line number of the first byte.
    ///   - read: Fills a buffer and returns the number of bytes, or 0 at the end. It must not call the reader.
    public init(
        framing: Framing = .automatic, maximumRecordBytes: Int = 64 << 20, startingAt offset: Int = 0, line: Int = 1,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.framing = framing
        self.maximumRecordBytes = max(1, maximumRecordBytes)
        input = ByteWindow(startingAt: offset, read: read)
        self.line = line
    }

    /// Creates a reader of an open file, starting at its current position.
    ///
    /// The reader does not close the file and throws `JSONReadError` if reading fails.
    public convenience init(
        fileDescriptor: Int32, framing: Framing = .automatic, maximumRecordBytes: Int = 64 << 20,
        startingAt offset: Int = 0, line: Int = 1
    ) {
        var position = offset
        self.init(framing: framing, maximumRecordBytes: maximumRecordBytes, startingAt: offset, line: line) { buffer in
            while true {
                let count = Glibc.read(fileDescriptor, buffer.baseAddress, buffer.count)
                if count >= 0 {
                    position += count
                    return count
                }
                if errno != EINTR { throw JSONReadError(offset: position, code: errno) }
            }
        }
    }

    /// Creates a reader of bytes in memory.
    public convenience init(_ bytes: [UInt8], framing: Framing = .automatic, maximumRecordBytes: Int = 64 << 20) {
        var position = 0
        self.init(framing: framing, maximumRecordBytes: maximumRecordBytes) { buffer in
            let count = min(buffer.count, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
    }

    /// Offset in the complete input of the first byte after the records and separators read so far.
    public var offset: Int { input.offset }

    /// Line number of the byte at ``offset``.
    public private(set) var line: Int

    /// Returns the next record; `nil` at the end of the input.
    ///
    /// - Throws: Errors from reading the input.
    public func next() throws -> JSONRecord? {
        if !sniffed {
            try input.skipByteOrderMark()
            if framing == .automatic { framing = try recognizedFraming() }
            sniffed = true
        }
        return framing == .lines ? try nextLine() : try nextValue()
    }

    private func nextLine() throws -> JSONRecord? {
        while true {
            var scanned = 0
            var skipped = 0
            while true {
                let available = input.bytes
                if let feed = memchr(available.baseAddress! + scanned, 0x0A, available.count - scanned) {
                    let length = UnsafeRawPointer(feed) - UnsafeRawPointer(available.baseAddress!)
                    if let record = takeLine(length, skipped: skipped, feed: 1) { return record }
                    break
                }
                scanned = available.count
                if scanned + skipped > maximumRecordBytes + 1 {
                    skipped += scanned
                    input.skip(scanned)
                    scanned = 0
                }
                if try !input.fill() {
                    if scanned + skipped == 0 { return nil }
                    return takeLine(scanned, skipped: skipped, feed: 0)
                }
            }
        }
    }

    /// Takes a line with `length` bytes in the buffer after `skipped` discarded bytes; returns `nil` if it is blank.
    private func takeLine(_ length: Int, skipped: Int, feed: Int) -> JSONRecord? {
        var text = UnsafeBufferPointer(rebasing: input.bytes[..<length])
        let offset = input.offset - skipped
        let line = line
        if text.last == 0x0D, feed == 1 { text = UnsafeBufferPointer(rebasing: text.dropLast()) }
        input.skip(length + feed)
        self.line += feed
        if skipped + text.count > maximumRecordBytes {
            return JSONRecord(
                offset: offset, line: line, bytes: UnsafeBufferPointer(rebasing: text[..<0]),
                length: skipped + text.count, ending: .oversized)
        }
        if text.allSatisfy(isSpace) { return nil }
        return JSONRecord(
            offset: offset, line: line, bytes: text, length: text.count, ending: feed == 1 ? .delimited : .endOfInput)
    }
}

extension JSONRecordReader {
    /// Skips white space; returns `false` if no other byte follows.
    func skipSpace() throws -> Bool {
        while true {
            let bytes = input.bytes
            let end = bytes.firstIndex { !isSpace($0) } ?? bytes.count
            skipCountingLines(end)
            if end < bytes.count { return true }
            if try !input.fill() { return false }
        }
    }

    /// Skips bytes and counts their line feeds.
    private func skipCountingLines(_ count: Int) {
        line += orrery_json_count_lines(input.bytes.baseAddress, count)
        input.skip(count)
    }

    /// Skips the start of the current record, which is longer than the limit.
    func skipStart(_ count: Int) {
        let before = line
        skipCountingLines(count)
        linesSkipped += line - before
    }

    /// Takes a record whose last `length` bytes are in the window.
    func record(length: Int, skipped: Int, ending: JSONRecord.Ending) -> JSONRecord {
        let bytes = UnsafeBufferPointer(rebasing: input.bytes[..<length])
        let offset = input.offset - skipped
        let oversized = length + skipped > maximumRecordBytes
        let line = line - linesSkipped
        skipCountingLines(length)
        linesSkipped = 0
        return JSONRecord(
            offset: offset, line: line, bytes: oversized ? UnsafeBufferPointer(rebasing: bytes[..<0]) : bytes,
            length: length + skipped, ending: oversized ? .oversized : ending)
    }
}

@available(*, unavailable, message: "A reader reuses its buffer; create one per task.")
extension JSONRecordReader: Sendable {}

func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
