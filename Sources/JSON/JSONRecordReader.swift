internal import CJSON
internal import Glibc

/// Splits a stream into records, holding no more of it than the longest record.
///
/// ```swift
/// let reader = JSONRecordReader(fileDescriptor: file, framing: .lines)
/// while let record = try reader.next() {
///     do { try ingest(parser.parse(record.bytes), at: record.offset) }
///     catch let error as JSONError { report(record.line, error) }
/// }
/// ```
/// Splitting does not validate: a damaged record comes out as it is, for the parser to say what is wrong with it. In
/// lines a damaged one never touches the next; among values, a missing quote or bracket takes the rest with it.
public final class JSONRecordReader {
    /// What separates records.
    public enum Framing: Sendable {
        /// Lines, if the first that is not blank is a whole value or no container at all; otherwise values.
        /// What begins with `[` is read as values.
        case automatic
        /// Each line is a record; blank ones are skipped.
        case lines
        /// Each top-level value is a record, over any number of lines. Of top-level arrays, each element is one.
        case values
    }

    /// What separates records; no longer automatic once the first has been read.
    public private(set) var framing: Framing

    var input: RecordBuffer
    let maximumRecordBytes: Int
    /// Inside a top-level array.
    var insideArray = false
    /// An element has been read since the last comma, so that another comma may follow.
    var commaMayFollow = false
    private var sniffed = false

    /// A reader over anything that fills a buffer and returns how many bytes it wrote, 0 at the end. What it calls must
    /// not call the reader.
    ///
    /// - Parameters:
    ///   - maximumRecordBytes: longer records are reported as oversized and skipped.
    ///   - offset: where in the whole input the first byte stands, for a reader that goes on where another stopped.
    ///   - line: the number of its line.
    public init(
        framing: Framing = .automatic, maximumRecordBytes: Int = 64 << 20, startingAt offset: Int = 0, line: Int = 1,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.framing = framing
        self.maximumRecordBytes = max(1, maximumRecordBytes)
        input = RecordBuffer(offset: offset, line: line, read: read)
    }

    /// A reader from the current position of an open file, which it does not close. Its errors are `JSONReadError`s.
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

    /// A reader over bytes in memory.
    public convenience init(_ bytes: [UInt8], framing: Framing = .automatic, maximumRecordBytes: Int = 64 << 20) {
        var position = 0
        self.init(framing: framing, maximumRecordBytes: maximumRecordBytes) { buffer in
            let count = min(buffer.count, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
    }

    deinit { input.deallocate() }

    /// Offset in the whole input of the first byte that no record or separator has taken yet.
    public var offset: Int { input.offset }

    /// Number of the line on which that byte stands.
    public var line: Int { input.line }

    /// The next record; nil at the end of the input. Throws what reading throws.
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

    /// Takes a line of which `skipped` bytes are gone and `length` are here; nil if it is blank.
    private func takeLine(_ length: Int, skipped: Int, feed: Int) -> JSONRecord? {
        var text = UnsafeBufferPointer(rebasing: input.bytes[..<length])
        let offset = input.offset - skipped
        let line = input.line
        if text.last == 0x0D, feed == 1 { text = UnsafeBufferPointer(rebasing: text.dropLast()) }
        input.skip(length + feed)
        input.line += feed
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

@available(*, unavailable, message: "A reader reuses its buffer: give each task its own.")
extension JSONRecordReader: Sendable {}

func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
