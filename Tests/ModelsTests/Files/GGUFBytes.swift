/// Writes GGUF files byte by byte, right or wrong ones, independently of what the module writes.
struct GGUFBytes {
    var magic = Array("GGUF".utf8)
    var version: UInt32 = 3
    var alignment: UInt32?
    /// What is written in place of the true counts.
    var tensorCount: UInt64?
    var entryCount: UInt64?
    var entries: [[UInt8]] = []
    var tensors: [[UInt8]] = []
    var data: [UInt8] = []

    static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func string(_ text: String) -> [UInt8] { little(UInt64(text.utf8.count)) + Array(text.utf8) }

    static func entry(_ key: String, _ type: UInt32, _ value: [UInt8]) -> [UInt8] { string(key) + little(type) + value }

    static func array(_ key: String, _ type: UInt32, count: UInt64, _ values: [UInt8]) -> [UInt8] {
        entry(key, 9, little(type) + little(count) + values)
    }

    static func tensor(
        _ name: String, _ sizes: [UInt64], type: UInt32 = 0, offset: UInt64 = 0, rank: UInt32? = nil
    ) -> [UInt8] {
        string(name) + little(rank ?? UInt32(sizes.count)) + sizes.flatMap(little) + little(type) + little(offset)
    }

    var bytes: [UInt8] {
        var entries = entries
        if let alignment { entries.append(Self.entry("general.alignment", 4, Self.little(alignment))) }
        var bytes = magic + Self.little(version) + Self.little(tensorCount ?? UInt64(tensors.count))
        bytes += Self.little(entryCount ?? UInt64(entries.count)) + entries.flatMap { $0 } + tensors.flatMap { $0 }
        bytes += [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32)
        return bytes + data
    }
}
