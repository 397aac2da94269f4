/// Cyclic redundancy checks of 32 bits, reflected, eight bytes per step (Kounavis & Berry 2005, slicing by 8).
struct Checksum: @unchecked Sendable {
    /// CRC-32C (Castagnoli), which TFRecord files have.
    static let castagnoli = Checksum(polynomial: 0x82F6_3B78)
    /// CRC-32 of IEEE 802.3, which the logs of W&B have.
    static let ieee = Checksum(polynomial: 0xEDB8_8320)

    // Sendable, for nothing is written after the initializer; the tables live as long as the program.
    private let tables: UnsafePointer<UInt32>

    private init(polynomial: UInt32) {
        let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 8 * 256)
        for byte in 0..<256 {
            var rest = UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 0 ? rest >> 1 : (rest >> 1) ^ polynomial }
            tables[byte] = rest
        }
        for index in 256..<(8 * 256) {
            let before = tables[index - 256]
            tables[index] = (before >> 8) ^ tables[Int(before & 0xFF)]
        }
        self.tables = UnsafePointer(tables)
    }

    /// The checksum of bytes, after that of what stands before them.
    func of(_ bytes: UnsafeRawBufferPointer, after before: UInt32 = 0) -> UInt32 {
        var rest = ~before
        var index = 0
        while bytes.count - index >= 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ UInt64(rest)
            rest =
                tables[7 * 256 + Int(word & 0xFF)] ^ tables[6 * 256 + Int((word >> 8) & 0xFF)]
                ^ tables[5 * 256 + Int((word >> 16) & 0xFF)] ^ tables[4 * 256 + Int((word >> 24) & 0xFF)]
                ^ tables[3 * 256 + Int((word >> 32) & 0xFF)] ^ tables[2 * 256 + Int((word >> 40) & 0xFF)]
                ^ tables[256 + Int((word >> 48) & 0xFF)] ^ tables[Int(word >> 56)]
            index += 8
        }
        while index < bytes.count {
            rest = (rest >> 8) ^ tables[Int((rest ^ UInt32(bytes[index])) & 0xFF)]
            index += 1
        }
        return ~rest
    }

    /// What TFRecord stores instead of a checksum, so that checksums of checksums stay strong.
    static func masked(_ checksum: UInt32) -> UInt32 {
        ((checksum >> 15) | (checksum << 17)) &+ 0xA282_EAD8
    }
}
