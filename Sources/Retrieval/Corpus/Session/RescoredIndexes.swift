internal import Bytes
internal import SearchIndexes
internal import Synchronization
internal import Workspace

/// The lexical index under other settings than its own, kept for the next request that has them.
final class RescoredIndexes: Sendable {
    struct Scoring: Hashable {
        var k1: Double
        var b: Double
        /// Boosts in the order of the fields; 0 excludes a field.
        var boosts: [Double]
    }

    private let kept = Mutex<[Scoring: LexicalIndex]>([:])

    /// Returns the index that these segments hold, with another scoring.
    func index(_ scoring: Scoring, _ segments: () throws -> LiveSegments) throws -> LexicalIndex {
        if let known = kept.withLock({ $0[scoring] }) { return known }
        let made = try LexicalIndex(from: RescoredSegments(segments: segments(), scoring: scoring))
        kept.withLock { kept in
            // A sweep over k1 and b needs each only once.
            if kept.count >= 8 { kept.removeAll() }
            kept[scoring] = made
        }
        return made
    }
}

/// The segments of a lexical index with a different scoring: postings do not depend on k1, b, and boosts.
private struct RescoredSegments: SegmentStore, Sendable {
    var segments: LiveSegments
    let scoring: RescoredIndexes.Scoring

    private static let description = SegmentKey("lexical")

    func keys(of part: String) throws(SegmentError) -> [SegmentKey] { try segments.keys(of: part) }

    func withSegment<Result>(
        _ key: SegmentKey, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> Result
    ) throws(SegmentError) -> Result {
        guard key == Self.description else { return try segments.withSegment(key, body) }
        let bytes = try segments.withSegment(key) { bytes throws(SegmentError) in try rescored(bytes) }
        return try bytes.withRawBytes(body)
    }

    /// Magic, version, the analyzer's name, fields each with its boost, k1, b; then what does not matter here.
    private func rescored(_ bytes: UnsafeRawBufferPointer) throws(SegmentError) -> [UInt8] {
        var reader = SegmentReader(bytes, Self.description)
        var writer = ByteWriter(reserving: bytes.count)
        writer.write(try reader.read(UInt32.self))
        writer.write(try reader.read(UInt16.self))
        writer.write(try reader.readText())
        let count = try reader.readCount(ofBytes: 9)
        guard count == scoring.boosts.count else {
            throw reader.failure("expected \(scoring.boosts.count) fields, found \(count)")
        }
        writer.writeVariable(UInt64(count))
        for boost in scoring.boosts {
            writer.write(try reader.readText())
            _ = try reader.readDouble()
            writer.write(boost)
        }
        _ = try reader.readDouble()
        _ = try reader.readDouble()
        writer.write(scoring.k1)
        writer.write(scoring.b)
        writer.writeRaw(try reader.readRaw(reader.remaining))
        return writer.bytes
    }

    mutating func put(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws(SegmentError) {
        try segments.put(key, bytes)
    }

    mutating func remove(_ key: SegmentKey) throws(SegmentError) { try segments.remove(key) }
}
