/// An inverted index over some documents that never changes: what one commit added, or several merged.
final class LexicalSegment: Sendable {
    /// The words for its streams in a store; each number is the segment's, times ``SegmentStream/pieceLimit``, plus the
    /// piece's.
    static let parts = ["lexical-documents", "lexical-terms", "lexical-postings", "lexical-positions"]

    let number: Int
    let table: DocumentTable
    let dictionary: TermDictionary
    let streams: [SegmentStream]

    var documentCount: Int { table.labels.count }
    var byteCount: Int { streams.reduce(0) { $0 + $1.byteCount } }
    var place: String { "lexical segment \(number)" }
    private var postings: SegmentStream { streams[2] }
    private var positions: SegmentStream { streams[3] }

    /// Maximum number of documents per segment.
    static let documentLimit = 1 << 21

    convenience init(number: Int, parts: SegmentParts, fields: Int) throws(SegmentError) {
        let pieces = [parts.documents, parts.terms, parts.postings, parts.positions]
        try self.init(
            number: number,
            streams: zip(Self.parts, pieces).map {
                SegmentStream(part: $0, first: number * SegmentStream.pieceLimit, pieces: $1)
            }, fields: fields)
    }

    init(number: Int, streams: [SegmentStream], fields: Int) throws(SegmentError) {
        self.number = number
        self.streams = streams
        let place = "lexical segment \(number)"
        table = try DocumentTable(decoding: try streams[0].joined(), fields: fields, place)
        dictionary = try TermDictionary(try streams[1].joined(), place)
    }

    /// Returns the headers of a term's blocks.
    func blocks(of record: TermRecord) throws(SegmentError) -> PostingBlocks {
        let (piece, offset) = try postings.locate(record.offset, record.byteCount)
        return try PostingBlocks(
            piece, offset: offset, byteCount: record.byteCount, count: record.frequency, documents: documentCount, place
        )
    }

    /// Returns the positions of each posting of a block.
    func positions(of block: PostingBlocks.Block, frequencies: UnsafeBufferPointer<UInt32>) throws(SegmentError)
        -> [[UInt32]]
    {
        let (piece, offset) = try positions.locate(block.positions, block.positionBytes)
        let start = UnsafePointer((piece.bytes + offset).assumingMemoryBound(to: UInt8.self))
        var reader = VariableReader(start, start + block.positionBytes)
        var result: [[UInt32]] = []
        result.reserveCapacity(frequencies.count)
        for frequency in frequencies {
            var places: [UInt32] = []
            var place: UInt32 = 0
            for _ in 0..<min(Int(frequency), SegmentWriter.positionLimit, block.positionBytes) {
                place &+= UInt32(truncatingIfNeeded: reader.read())
                places.append(place)
            }
            result.append(places)
        }
        guard !reader.failed else { throw SegmentError(place, problem: "the positions of a word are truncated") }
        withExtendedLifetime(piece) {}
        return result
    }
}
