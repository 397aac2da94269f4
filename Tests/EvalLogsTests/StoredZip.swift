/// A ZIP archive whose entries stand in it as they are, made by a test.
struct StoredZip {
    private(set) var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    /// - Parameter size: how long the directory says that it is; nil tells the truth.
    mutating func add(_ name: String, _ content: [UInt8], size: Int? = nil) {
        let place = bytes.count
        let size = size ?? content.count
        let common =
            Self.number(0, 2) + Self.number(0, 2) + Self.number(0x21, 4) + Self.number(Int(Self.checksum(content)), 4)
            + Self.number(content.count, 4) + Self.number(size, 4) + Self.number(name.utf8.count, 2)
        bytes += [0x50, 0x4B, 3, 4] + Self.number(20, 2) + common + Self.number(0, 2) + Array(name.utf8) + content
        directory += [0x50, 0x4B, 1, 2] + Self.number(20, 2) + Self.number(20, 2) + common + Self.number(0, 12)
        directory += Self.number(place, 4) + Array(name.utf8)
        count += 1
    }

    /// The whole file.
    var file: [UInt8] {
        bytes + directory + [0x50, 0x4B, 5, 6] + Self.number(0, 4) + Self.number(count, 2) + Self.number(count, 2)
            + Self.number(directory.count, 4) + Self.number(bytes.count, 4) + Self.number(0, 2)
    }

    private static func number(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    }

    private static let table = (0..<256 as Range<UInt32>).map { start in
        (0..<8).reduce(start) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func checksum(_ content: [UInt8]) -> UInt32 {
        var value = ~UInt32(0)
        content.withUnsafeBufferPointer { bytes in
            table.withUnsafeBufferPointer { table in
                for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ (value >> 8) }
            }
        }
        return ~value
    }
}
