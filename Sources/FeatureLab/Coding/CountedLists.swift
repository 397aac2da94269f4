internal import Bytes

// Lists and text with counts of four bytes, as stored in the workspace. Numbers have their layout in memory, which is
// little-endian wherever the program runs.

extension ByteWriter {
    /// Writes numbers without their count.
    mutating func write<T: BitwiseCopyable>(_ numbers: UnsafeBufferPointer<T>) {
        writeRaw(UnsafeRawBufferPointer(numbers))
    }

    /// Writes the count of a list, followed by its numbers.
    mutating func write<T: BitwiseCopyable>(list numbers: [T]) {
        write(UInt32(numbers.count))
        numbers.withUnsafeBytes { writeRaw($0) }
    }

    /// Writes the number of bytes of a text, followed by its UTF-8.
    mutating func write(text: String) { write(list: Array(text.utf8)) }
}

extension ByteReader {
    /// Reads numbers until the buffer is full.
    mutating func read<T: BitwiseCopyable>(into numbers: UnsafeMutableBufferPointer<T>) throws(ByteDamage) {
        UnsafeMutableRawBufferPointer(numbers).copyMemory(
            from: try readRaw(numbers.count * MemoryLayout<T>.stride))
    }

    /// Reads the count of a list, then its numbers.
    mutating func list<T: BitwiseCopyable>(_ type: T.Type = T.self) throws(ByteDamage) -> [T] {
        let count = try checked(read(UInt32.self), ofBytes: MemoryLayout<T>.stride)
        let raw = try readRaw(count * MemoryLayout<T>.stride)
        return [T](unsafeUninitializedCapacity: count) { room, written in
            UnsafeMutableRawBufferPointer(room).copyMemory(from: raw)
            written = count
        }
    }

    /// Reads the number of bytes of a text, then its UTF-8.
    mutating func text() throws(ByteDamage) -> String { String(decoding: try list(UInt8.self), as: UTF8.self) }
}
