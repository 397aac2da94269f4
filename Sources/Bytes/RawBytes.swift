extension [UInt8] {
    /// Lends the bytes as untyped memory and rethrows errors with their type.
    @inlinable
    package func withRawBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withUnsafeBufferPointer { (bytes) throws(E) in try body(UnsafeRawBufferPointer(bytes)) }
    }

    /// Lends the bytes as untyped memory for writing and rethrows errors with their type.
    @inlinable
    package mutating func withMutableRawBytes<R, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try withUnsafeMutableBufferPointer { (bytes) throws(E) in try body(UnsafeMutableRawBufferPointer(bytes)) }
    }
}

extension [UInt8] {
    /// Creates an array whose memory `fill` initializes.
    ///
    /// - Parameter fill: Returns the number of initialized bytes, counted from the start.
    package init<E: Error>(
        filling capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) {
        var failure: E?
        self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
            do throws(E) {
                count = try fill(
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<capacity]))
            } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the little-endian number at a byte offset, aligned or not.
    ///
    /// The caller checks the bounds.
    @inlinable
    public func littleEndian<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as: Word.Type) -> Word {
        Word(littleEndian: loadUnaligned(fromByteOffset: offset, as: Word.self))
    }
}
