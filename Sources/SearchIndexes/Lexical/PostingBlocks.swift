/// The blocks of a term's postings: their headers read, what is in them not yet.
struct PostingBlocks {
    struct Block {
        var count: Int
        /// The block's last document.
        var last: UInt32
        /// Where it is in the piece.
        var offset: Int
        var byteCount: Int
        /// Where its positions are in their stream.
        var positions: Int
        var positionBytes: Int
        /// Its pairs in ``PostingBlocks/promising``.
        var pairs: Range<Int>
    }

    let piece: SegmentPiece
    let count: Int
    private(set) var blocks: [Block] = []
    /// Pairs of a frequency and the rank of a length, one of which has its block's greatest weight.
    private(set) var promising: [(frequency: UInt32, code: UInt32)] = []
    private let place: String

    init(
        _ piece: SegmentPiece, offset: Int, byteCount: Int, count: Int, documents: Int, _ place: String
    ) throws(SegmentError) {
        self.piece = piece
        self.count = count
        self.place = place
        guard count <= documents else {
            throw SegmentError(place, problem: "a word is in \(count) of \(documents) documents")
        }
        let start = UnsafePointer((piece.bytes + offset).assumingMemoryBound(to: UInt8.self))
        var reader = VariableReader(start, start + byteCount)
        var positions = reader.read()
        var last = -1
        let size = SegmentWriter.blockSize
        blocks.reserveCapacity((count + size - 1) / size)
        for first in stride(from: 0, to: count, by: size) {
            let inBlock = min(size, count - first)
            last = last &+ reader.read()
            let bytes = reader.read()
            let positionBytes = reader.read()
            let pairs = reader.read()
            guard !reader.failed, last >= 0, last < documents, bytes >= 2, bytes <= byteCount, positionBytes >= 0,
                positions >= 0, pairs > 0, pairs <= inBlock
            else { throw SegmentError(place, problem: "the postings of a word are corrupt") }
            let from = promising.count
            for _ in 0..<pairs {
                promising.append((UInt32(truncatingIfNeeded: reader.read()), UInt32(truncatingIfNeeded: reader.read())))
            }
            blocks.append(
                Block(
                    count: inBlock, last: UInt32(last), offset: 0, byteCount: bytes, positions: positions,
                    positionBytes: positionBytes, pairs: from..<promising.count))
            positions = positions &+ positionBytes
        }
        var next = offset + start.distance(to: reader.next)
        for index in blocks.indices {
            blocks[index].offset = next
            next += blocks[index].byteCount
        }
        guard !reader.failed, next == offset + byteCount else {
            throw SegmentError(place, problem: "the postings of a word do not end where expected")
        }
    }

    /// Reads a block into arrays with room for at least ``SegmentWriter/blockSize`` numbers.
    func read(
        _ index: Int, documents: UnsafeMutablePointer<UInt32>, frequencies: UnsafeMutablePointer<UInt32>
    ) throws(SegmentError) {
        let block = blocks[index]
        let bytes = UnsafeRawPointer(piece.bytes + block.offset)
        let gapWidth = Int(bytes.load(as: UInt8.self))
        let frequencyWidth = Int((bytes + 1).load(as: UInt8.self))
        let gapBytes = PackedIntegers.byteCount(block.count, width: gapWidth)
        let all = 2 + gapBytes + PackedIntegers.byteCount(block.count, width: frequencyWidth)
        guard gapWidth <= 32, frequencyWidth <= 32, all == block.byteCount else {
            throw SegmentError(place, problem: "the postings of a word have the wrong size")
        }
        // Sums of 128 numbers of 32 bits have no overflow, and they ascend: the last one says that all are in range.
        var document = index == 0 ? -1 : Int(blocks[index - 1].last)
        PackedIntegers.forEach(bytes + 2, block.count, width: gapWidth) {
            document &+= Int($1) &+ 1
            documents[$0] = UInt32(truncatingIfNeeded: document)
        }
        guard document == Int(block.last) else {
            throw SegmentError(place, problem: "the postings of a word do not match their header")
        }
        PackedIntegers.forEach(bytes + 2 + gapBytes, block.count, width: frequencyWidth) {
            frequencies[$0] = $1 &+ 1
        }
        withExtendedLifetime(piece) {}
    }
}
