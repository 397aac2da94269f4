/// Runs of unsigned numbers, each in the same number of bits.
enum PackedIntegers {
    /// Bits that the largest of some numbers takes.
    static func width(_ all: UInt32) -> Int { 32 - all.leadingZeroBitCount }

    static func byteCount(_ count: Int, width: Int) -> Int { (count * width + 7) >> 3 }

    static func append(_ values: UnsafePointer<UInt32>, _ count: Int, width: Int, to bytes: inout [UInt8]) {
        guard width > 0 else { return }
        var pending: UInt64 = 0
        var bits = 0
        for index in 0..<count {
            pending |= UInt64(values[index]) << UInt64(bits)
            bits += width
            while bits >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                bits -= 8
            }
        }
        if bits > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
    }

    /// Reads numbers; eight bytes past their end have to be readable.
    @inline(__always)
    static func forEach(
        _ bytes: UnsafeRawPointer, _ count: Int, width: Int, _ body: (_ index: Int, _ value: UInt32) -> Void
    ) {
        let mask: UInt64 = 1 << UInt64(width) - 1
        var bit = 0
        for index in 0..<count {
            let word = (bytes + bit >> 3).loadUnaligned(as: UInt64.self)
            body(index, UInt32(truncatingIfNeeded: word >> UInt64(bit & 7) & mask))
            bit &+= width
        }
    }
}

/// Numbers of seven bits a byte, checked against the end.
struct VariableReader {
    var next: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    /// Whether there was more to read than there are bytes.
    private(set) var failed = false

    init(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        next = start
        self.end = end
    }

    @inline(__always)
    mutating func read() -> Int {
        if next < end, next.pointee < 0x80 {
            defer { next += 1 }
            return Int(next.pointee)
        }
        return readLong()
    }

    private mutating func readLong() -> Int {
        var value = 0
        var shift = 0
        while next < end, shift < 63 {
            let byte = next.pointee
            next += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        failed = true
        return 0
    }
}
