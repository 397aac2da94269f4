internal import Bytes
internal import Glibc
internal import System

/// Splits a stream of comma-separated text into records, holding one of them at a time.
///
/// The grammar is that of RFC 4180, read strictly: fields in double quotes may hold commas, line breaks and doubled
/// quotes; a quote anywhere else is an error, with its line. Lines end in LF, CRLF or the end of the file; a byte-order
/// mark at the beginning is passed over. Whole lines can be looked at and passed over as well, for files in which a
/// program's own output surrounds the table.
package final class CSVReader {
    /// Size limits for a record: hostile files must not take all memory.
    package struct Limits: Sendable {
        package var fieldBytes = 1 << 20
        package var recordBytes = 16 << 20
        package var fields = 65_536

        package init() {}
    }

    /// The number of the line on which the next record begins, from 1.
    package private(set) var line = 1
    private let path: String
    private let limits: Limits
    private let quoting: Bool
    private let window: ByteWindow

    /// - Parameter quoting: false for tools that write no quotes, in whose fields a quote is an ordinary character.
    package init(
        path: String, limits: Limits = Limits(), quoting: Bool = true,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        self.path = path
        self.limits = limits
        self.quoting = quoting
        window = ByteWindow(read: read)
        try window.skipByteOrderMark()
    }

    convenience init(_ source: ProfileSource, quoting: Bool = true) throws {
        try self.init(path: source.path, quoting: quoting) { try source.read($0) }
    }

    /// Whether nothing is left.
    func atEnd() throws -> Bool { try !window.fill(atLeast: 1) }

    /// Whether what is left begins with these bytes.
    func begins(with prefix: StaticString) throws -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard try window.fill(atLeast: count) else { return false }
        return memcmp(window.bytes.baseAddress!, prefix.utf8Start, count) == 0
    }

    /// The beginning of the line that comes next, without its end, up to `count` bytes; nothing is taken.
    func peekLine(_ count: Int) throws -> [UInt8] {
        _ = try window.fill(atLeast: count)
        return Array(window.bytes.prefix(count).prefix { $0 != 0x0A && $0 != 0x0D })
    }

    /// Passes over a line, however long.
    func skipLine() throws { if try window.skipLine() { line += 1 } }

    /// Reads the next record; false at the end.
    package func next(into record: inout CSVRecord) throws -> Bool {
        record.removeAll(line: line)
        guard try next() != nil else { return false }
        while true {
            if quoting, try next() == 0x22 {
                try takeQuoted(&record)
            } else {
                try takePlain(&record)
            }
            try endField(&record)
            guard let byte = try next() else { return true }
            window.skip(1)
            if byte == 0x2C { continue }
            if byte == 0x0D, try next() == 0x0A { window.skip(1) }
            line += 1
            return true
        }
    }

    /// Returns the next byte without consuming it; `nil` at the end.
    private func next() throws -> UInt8? { try window.fill(atLeast: 1) ? window.bytes[0] : nil }

    private func takePlain(_ record: inout CSVRecord) throws {
        while try window.fill(atLeast: 1) {
            let bytes = window.bytes
            var end = 0
            while end < bytes.count {
                let byte = bytes[end]
                if byte == 0x2C || byte == 0x0A || byte == 0x0D { break }
                if quoting && byte == 0x22 {
                    throw error(line, "unexpected quote in the middle of a field", Self.remedy)
                }
                if byte == 0 {
                    throw error(
                        line, "unexpected NUL byte in a text file", "Export the profile again as CSV.")
                }
                end += 1
            }
            try take(end, into: &record)
            if end < bytes.count { return }
        }
    }

    private func takeQuoted(_ record: inout CSVRecord) throws {
        let opening = line
        window.skip(1)
        while true {
            guard try window.fill(atLeast: 1) else {
                throw error(opening, "unterminated quoted field", Self.remedy)
            }
            let bytes = window.bytes
            var end = 0
            while end < bytes.count, bytes[end] != 0x22 {
                if bytes[end] == 0x0A { line += 1 }
                end += 1
            }
            try take(end, into: &record)
            guard end < bytes.count else { continue }
            window.skip(1)
            switch try next() {
            case 0x22: try take(1, into: &record)
            case nil, 0x2C, 0x0A, 0x0D: return
            default: throw error(line, "unexpected text after the closing quote of a field", Self.remedy)
            }
        }
    }

    /// Moves bytes from the window to the record.
    private func take(_ count: Int, into record: inout CSVRecord) throws {
        record.append(UnsafeBufferPointer(rebasing: window.bytes[..<count]))
        window.skip(count)
        if record.openFieldLength > limits.fieldBytes || record.length > limits.recordBytes {
            throw error(
                record.line, "a field is longer than \(limits.fieldBytes) bytes",
                "A quote may be unclosed. Export the profile again.")
        }
    }

    private func endField(_ record: inout CSVRecord) throws {
        record.endField()
        if record.count > limits.fields {
            throw error(
                record.line, "a line has more than \(limits.fields) fields", "Export the profile again.")
        }
    }

    func error(_ line: Int, _ problem: String, _ remedy: String) -> Problem {
        Problem(.invalid, path, line: line, problem, remedy: remedy)
    }

    private static let remedy = "The file is truncated or was edited. Export it again."
}
