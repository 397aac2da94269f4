/// Appends numbers as their bytes in memory, which is little-endian wherever the program runs.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append<T: BitwiseCopyable>(_ number: T) {
        withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }

    /// Appends numbers without their count.
    mutating func append<T: BitwiseCopyable>(_ numbers: UnsafeBufferPointer<T>) {
        bytes.append(contentsOf: UnsafeRawBufferPointer(numbers))
    }

    /// Appends the count of a list, followed by its numbers.
    mutating func append<T: BitwiseCopyable>(list numbers: [T]) {
        append(UInt32(numbers.count))
        numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    mutating func append(text: String) { append(list: Array(text.utf8)) }
}
