internal import Glibc

/// A text document of any length, divided into segments that can be found from any offset without reading everything.
///
/// A segment is a line, or a piece of a line longer than `stride` bytes. Such a line is split near multiples of
/// `stride`, after a space if possible. A viewer can therefore jump into the middle of a line of many megabytes and
/// wrap only the visible part.
/// - Complexity: O(`stride`) for every lookup.
public struct TextDocument: Sendable {
    /// Text in contiguous UTF-8.
    public let text: String
    /// Length of the text in bytes.
    public let count: Int
    /// Length above which lines are split, in bytes.
    package let stride: Int

    /// Creates a document.
    public init(_ text: String) { self.init(text, stride: 8_192) }

    package init(_ text: String, stride: Int) {
        var contiguous = text
        contiguous.makeContiguousUTF8()
        self.text = contiguous
        count = contiguous.utf8.count
        self.stride = max(TextDocument.slack * 2, stride)
    }

    /// Calls `body` with the bytes, which are valid UTF-8.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        // The string is contiguous, so its storage is always available.
        text.utf8.withContiguousStorageIfAvailable(body) ?? body(UnsafeBufferPointer(start: nil, count: 0))
    }

    /// Maximum distance between the end of a piece and the multiple of `stride`, in bytes.
    private static let slack = 256

    /// Returns the segment that contains an offset.
    ///
    /// A line feed belongs to the line that it ends. A line feed at the end of the text does not start another segment.
    package func segment(at offset: Int) -> TextSegment {
        withBytes { segment(at: offset, in: $0) }
    }

    package func segment(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> TextSegment {
        let start = segmentStart(at: min(max(0, offset), max(0, count - 1)), in: bytes)
        return segment(from: start, in: bytes)
    }

    /// Returns the segment that ends before `start`; `nil` at the beginning of the text.
    package func segment(before start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> TextSegment? {
        start > 0 ? segment(at: start - 1, in: bytes) : nil
    }

    /// Returns the segment that starts at `start`.
    package func segment(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> TextSegment {
        let reach = min(count, start + 2 * stride + 2 * Self.slack)
        let newline = TextDocument.firstNewline(in: bytes, from: start, to: reach)
        let limit = newline ?? reach
        let startsLine = start == 0 || bytes[start - 1] == 0x0A
        var multiple = (start / stride + 1) * stride
        while multiple - Self.slack < limit {
            if let cut = cut(near: multiple, in: bytes), cut > start, cut <= limit {
                return TextSegment(start: start, end: cut, next: cut, startsLine: startsLine, endsLine: false)
            }
            multiple += stride
        }
        guard let newline else {
            return TextSegment(start: start, end: count, next: nil, startsLine: startsLine, endsLine: true)
        }
        let end = newline > start && bytes[newline - 1] == 0x0D ? newline - 1 : newline
        let next = newline + 1 < count ? newline + 1 : nil
        return TextSegment(start: start, end: end, next: next, startsLine: startsLine, endsLine: true)
    }

    private func segmentStart(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let floor = max(0, offset - 2 * stride - 2 * Self.slack)
        var start = TextDocument.lastNewline(in: bytes, from: floor, to: offset).map { $0 + 1 } ?? floor
        var multiple = (offset + Self.slack) / stride * stride
        while multiple > start {
            if let cut = cut(near: multiple, in: bytes), cut <= offset {
                start = max(start, cut)
                break
            }
            multiple -= stride
        }
        return start
    }

    /// Returns the offset near a multiple of `stride` at which a line is split; `nil` if the line is not long enough.
    private func cut(near multiple: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard multiple >= stride, multiple < count,
            TextDocument.firstNewline(
                in: bytes, from: multiple - stride, to: min(count, multiple + Self.slack)) == nil
        else { return nil }
        let floor = multiple - Self.slack + 1
        var firm: Int?
        var place = multiple
        while place >= floor {
            if bytes[place - 1] == 0x20 && bytes[place] != 0x20 && bytes[place] < 0x80 { return place }
            if firm == nil, bytes[place] < 0x80, bytes[place - 1] < 0x80 { firm = place }
            place -= 1
        }
        if let firm { return firm }
        place = multiple
        while bytes[place] & 0xC0 == 0x80 { place -= 1 }
        return place
    }

    package static func firstNewline(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
        guard let base = bytes.baseAddress, start < end,
            let found = memchr(base + start, 0x0A, end - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    package static func lastNewline(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
        var place = end
        while place > start {
            place -= 1
            if bytes[place] == 0x0A { return place }
        }
        return nil
    }
}

/// A line of a document, or a piece of a very long line. Offsets are in bytes.
package struct TextSegment: Hashable, Sendable {
    package var start: Int
    /// Offset just past the last visible byte, excluding the line feed and a carriage return before it.
    package var end: Int
    /// Start of the next segment; `nil` at the end of the text.
    package var next: Int?
    package var startsLine: Bool
    package var endsLine: Bool
}
