internal import Tensors

/// Builds the header of a GGUF file: metadata first, then where each tensor will lie.
struct GGUFEncoder {
    private var entries: [(key: String, bytes: [UInt8])] = []
    private var tensors: [(name: String, type: GGMLType, shape: [Int])] = []
    static let alignment = 32

    // MARK: Metadata

    /// Copies an entry of another file as it lies there.
    mutating func copy(_ entry: GGUFMetadata.Entry, from metadata: GGUFMetadata) {
        var bytes = [UInt8](little: entry.type.rawValue)
        if entry.type == .array {
            bytes += [UInt8](little: entry.elementType.rawValue) + [UInt8](little: UInt64(entry.count))
        } else if entry.type == .string {
            bytes += [UInt8](little: UInt64(entry.range.count))
        }
        set(entry.key, bytes + Array(metadata.file.bytes[entry.range]))
    }

    /// Puts an entry at the end, in place of any of that key.
    private mutating func set(_ key: String, _ bytes: [UInt8]) {
        entries.removeAll { $0.key == key }
        entries.append((key, bytes))
    }

    mutating func set(_ key: String, _ text: String) { set(key, typed(.string, Self.string(Array(text.utf8)))) }
    mutating func set(_ key: String, utf8 text: [UInt8]) { set(key, typed(.string, Self.string(text))) }
    mutating func set(_ key: String, _ value: Int) {
        set(key, typed(.uint32, [UInt8](little: UInt32(clamping: value))))
    }
    mutating func set(_ key: String, _ value: Float) { set(key, typed(.float32, [UInt8](little: value.bitPattern))) }
    mutating func set(_ key: String, _ value: Bool) { set(key, typed(.bool, [value ? 1 : 0])) }

    mutating func set(_ key: String, _ values: [Bool]) {
        set(key, array(.bool, values.count) + values.map { $0 ? 1 : 0 })
    }
    mutating func set(_ key: String, _ values: [Float]) {
        set(key, array(.float32, values.count) + values.flatMap { [UInt8](little: $0.bitPattern) })
    }
    mutating func set(_ key: String, _ values: [Int32]) {
        set(key, array(.int32, values.count) + values.flatMap { [UInt8](little: $0) })
    }
    mutating func set(_ key: String, strings: [[UInt8]]) {
        set(key, array(.string, strings.count) + strings.flatMap(Self.string))
    }

    private func typed(_ type: GGUFValueType, _ bytes: [UInt8]) -> [UInt8] { [UInt8](little: type.rawValue) + bytes }

    private func array(_ element: GGUFValueType, _ count: Int) -> [UInt8] {
        typed(.array, [UInt8](little: element.rawValue) + [UInt8](little: UInt64(count)))
    }

    private static func string(_ text: [UInt8]) -> [UInt8] { [UInt8](little: UInt64(text.count)) + text }

    // MARK: Tensors

    mutating func add(_ name: String, _ type: GGMLType, shape: [Int]) { tensors.append((name, type, shape)) }

    /// The header with its padding, and where each tensor begins in the file.
    func encoded() -> (header: [UInt8], offsets: [Int], byteCount: Int) {
        var bytes = GGUFFile.magic + [UInt8](little: UInt32(3))
        bytes += [UInt8](little: UInt64(tensors.count)) + [UInt8](little: UInt64(entries.count))
        for entry in entries { bytes += Self.string(Array(entry.key.utf8)) + entry.bytes }
        var offsets: [Int] = []
        var offset = 0
        for tensor in tensors {
            bytes += Self.string(Array(tensor.name.utf8)) + [UInt8](little: UInt32(tensor.shape.count))
            for size in tensor.shape.reversed() { bytes += [UInt8](little: UInt64(size)) }
            bytes += [UInt8](little: tensor.type.id) + [UInt8](little: UInt64(offset))
            offsets.append(offset)
            let size = tensor.shape.reduce(1, *) / tensor.type.blockSize * tensor.type.bytesPerBlock
            offset += Self.padded(size)
        }
        bytes += [UInt8](repeating: 0, count: Self.padded(bytes.count) - bytes.count)
        return (bytes, offsets.map { $0 + bytes.count }, bytes.count + offset)
    }

    private static func padded(_ size: Int) -> Int { (size + alignment - 1) / alignment * alignment }
}

extension [UInt8] {
    /// A number, the lowest byte first.
    init(little value: some FixedWidthInteger) {
        self = Swift.withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
    }
}
