/// One file in a ZIP archive, as recorded in the central directory.
package struct ZipEntry: Hashable, Sendable {
    /// Compression methods that `ZipMember` reads.
    package enum Method: UInt16, Sendable {
        case stored = 0
        case deflated = 8
        case zstandard = 93
    }

    package var name: String
    /// Number of the compression method, which can be unsupported.
    package var methodNumber: UInt16
    package var flags: UInt16 = 0
    /// CRC-32 of the decompressed bytes.
    package var checksum: UInt32
    package var packedSize: Int
    package var size: Int
    /// Offset of the local header.
    package var header: Int

    package init(
        name: String, methodNumber: UInt16, flags: UInt16 = 0, checksum: UInt32, packedSize: Int, size: Int, header: Int
    ) {
        self.name = name
        self.methodNumber = methodNumber
        self.flags = flags
        self.checksum = checksum
        self.packedSize = packedSize
        self.size = size
        self.header = header
    }

    package var method: Method? { Method(rawValue: methodNumber) }
    var isEncrypted: Bool { flags & ZipFormat.encryptedFlag != 0 }
}

/// Constants of the ZIP format (PKWARE APPNOTE 6.3.10, sections 4.3 and 4.5).
package enum ZipFormat {
    package static let localHeader: UInt32 = 0x0403_4B50
    package static let centralHeader: UInt32 = 0x0201_4B50
    package static let end: UInt32 = 0x0605_4B50
    package static let end64: UInt32 = 0x0606_4B50
    package static let end64Locator: UInt32 = 0x0706_4B50

    package static let localLength = 30
    package static let centralLength = 46
    package static let endLength = 22
    package static let end64Length = 56
    package static let locatorLength = 20

    /// Number of the extra field for sizes and offsets of eight bytes.
    package static let extra64: UInt16 = 1
    /// Values of fields of two and four bytes whose number is in the extra field.
    package static let escape16: UInt16 = 0xFFFF
    package static let escape32: UInt32 = 0xFFFF_FFFF

    package static let encryptedFlag: UInt16 = 1
    package static let utf8Flag: UInt16 = 1 << 11

    /// Deflate packs at most 1,032 bytes into one: 258 bytes per match, two bits each.
    package static let bestRatio = 1_032
}
