/// The types that GGUF metadata are made of.
public enum GGUFValueType: UInt32, CaseIterable, Hashable, Sendable {
    case uint8 = 0
    case int8, uint16, int16, uint32, int32, float32, bool, string, array, uint64, int64, float64

    /// `u32`.
    public var name: String {
        switch self {
        case .uint8: "u8"
        case .int8: "i8"
        case .uint16: "u16"
        case .int16: "i16"
        case .uint32: "u32"
        case .int32: "i32"
        case .uint64: "u64"
        case .int64: "i64"
        case .float32: "f32"
        case .float64: "f64"
        case .bool, .string, .array: "\(self)"
        }
    }

    /// Bytes of one value; `nil` if they vary.
    var width: Int? {
        switch self {
        case .uint8, .int8, .bool: 1
        case .uint16, .int16: 2
        case .uint32, .int32, .float32: 4
        case .uint64, .int64, .float64: 8
        case .string, .array: nil
        }
    }
}

/// A value of GGUF metadata, decoded.
public enum GGUFValue: Hashable, Sendable {
    /// Every whole number that fits; those of u64 beyond Int64 are kept as their bits.
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case string(String)
    /// The type and number of its elements: `GGUFMetadata` decodes them by the type that is wanted.
    case array(GGUFValueType, count: Int)

    /// One value of fixed width.
    init?(_ type: GGUFValueType, _ bytes: UnsafeRawBufferPointer, at offset: Int) {
        func word<Word: FixedWidthInteger & BitwiseCopyable>(_: Word.Type) -> Word {
            Word(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Word.self))
        }
        switch type {
        case .uint8: self = .integer(Int(word(UInt8.self)))
        case .int8: self = .integer(Int(word(Int8.self)))
        case .uint16: self = .integer(Int(word(UInt16.self)))
        case .int16: self = .integer(Int(word(Int16.self)))
        case .uint32: self = .integer(Int(word(UInt32.self)))
        case .int32: self = .integer(Int(word(Int32.self)))
        case .uint64: self = .integer(Int(truncatingIfNeeded: word(UInt64.self)))
        case .int64: self = .integer(Int(word(Int64.self)))
        case .float32: self = .number(Double(Float(bitPattern: word(UInt32.self))))
        case .float64: self = .number(Double(bitPattern: word(UInt64.self)))
        case .bool: self = .bool(word(UInt8.self) != 0)
        case .string, .array: return nil
        }
    }
}
