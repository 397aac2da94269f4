/// Where the lines of a document start: grown a slice at a time, so that opening a large text costs nothing.
///
/// It keeps the number of line feeds before every block of 64 KiB; a question about one line looks through one block.
public struct LineIndex: Sendable {
    private static let block = 65_536
    /// The line feeds before block i.
    private var before: [Int] = [0]
    /// How far the document has been counted, in bytes.
    public private(set) var counted = 0
    public private(set) var isComplete = false

    public init() {}

    /// Counts on for at least `budget` bytes or to the end.
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

    /// The number of lines; nil until everything is counted. An empty text has one line.
    public var lineCount: Int? { isComplete ? before[before.count - 1] + 1 : nil }

    /// The line, from 1, that holds an offset; nil where it is not counted yet.
    public func line(at offset: Int, in document: TextDocument) -> Int? {
        guard offset >= 0, offset <= counted else { return nil }
        let block = min(offset / Self.block, before.count - 1)
        return document.withBytes { bytes in
            before[block] + Self.newlines(in: bytes, from: block * Self.block, to: offset) + 1
        }
    }

    /// Where a line, counted from 1, starts; nil where it is not counted yet or does not exist.
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
