internal import Glibc

/// Splits a table into rows and fields as RFC 4180 has it, holding no more than one row and what was read with it.
///
/// A quote counts at the beginning of a field only. One that never closes would take the rest of the file with it:
/// where the input or the longest row ends inside quotes, the row is read again as one line without quotes, and said.
package final class DelimitedRows {
    package struct Field {
        /// Range in the row's bytes, without the outer quotes.
        package var range: Range<Int>
        /// Holds quotes that must be taken out: doubled ones, or a closing one with something behind it.
        package var hasQuotes = false
    }

    package struct Row {
        package var bytes: UnsafeBufferPointer<UInt8>
        package var fields: [Field]
        package var offset: Int
        package var line: Int
    }

    package enum Trouble: Equatable {
        case openQuote(line: Int)
        case oversized(line: Int)
    }

    private let delimiter: UInt8
    private var knowsQuotes: Bool
    private let most: Int
    private let window: ByteWindow
    private var line = 1
    private var fields: [Field] = []
    /// Problems since the last `next()`.
    package private(set) var troubles: [Trouble] = []
    private var openQuotes = 0

    /// - Parameters:
    ///   - quotes: False for formats that have none.
    ///   - most: Maximum length of a row in bytes.
    ///   - read: Fills a buffer and returns the number of bytes, or 0 at the end.
    package init(
        delimiter: UInt8, quotes: Bool = true, most: Int = 16 << 20,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.delimiter = delimiter
        knowsQuotes = quotes
        self.most = max(1, most)
        window = ByteWindow(read: read)
    }

    /// Returns the next row that is not empty; it is valid until the next call.
    package func next() throws -> Row? {
        troubles.removeAll(keepingCapacity: true)
        try window.skipByteOrderMark()
        while true {
            if window.bytes.isEmpty, try !window.fill() { return nil }
            switch try scan(withQuotes: knowsQuotes) {
            case .row(let end, let next, let lines):
                let isEmpty = fields.count == 1 && fields[0].range.isEmpty && !fields[0].hasQuotes
                let row = take(end, next, lines)
                if !isEmpty { return row }
            case .openQuote:
                troubles.append(.openQuote(line: line))
                openQuotes += 1
                // Each costs a second look at as much as a row may hold.
                if openQuotes >= 32 { knowsQuotes = false }
                if case .row(let end, let next, _) = try scan(withQuotes: false) { return take(end, next, 1) }
                try skipLine()
            case .oversized:
                troubles.append(.oversized(line: line))
                try skipLine()
            }
        }
    }

    private enum Scan {
        /// The end of the row, the start of the next row, and the number of line feeds.
        case row(end: Int, next: Int, lines: Int)
        case openQuote
        case oversized
    }

    /// Finds the row's end and its fields.
    private func scan(withQuotes: Bool) throws -> Scan {
        fields.removeAll(keepingCapacity: true)
        var place = 0
        var start = 0
        var lines = 0
        /// 0 at a field's beginning, 1 in a plain field, 2 in quotes, 3 behind a quote in quotes, 4 behind the quotes.
        var state = withQuotes ? 0 : 1
        var hasQuotes = false
        var isQuoted = false
        var closing = 0
        func finish(_ end: Int) {
            let isClean = isQuoted && !hasQuotes
            fields.append(
                Field(
                    range: isQuoted ? start + 1..<max(start + 1, isClean ? closing : end) : start..<end,
                    hasQuotes: hasQuotes))
        }
        while true {
            let bytes = window.bytes.baseAddress!
            let count = window.bytes.count
            while place < count {
                let byte = bytes[place]
                if state == 2 {
                    guard let found = memchr(bytes + place, 0x22, count - place) else {
                        lines += Self.lineFeeds(bytes, place..<count)
                        place = count
                        break
                    }
                    let quote = UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
                    lines += Self.lineFeeds(bytes, place..<quote)
                    closing = quote
                    place = quote + 1
                    state = 3
                    continue
                }
                if byte == 0x0A {
                    var end = place
                    if end > start, bytes[end - 1] == 0x0D, state != 3 || closing != end - 1 { end -= 1 }
                    finish(end)
                    return .row(end: place, next: place + 1, lines: lines + 1)
                }
                if byte == delimiter {
                    finish(place)
                    start = place + 1
                    (state, hasQuotes, isQuoted) = (withQuotes ? 0 : 1, false, false)
                } else if state == 1 {
                    repeat { place += 1 } while place < count && bytes[place] != 0x0A && bytes[place] != delimiter
                    continue
                } else if state == 0 {
                    state = byte == 0x22 ? 2 : 1
                    isQuoted = byte == 0x22
                } else if state == 3 {
                    if byte == 0x22 { state = 2 } else { state = 4 }
                    if byte != 0x0D { hasQuotes = true }
                }
                place += 1
            }
            if place > most { return state == 2 ? .openQuote : .oversized }
            if try !window.fill() {
                if state == 2 { return .openQuote }
                finish(place)
                return .row(end: place, next: place, lines: lines)
            }
        }
    }

    private static func lineFeeds(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> Int {
        var count = 0
        for place in range where bytes[place] == 0x0A { count &+= 1 }
        return count
    }

    /// Consumes a row of `end` bytes, up to the next one.
    @inline(__always)
    private func take(_ end: Int, _ next: Int, _ lines: Int) -> Row {
        let row = Row(
            bytes: UnsafeBufferPointer(rebasing: window.bytes[..<end]), fields: fields, offset: window.offset,
            line: line)
        window.skip(next)
        line += lines
        return row
    }

    private func skipLine() throws { if try window.skipLine() { line += 1 } }
}

extension DelimitedRows.Row {
    /// Returns the text of a field; the second value says that the bytes are not UTF-8 and were read as Windows-1252.
    package func text(_ field: DelimitedRows.Field) -> (text: String, isLatin: Bool) {
        let slice = UnsafeBufferPointer(rebasing: bytes[field.range])
        guard field.hasQuotes else { return Self.decoded(slice) }
        var plain: [UInt8] = []
        plain.reserveCapacity(slice.count)
        var place = 0
        while place < slice.count {
            if slice[place] == 0x22 {
                if place + 1 < slice.count, slice[place + 1] == 0x22 {
                    place += 1
                } else {
                    place += 1
                    continue
                }
            }
            plain.append(slice[place])
            place += 1
        }
        return plain.withUnsafeBufferPointer { Self.decoded($0) }
    }

    private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> (text: String, isLatin: Bool) {
        if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
        return (Windows1252.text(bytes), true)
    }
}
