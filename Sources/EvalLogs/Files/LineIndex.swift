internal import Bytes
internal import Glibc

/// Where the lines of a file, or of a part of it, begin, found as far as they are asked for.
///
/// Of a file that is still written, a last line without its end is a line as soon as it is complete JSON; here it waits
/// until its line feed is there or the file has stopped growing since the last look.
struct LineIndex {
    let file: LogFile
    /// The lines that are known, without blank ones.
    private var lines = LineStarts()
    /// The first byte that no known line has.
    private var scanned: Int
    private var lineStart: Int
    /// The size at which the end was last reached.
    private var endSeen: Int?
    /// Start of a last line that was indexed without its end; `nil` if there is none.
    private var openStart: Int?
    /// Byte before which the part ends; `nil` if it ends with the file.
    private let limit: Int?

    /// - Parameter part: The bytes that are looked at, from the beginning of a line; `nil` for all of them.
    init(_ file: LogFile, part: Range<Int>? = nil) {
        self.file = file
        scanned = part?.lowerBound ?? 0
        lineStart = scanned
        limit = part.flatMap { $0.upperBound == .max ? nil : $0.upperBound }
    }

    /// Bytes of a line beyond which it is not read.
    static let longest = LogJSON.most

    /// Lines that are known.
    var count: Int { lines.count }

    /// Bytes looked at so far.
    var progress: Int { scanned }

    /// Whether every line of the file as it is now is known.
    var isAtEnd: Bool { scanned >= size && lineStart >= scanned }

    private var size: Int { min(file.size, limit ?? .max) }

    /// Drops a last line that was indexed without its end if the file has grown since, because the line may continue.
    mutating func goOn() { if openStart != nil { goOn(size) } }

    private mutating func goOn(_ size: Int) {
        guard let openStart, size > scanned else { return }
        lines.removeLast()
        lineStart = openStart
        self.openStart = nil
    }

    /// Looks for lines until there are `count`, or to the end of the file.
    mutating func find(_ count: Int, isCancelled: () -> Bool) throws(EvalLogError) {
        let size = size
        goOn(size)
        guard lines.count < count else { return }
        let piece = 1 << 20
        var buffer = [UInt8](repeating: 0, count: max(0, min(piece, size - scanned)))
        while lines.count < count, scanned < size {
            if isCancelled() { throw EvalLogError(path: file.path, problem: "cancelled", isCancellation: true) }
            let from = scanned
            var got = 0
            try buffer.withMutableRawBytes { (room) throws(EvalLogError) in
                got = try file.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: room[..<min(room.count, size - from)]), at: from)
                guard let base = room.baseAddress, got > 0 else { return }
                var place = 0
                while place < got, let feed = memchr(base + place, 0x0A, got - place) {
                    let end = UnsafeRawPointer(feed) - UnsafeRawPointer(base)
                    take(to: from + end)
                    lineStart = from + end + 1
                    place = end + 1
                }
            }
            if got == 0 { break }
            scanned = from + got
        }
        if scanned >= size, lineStart < size, lines.count < count {
            // Without a line feed at its end a file is finished when it no longer grows.
            if endSeen == size {
                let count = lines.count
                take(to: size)
                if lines.count > count { openStart = lineStart }
                lineStart = size
            }
            endSeen = size
        }
    }

    /// Indexes like `find`, but includes a last line without its end: for a file that is known to be complete, and for
    /// a first look, which reports a truncated line as such.
    mutating func findAll(_ count: Int, isCancelled: () -> Bool) throws(EvalLogError) {
        try find(count, isCancelled: isCancelled)
        try find(count, isCancelled: isCancelled)
    }

    private mutating func take(to end: Int) {
        if end - lineStart > 1 { lines.append(lineStart..<end) }
    }

    /// Whether a known line reaches to the end of the file as it is now, so that it may be cut.
    func isUnended(_ index: Int) -> Bool { index == lines.count - 1 && lines.upperBound >= file.size }

    /// The first byte of a line that is known.
    func start(_ index: Int) -> Int { lines[index].lowerBound }

    /// The bytes of a line that is known.
    ///
    /// - Parameter most: Maximum number of bytes to return.
    func bytes(_ index: Int, most: Int = .max) throws(EvalLogError) -> [UInt8] {
        guard index < lines.count else {
            throw EvalLogError(
                path: file.path, place: "line \(index + 1)", problem: "the file has changed since it was opened",
                remedy: "Open it again.")
        }
        let range = lines[index]
        if most < range.count { return try file.wholeBytes(range.prefix(most)) }
        guard range.count <= LineIndex.longest else {
            throw EvalLogError(
                path: file.path, place: "byte \(range.lowerBound)",
                problem:
                    "the line is \(range.count) bytes long, above the \(LineIndex.longest >> 20) MiB limit")
        }
        return try file.wholeBytes(range)
    }
}
