internal import Synchronization

/// Bytes that lie still while they are read, with eight zeros after the last.
final class SegmentPiece: Sendable {
    // Written in the initializer only.
    nonisolated(unsafe) let bytes: UnsafeMutableRawPointer
    let count: Int

    init(_ source: UnsafeRawBufferPointer) {
        count = source.count
        bytes = .allocate(byteCount: count + 8, alignment: 16)
        if let base = source.baseAddress { bytes.copyMemory(from: base, byteCount: count) }
        (bytes + count).initializeMemory(as: UInt8.self, repeating: 0, count: 8)
    }

    init(_ source: [UInt8]) {
        count = source.count
        bytes = .allocate(byteCount: count + 8, alignment: 16)
        source.withUnsafeBytes { [bytes] in
            if let base = $0.baseAddress { bytes.copyMemory(from: base, byteCount: $0.count) }
        }
        (bytes + count).initializeMemory(as: UInt8.self, repeating: 0, count: 8)
    }

    deinit { bytes.deallocate() }
}

/// Where pieces are read from: a store that may be asked from any thread.
typealias PieceSource = @Sendable (SegmentKey) throws(SegmentError) -> SegmentPiece

/// A long string of bytes that is kept as pieces under consecutive keys and read piece by piece, at need.
final class SegmentStream: Sendable {
    private struct State {
        var pieces: [SegmentPiece?]
        var source: PieceSource?
        var loaded = 0
    }

    let part: String
    /// Number of the first piece's key.
    let first: Int
    /// Where each piece begins, and the end of the last.
    let starts: [Int]
    private let state: Mutex<State>

    /// Pieces of one stream that stay in memory: bytes.
    private static let memoryLimit = 64 << 20
    /// A stream has fewer pieces.
    static let pieceLimit = 1 << 20

    /// A stream that is in memory.
    init(part: String, first: Int, pieces: [SegmentPiece]) {
        self.part = part
        self.first = first
        var starts = [0]
        for piece in pieces { starts.append(starts.last! + piece.count) }
        self.starts = starts
        state = Mutex(State(pieces: pieces))
    }

    /// A stream in a store.
    init(part: String, first: Int, starts: [Int], source: @escaping PieceSource) {
        self.part = part
        self.first = first
        self.starts = starts
        state = Mutex(State(pieces: [SegmentPiece?](repeating: nil, count: starts.count - 1), source: source))
    }

    var byteCount: Int { starts.last! }
    var pieceCount: Int { starts.count - 1 }
    func key(_ index: Int) -> SegmentKey { SegmentKey(part, first + index) }

    /// Releases the segments in memory, which can be read from `source`.
    func attach(_ source: @escaping PieceSource) {
        state.withLock {
            $0.source = source
            for index in $0.pieces.indices { $0.pieces[index] = nil }
            $0.loaded = 0
        }
    }

    func piece(_ index: Int) throws(SegmentError) -> SegmentPiece {
        let (held, source) = state.withLock { ($0.pieces[index], $0.source) }
        if let held { return held }
        guard let source else { throw SegmentError(key(index), problem: "the segment is not in memory") }
        let piece = try source(key(index))
        guard piece.count == starts[index + 1] - starts[index] else {
            throw SegmentError(key(index), problem: "the size of \(piece.count) bytes does not match the index")
        }
        state.withLock {
            if $0.loaded > Self.memoryLimit {
                for index in $0.pieces.indices { $0.pieces[index] = nil }
                $0.loaded = 0
            }
            $0.pieces[index] = piece
            $0.loaded += piece.count
        }
        return piece
    }

    /// Returns the piece that holds `count` bytes from an offset of the stream, and where in it they begin.
    func locate(_ offset: Int, _ count: Int) throws(SegmentError) -> (piece: SegmentPiece, offset: Int) {
        var low = 0
        var high = pieceCount
        while low < high {
            let middle = (low + high) >> 1
            if starts[middle + 1] <= offset { low = middle + 1 } else { high = middle }
        }
        guard offset >= 0, count >= 0, low < pieceCount, count <= starts[low + 1] - offset else {
            throw SegmentError(
                "segments \(part)", problem: "\(count) bytes from byte \(offset) do not fit in one segment")
        }
        return (try piece(low), offset - starts[low])
    }

    /// Returns all bytes in one piece.
    func joined() throws(SegmentError) -> SegmentPiece {
        if pieceCount == 1 { return try piece(0) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        for index in 0..<pieceCount {
            let piece = try piece(index)
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: piece.bytes, count: piece.count))
            withExtendedLifetime(piece) {}
        }
        return SegmentPiece(bytes)
    }
}
