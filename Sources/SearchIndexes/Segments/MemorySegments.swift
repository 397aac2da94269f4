internal import Bytes

/// Segments in memory: for indexes that are not kept, and for tests.
public struct MemorySegments: SegmentStore, Sendable {
    private var segments: [SegmentKey: [UInt8]] = [:]

    public init() {}

    /// Bytes of all segments together.
    public var byteCount: Int { segments.values.reduce(0) { $0 + $1.count } }
    /// All keys, by part and number.
    public var keys: [SegmentKey] { segments.keys.sorted() }

    public func keys(of part: String) throws(SegmentError) -> [SegmentKey] {
        segments.keys.filter { $0.part == part }.sorted()
    }

    public func withSegment<Result>(
        _ key: SegmentKey, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> Result
    ) throws(SegmentError) -> Result {
        guard let bytes = segments[key] else { throw SegmentError(key, problem: "the segment is missing") }
        return try bytes.withRawBytes(body)
    }

    public mutating func put(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws(SegmentError) {
        guard bytes.count <= SegmentLimits.maximumBytes else {
            throw SegmentError(key, problem: "\(bytes.count) bytes exceed the size limit of a segment", remedy: "")
        }
        segments[key] = [UInt8](bytes)
    }

    public mutating func remove(_ key: SegmentKey) throws(SegmentError) {
        segments[key] = nil
    }
}
