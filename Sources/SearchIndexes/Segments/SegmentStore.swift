internal import Bytes

/// Storage for an index: byte strings under keys, each checked when it is read.
///
/// An index is never written whole. It adds segments, replaces the few that changed, and takes away those that it
/// merged; the owner of the store commits all of those changes at once or none of them. Segments have at most
/// ``SegmentLimits/maximumBytes`` bytes.
///
/// ```swift
/// var store = MemorySegments()
/// try index.save(to: &store)
/// let same = try HNSWIndex(from: store)
/// ```
public protocol SegmentStore {
    /// Returns the keys of a part, by number.
    func keys(of part: String) throws(SegmentError) -> [SegmentKey]

    /// Lends the bytes of a segment, after they were found to be those that were put.
    ///
    /// - Throws: ``SegmentError`` where the segment is missing or damaged; what `body` throws.
    func withSegment<Result>(
        _ key: SegmentKey, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> Result
    ) throws(SegmentError) -> Result

    /// Adds a segment, or replaces the segment with that key.
    mutating func put(_ key: SegmentKey, _ bytes: UnsafeRawBufferPointer) throws(SegmentError)

    /// Takes a segment away; one that is not there is no error.
    mutating func remove(_ key: SegmentKey) throws(SegmentError)
}

extension SegmentStore {
    /// Adds a segment, or replaces the segment with that key.
    public mutating func put(_ key: SegmentKey, _ bytes: [UInt8]) throws(SegmentError) {
        try bytes.withRawBytes { (raw) throws(SegmentError) in try put(key, raw) }
    }

    /// Returns the bytes of a segment.
    public func bytes(of key: SegmentKey) throws(SegmentError) -> [UInt8] {
        try withSegment(key) { bytes throws(SegmentError) in [UInt8](bytes) }
    }
}

/// Size limits of segments.
public enum SegmentLimits {
    /// Maximum number of bytes per segment.
    public static let maximumBytes = 16 << 20
}
