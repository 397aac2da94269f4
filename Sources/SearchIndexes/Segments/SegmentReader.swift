public import Bytes

/// Reads a segment of our own or a foreign file, such as a Faiss index.
public typealias SegmentReader = CheckedReader<SegmentError>

extension SegmentError: ByteFailure {
    /// Creates the error for damage in a segment.
    public init(_ damage: ByteDamage) { self.init("\(damage.place), byte \(damage.offset)", problem: damage.what) }
}

extension SegmentReader {
    /// Creates a reader of the segment with a key.
    public init(_ bytes: UnsafeRawBufferPointer, _ key: SegmentKey) { self.init(bytes, "segment \(key)") }
}
