internal import Glibc

/// Splits a stream of bytes into server-sent events, wherever the pieces of it are cut.
///
/// Lines end with CR LF, LF or CR. A line that begins with a colon is a comment; `data` lines of one event are joined
/// by line feeds; an empty line ends the event, which counts only if it had data. A byte-order mark at the start is
/// skipped. The bytes are not decoded here, so that no character is cut.
///
/// Source: WHATWG, HTML Living Standard, section 9.2.6.
package struct ServerSentEvents {
    /// The line so far, where it came in more than one piece.
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var name: [UInt8] = []
    private var afterCarriageReturn = false
    private var isFirstLine = true
    package let limit: Int

    /// - Parameter limit: bytes of a line, and of an event's data.
    package init(limit: Int = HTTPLimits().line) { self.limit = limit }

    /// What a stream must not have.
    package struct TooLong: Error, Equatable {}

    /// Takes in a piece and hands out the events that are whole.
    ///
    /// - Parameter body: Called with the name of an event, which may be empty, and its data; `false` stops at once.
    /// - Returns: `false` if `body` returned `false`.
    package mutating func take(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (_ name: [UInt8], _ data: [UInt8]) -> Bool
    ) throws(TooLong) -> Bool {
        var position = 0
        while position < bytes.count {
            if afterCarriageReturn {
                afterCarriageReturn = false
                if bytes[position] == UInt8(ascii: "\n") {
                    position += 1
                    continue
                }
            }
            var end = position
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "\r") { end += 1 }
            guard line.count + (end - position) <= limit else { throw TooLong() }
            line.append(contentsOf: bytes[position..<end])
            guard end < bytes.count else { return true }
            afterCarriageReturn = bytes[end] == UInt8(ascii: "\r")
            position = end + 1
            guard try endLine(body) else { return false }
        }
        return true
    }

    /// Returns the data of a last event without a final empty line; `nil` if there is none.
    ///
    /// The standard discards it; some servers leave the last empty line away, though, and what they meant is whole.
    package mutating func rest() -> [UInt8]? {
        if !line.isEmpty { field(line[...]) }
        line = []
        defer { forget() }
        return hasData ? data : nil
    }

    private mutating func endLine(_ body: ([UInt8], [UInt8]) -> Bool) throws(TooLong) -> Bool {
        defer { line.removeAll(keepingCapacity: line.capacity < 1 << 16) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard line.isEmpty else {
            field(line[...])
            guard data.count <= limit else { throw TooLong() }
            return true
        }
        defer { forget() }
        return hasData ? body(name, data) : true
    }

    private mutating func forget() {
        data.removeAll(keepingCapacity: data.capacity < 1 << 16)
        name = []
        hasData = false
    }

    private mutating func field(_ line: ArraySlice<UInt8>) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let field = line[..<colon]
        if field.elementsEqual("data".utf8) {
            if hasData { data.append(UInt8(ascii: "\n")) }
            data.append(contentsOf: value)
            hasData = true
        } else if field.elementsEqual("event".utf8) {
            name = Array(value)
        }
    }
}
