import Glibc
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
    private let source: (UnsafeMutableRawBufferPointer) throws -> Int
    private let storage: UnsafeMutablePointer<UInt8>
    private var first = 0
    private var last = 0
    private var isAtEnd = false

    private static let capacity = 256 << 10

    /// - Parameter quoting: false for tools that write no quotes, in whose fields a quote is an ordinary character.
    package init(
        path: String, limits: Limits = Limits(), quoting: Bool = true,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        self.path = path
        self.limits = limits
        self.quoting = quoting
        source = read
        storage = .allocate(capacity: Self.capacity)
        if try fill(3), storage[0] == 0xEF, storage[1] == 0xBB, storage[2] == 0xBF { first = 3 }
    }

    convenience init(_ source: ProfileSource, quoting: Bool = true) throws {
        try self.init(path: source.path, quoting: quoting) { try source.read($0) }
    }

    deinit { storage.deallocate() }

    /// Whether nothing is left.
    func atEnd() throws -> Bool { try !fill(1) }

    /// Whether what is left begins with these bytes.
    func begins(with prefix: StaticString) throws -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard try fill(count) else { return false }
        return memcmp(storage + first, prefix.utf8Start, count) == 0
    }

    /// The beginning of the line that comes next, without its end, up to `count` bytes; nothing is taken.
    func peekLine(_ count: Int) throws -> [UInt8] {
        _ = try fill(min(count, Self.capacity))
        let bytes = UnsafeBufferPointer(start: storage + first, count: min(count, last - first))
        return Array(bytes.prefix { $0 != 0x0A && $0 != 0x0D })
    }

    /// Passes over a line, however long.
    func skipLine() throws {
        while try fill(1) {
            if let feed = memchr(storage + first, 0x0A, last - first) {
                first = storage.distance(to: feed.assumingMemoryBound(to: UInt8.self)) + 1
                line += 1
                return
            }
            first = last
        }
    }

    /// Reads the next record; false at the end.
    package func next(into record: inout CSVRecord) throws -> Bool {
        record.removeAll(line: line)
        guard try fill(1) else { return false }
        while true {
            guard try fill(1) else {
                try endField(&record)
                return true
            }
            if quoting, storage[first] == 0x22 {
                try takeQuoted(&record)
            } else {
                try takePlain(&record)
            }
            try endField(&record)
            guard try fill(1) else { return true }
            let byte = storage[first]
            first += 1
            if byte == 0x2C { continue }
            if byte == 0x0D, try fill(1), storage[first] == 0x0A { first += 1 }
            line += 1
            return true
        }
    }

    private func takePlain(_ record: inout CSVRecord) throws {
        while try fill(1) {
            var end = first
            while end < last {
                let byte = storage[end]
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
            try append(first..<end, to: &record)
            let isWhole = end < last
            first = end
            if isWhole { return }
        }
    }

    private func takeQuoted(_ record: inout CSVRecord) throws {
        let opening = line
        first += 1
        while true {
            guard try fill(1) else {
                throw error(opening, "unterminated quoted field", Self.remedy)
            }
            var end = first
            while end < last, storage[end] != 0x22 {
                if storage[end] == 0x0A { line += 1 }
                end += 1
            }
            try append(first..<end, to: &record)
            first = end
            guard end < last else { continue }
            first += 1
            guard try fill(1) else { return }
            switch storage[first] {
            case 0x22:
                try append(first..<(first + 1), to: &record)
                first += 1
            case 0x2C, 0x0A, 0x0D: return
            default: throw error(line, "unexpected text after the closing quote of a field", Self.remedy)
            }
        }
    }

    private func append(_ range: Range<Int>, to record: inout CSVRecord) throws {
        record.append(UnsafeBufferPointer(start: storage + range.lowerBound, count: range.count))
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

    /// Makes sure that `count` bytes are available; false if there are fewer.
    private func fill(_ count: Int) throws -> Bool {
        while last - first < count {
            if isAtEnd { return false }
            if first > 0 {
                memmove(storage, storage + first, last - first)
                last -= first
                first = 0
            }
            let got = try source(UnsafeMutableRawBufferPointer(start: storage + last, count: Self.capacity - last))
            last += max(0, min(got, Self.capacity - last))
            isAtEnd = got <= 0
        }
        return true
    }

    func error(_ line: Int, _ problem: String, _ remedy: String) -> Problem {
        Problem(.invalid, path, line: line, problem, remedy: remedy)
    }

    private static let remedy = "The file is truncated or was edited. Export it again."
}
