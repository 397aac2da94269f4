/// The alphabet that GPT-2 wrote bytes in: printable Latin-1 stands for itself, the other 68 bytes follow from U+0100.
///
/// Source: Radford et al. 2019, `bytes_to_unicode` of the published encoder.
package enum ByteAlphabet {
    /// The scalar of each byte.
    package static let scalars: [UInt32] = {
        var scalars: [UInt32] = []
        var next: UInt32 = 0x100
        for byte in UInt32(0)..<256 {
            let isPrintable = (33...126).contains(byte) || (161...172).contains(byte) || byte >= 174
            scalars.append(isPrintable ? byte : next)
            if !isPrintable { next += 1 }
        }
        return scalars
    }()

    /// The byte of each scalar below U+0144, and -1.
    package static let bytes: [Int16] = {
        var bytes = [Int16](repeating: -1, count: 0x144)
        for (byte, scalar) in scalars.enumerated() { bytes[Int(scalar)] = Int16(byte) }
        return bytes
    }()

    /// `bytes` for loops.
    nonisolated(unsafe) private static let table: UnsafePointer<Int16> = {
        let table = UnsafeMutablePointer<Int16>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { (table + index).initialize(to: byte) }
        return UnsafePointer(table)
    }()

    /// Appends the bytes that `text` writes; false, with nothing appended, where it is not of the alphabet.
    package static func decode(_ text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) -> Bool {
        guard let base = text.baseAddress else { return true }
        let before = output.count
        let bytes = table
        var index = 0
        while index < text.count {
            let (value, length) = scalar(base, at: index, end: text.count)
            guard value < 0x144, bytes[Int(value)] >= 0 else {
                output.removeLast(output.count - before)
                return false
            }
            output.append(UInt8(truncatingIfNeeded: bytes[Int(value)]))
            index &+= length
        }
        return true
    }

    /// The text that writes `bytes`.
    package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        for byte in bytes { output.append(scalar: scalars[Int(byte)]) }
        return output
    }
}
