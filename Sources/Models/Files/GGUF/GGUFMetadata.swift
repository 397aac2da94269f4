internal import Tensors

/// The keys and values at the head of a GGUF file, where they lie: nothing is decoded before it is asked for, so that a
/// vocabulary of a quarter of a million tokens costs nothing to pass over.
public struct GGUFMetadata: Sendable {
    /// Where one value lies.
    struct Entry: Sendable {
        var key: String
        var type: GGUFValueType
        /// Of an array; `type` itself for anything else.
        var elementType: GGUFValueType
        /// Elements of an array, 1 for anything else.
        var count: Int
        /// The bytes of the value, without its type and, for arrays, without their head.
        var range: Range<Int>
    }

    let file: MappedFile
    let entries: [Entry]
    private let index: [String: Int]

    /// In the order of the file.
    public var keys: [String] { entries.map(\.key) }

    init(_ file: MappedFile, _ entries: [Entry], index: [String: Int]) {
        self.file = file
        self.entries = entries
        self.index = index
    }

    func entry(_ key: String) -> Entry? { index[key].map { entries[$0] } }

    /// Returns the type of a value; `nil` if there is none.
    public func type(of key: String) -> GGUFValueType? { entry(key)?.type }

    public subscript(key: String) -> GGUFValue? {
        guard let entry = entry(key) else { return nil }
        switch entry.type {
        case .string: return .string(file.text(entry.range))
        case .array: return .array(entry.elementType, count: entry.count)
        default: return GGUFValue(entry.type, file.bytes, at: entry.range.lowerBound)
        }
    }

    // MARK: One value

    public func string(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }

    /// A whole number of any width.
    public func int(_ key: String) -> Int? {
        if case .integer(let value)? = self[key] { value } else { nil }
    }

    /// A number of any kind.
    public func double(_ key: String) -> Double? {
        switch self[key] {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    public func bool(_ key: String) -> Bool? {
        if case .bool(let value)? = self[key] { value } else { nil }
    }

    // MARK: Arrays

    /// Calls `body` with the UTF-8 of each element of an array of strings; returns `false` if there is no such array.
    @discardableResult
    public func forEachString(_ key: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        guard let entry = entry(key), entry.type == .array, entry.elementType == .string else { return false }
        var position = entry.range.lowerBound
        for _ in 0..<entry.count {
            let length = Int(UInt64(littleEndian: file.bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
            position += 8
            let text = UnsafeRawBufferPointer(rebasing: file.bytes[position..<position + length])
            text.withMemoryRebound(to: UInt8.self, body)
            position += length
        }
        return true
    }

    public func strings(_ key: String) -> [String]? {
        var texts: [String] = []
        return forEachString(key) { texts.append(String(decoding: $0, as: UTF8.self)) } ? texts : nil
    }

    /// An array of whole numbers of any width.
    public func ints(_ key: String) -> [Int]? {
        elements(key) { if case .integer(let value) = $0 { value } else { nil } }
    }

    /// An array of numbers of any kind.
    public func floats(_ key: String) -> [Float]? {
        elements(key) {
            switch $0 {
            case .number(let value): Float(value)
            case .integer(let value): Float(value)
            default: nil
            }
        }
    }

    public func bools(_ key: String) -> [Bool]? {
        elements(key) { if case .bool(let value) = $0 { value } else { nil } }
    }

    /// Returns an array of u8 or i8 as stored in the file.
    public func bytes(_ key: String) -> [UInt8]? {
        guard let entry = entry(key), entry.type == .array, entry.elementType.width == 1 else { return nil }
        return Array(file.bytes[entry.range])
    }

    private func elements<Element>(_ key: String, _ convert: (GGUFValue) -> Element?) -> [Element]? {
        guard let entry = entry(key), entry.type == .array, let width = entry.elementType.width else { return nil }
        var values: [Element] = []
        values.reserveCapacity(entry.count)
        for position in stride(from: entry.range.lowerBound, to: entry.range.upperBound, by: width) {
            guard let value = GGUFValue(entry.elementType, file.bytes, at: position).flatMap(convert) else {
                return nil
            }
            values.append(value)
        }
        return values
    }
}
