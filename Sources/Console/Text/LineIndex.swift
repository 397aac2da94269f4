/// An index of the lines of a document, built incrementally so that a large document opens immediately.
///
/// The index stores the number of line feeds before every block of 64 KiB. A lookup scans one block.
public struct LineIndex: Sendable {
    private static let block = 65_536
    /// Number of line feeds before each block.
    private var before: [Int] = [0]
    /// Number of bytes indexed so far.
    public private(set) var counted = 0
    /// Whether the whole document is indexed.
    public private(set) var isComplete = false

    /// Creates an empty index.
    public init() {}

    /// Extends the index by at least `budget` bytes, or to the end of the document.
    public mutating func advance(over document: TextDocument, budget: Int) {
        guard !isComplete else { return }
        document.withBytes { bytes in
            let goal = min(document.count, counted + max(1, budget))
            while counted < goal {
                let end = min(document.count, counted + Self.block)
                before.append(before[before.count - 1] + Self.newlines(in: bytes, from: counted, to: end))
                counted = end
            }
        }
        isComplete = counted >= document.count
    }

    /// Number of lines; `nil` until the index is complete. An empty text has one line.
    public var lineCount: Int? { isComplete ? before[before.count - 1] + 1 : nil }

    /// Returns the line that contains an offset, starting at 1; `nil` if the offset is not indexed yet.
    public func line(at offset: Int, in document: TextDocument) -> Int? {
        guard offset >= 0, offset <= counted else { return nil }
        let block = min(offset / Self.block, before.count - 1)
        return document.withBytes { bytes in
            before[block] + Self.newlines(in: bytes, from: block * Self.block, to: offset) + 1
        }
    }

    /// Returns the offset of a line, starting at 1; `nil` if the line does not exist or is not indexed yet.
    public func start(ofLine line: Int, in document: TextDocument) -> Int? {
        guard line > 1 else { return line == 1 ? 0 : nil }
        let wanted = line - 1
        guard before[before.count - 1] >= wanted else { return nil }
        var low = 0
        var high = before.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if before[middle] < wanted { low = middle } else { high = middle - 1 }
        }
        return document.withBytes { bytes in
            var seen = before[low]
            var place = low * Self.block
            while let newline = TextDocument.firstNewline(in: bytes, from: place, to: document.count) {
                seen += 1
                place = newline + 1
                if seen == wanted { return place }
            }
            return nil
        }
    }

    private static func newlines(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
        var count = 0
        var place = start
        while let newline = TextDocument.firstNewline(in: bytes, from: place, to: end) {
            count += 1
            place = newline + 1
        }
        return count
    }
}
