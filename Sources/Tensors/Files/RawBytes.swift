extension [UInt8] {
    /// The bytes as memory without a type, with errors that keep theirs.
    func withRawBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withUnsafeBufferPointer { (bytes) throws(E) in try body(UnsafeRawBufferPointer(bytes)) }
    }

    mutating func withMutableRawBytes<R, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try withUnsafeMutableBufferPointer { (bytes) throws(E) in try body(UnsafeMutableRawBufferPointer(bytes)) }
    }
}

extension UnsafeRawBufferPointer {
    /// A little-endian number at a byte offset, aligned or not.
    func littleEndian<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as: Word.Type) -> Word {
        Word(littleEndian: loadUnaligned(fromByteOffset: offset, as: Word.self))
    }
}

/// Numbers one after the other, the lowest byte first.
struct LittleEndianBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append<each Word: FixedWidthInteger>(_ words: repeat each Word) {
        repeat withUnsafeBytes(of: (each words).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ more: [UInt8]) { bytes += more }
}
