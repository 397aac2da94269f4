/// One file in a zip archive, as the central directory has it.
struct ZipEntry: Hashable, Sendable {
    enum Method: UInt16 {
        case stored = 0
        case deflated = 8
    }

    var name: String
    var method: Method
    var checksum: UInt32
    var packedSize: Int
    var size: Int
    /// Where its packed bytes begin.
    var offset: Int
}

/// The numbers of the zip format (PKWARE's APPNOTE, sections 4.3 and 4.5).
enum ZipFormat {
    static let localHeader: UInt32 = 0x0403_4B50
    static let centralHeader: UInt32 = 0x0201_4B50
    static let end: UInt32 = 0x0605_4B50
    static let end64: UInt32 = 0x0606_4B50
    static let end64Locator: UInt32 = 0x0706_4B50

    static let localLength = 30
    static let centralLength = 46
    static let endLength = 22
    static let end64Length = 56
    static let locatorLength = 20

    /// The extra field that holds sizes and offsets of eight bytes.
    static let extra64: UInt16 = 1
    /// Where a field of two or four bytes says that the extra field has the number.
    static let escape16: UInt16 = 0xFFFF
    static let escape32: UInt32 = 0xFFFF_FFFF

    static let encryptedFlag: UInt16 = 1
    static let utf8Flag: UInt16 = 1 << 11

    /// Deflate cannot pack more than 1,032 bytes into one: 258 bytes a match, two bits each.
    static let bestRatio = 1_032
}
