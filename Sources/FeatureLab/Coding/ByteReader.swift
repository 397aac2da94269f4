/// Reads what `ByteWriter` wrote; whatever does not fit is damage.
struct ByteReader {
    /// An error for bytes that end too early or contain an invalid count.
    struct Damage: Error {}

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func read<T: BitwiseCopyable>(_ type: T.Type = T.self) throws(Damage) -> T {
        let size = MemoryLayout<T>.size
        guard bytes.count - offset >= size else { throw Damage() }
        defer { offset += size }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: T.self) }
    }

    /// Fills memory with as many numbers as it holds.
    mutating func read<T: BitwiseCopyable>(into numbers: UnsafeMutableBufferPointer<T>) throws(Damage) {
        let size = numbers.count * MemoryLayout<T>.stride
        guard bytes.count - offset >= size else { throw Damage() }
        bytes.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(numbers).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + size]))
        }
        offset += size
    }

    mutating func list<T: BitwiseCopyable>(_ type: T.Type = T.self) throws(Damage) -> [T] {
        let count = Int(try read(UInt32.self))
        let stride = MemoryLayout<T>.stride
        guard (bytes.count - offset) / stride >= count else { throw Damage() }
        defer { offset += count * stride }
        return [T](unsafeUninitializedCapacity: count) { room, written in
            bytes.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(room).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count * stride]))
            }
            written = count
        }
    }

    mutating func text() throws(Damage) -> String { String(decoding: try list(UInt8.self), as: UTF8.self) }
}
