internal import Bytes

/// The head of an .npy array: magic, version, and a Python dictionary with kind, order and shape.
///
/// Layout (numpy.lib.format): `\x93NUMPY`, major, minor, the header's length (two bytes in version 1, four in 2 and
/// 3, little-endian), the header, padded with spaces to a multiple of 64 bytes and ended by a line feed; then the data.
struct NPYHeader {
    var spelling: String
    var element: StoredElement?
    var isBigEndian: Bool
    var isColumnMajor: Bool
    var shape: [Int]
    /// Bytes before the data.
    var length: Int

    static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
    /// A header of 64 axes takes 1,400 bytes; NumPy refuses more than 10,000.
    static let maximumLength = 10_000

    /// Bytes that must be there to know the length, and the length of the header with them.
    static let fixedLength = 12

    /// How many bytes the head takes, from its first `fixedLength` bytes.
    static func length(
        _ bytes: UnsafeRawBufferPointer, file: String, offset: Int
    ) throws(TensorFileError) -> Int {
        guard bytes.count >= fixedLength, bytes.prefix(magic.count).elementsEqual(magic) else {
            throw TensorFileError(file: file, offset: offset, problem: .header("no .npy array starts here"))
        }
        let major = bytes[6]
        guard (1...3).contains(major), bytes[7] == 0 else {
            throw TensorFileError(
                file: file, offset: offset + 6,
                problem: .header("unsupported .npy version \(major).\(bytes[7]) (1.0, 2.0, and 3.0 are supported)"))
        }
        let prefix = major == 1 ? 10 : 12
        let text =
            major == 1 ? Int(bytes.littleEndian(8, as: UInt16.self)) : Int(bytes.littleEndian(8, as: UInt32.self))
        guard text <= maximumLength else {
            throw TensorFileError(
                file: file, offset: offset + 8,
                problem: .limit("the header is \(text) bytes long; at most \(maximumLength) are allowed"))
        }
        return prefix + text
    }

    /// Parses a whole head: `length` bytes.
    init(_ bytes: UnsafeRawBufferPointer, file: String, offset: Int) throws(TensorFileError) {
        let prefix = bytes[6] == 1 ? 10 : 12
        do {
            let text = UnsafeRawBufferPointer(rebasing: bytes[prefix...])
            (spelling, isColumnMajor, shape) = try PythonLiteral.header(text)
        } catch {
            throw TensorFileError(
                file: file, offset: offset + prefix + error.offset, problem: .header(error.problem))
        }
        (element, isBigEndian) = Self.element(spelling)
        length = bytes.count
    }

    /// `<f4` is float32, little-endian. ml_dtypes' bfloat16 reaches NumPy's writer as two bytes of unknown meaning,
    /// `<V2`, which no other kind of ours is.
    static func element(_ spelling: String) -> (StoredElement?, isBigEndian: Bool) {
        var kind = Substring(spelling)
        let order = kind.first
        if let order, "<>|=".contains(order) { kind.removeFirst() }
        let element: StoredElement? =
            switch kind {
            case "f8": .float64
            case "f4": .float32
            case "f2": .float16
            case "V2", "bfloat16": .bfloat16
            case "i8": .int64
            case "i4": .int32
            case "i2": .int16
            case "i1": .int8
            case "u8": .uint64
            case "u4": .uint32
            case "u2": .uint16
            case "u1": .uint8
            case "b1": .bool
            default: nil
            }
        return (element, order == ">")
    }

    /// The place of the data: `offset` is where the head begins.
    func tensor(named name: String, file: String, offset: Int) throws(TensorFileError) -> StoredTensor {
        guard let count = StoredTensor.elements(shape),
            case (let bytes, let overflow) = count.multipliedReportingOverflow(by: element?.width ?? 1), !overflow,
            bytes < 1 << 56
        else {
            throw TensorFileError(file: file, offset: offset, problem: .limit("the shape is too large for memory"))
        }
        return StoredTensor(
            name: name, spelling: spelling, element: element, isBigEndian: isBigEndian, isColumnMajor: isColumnMajor,
            shape: shape, offset: offset + length, byteCount: bytes)
    }
}

extension NPYHeader {
    /// The head that numpy.save writes for a contiguous array of C order, byte by byte.
    ///
    /// NumPy leaves room for the first size to grow to 21 digits, then pads to 64 bytes; it takes the oldest version
    /// that is long enough, which is 1.0 for any shape of up to 64 axes.
    static func bytes(_ element: StoredElement, shape: [Int]) -> [UInt8] {
        let tuple = shape.count == 1 ? "(\(shape[0]),)" : "(" + shape.map(String.init).joined(separator: ", ") + ")"
        var text = "{'descr': '\(spelling(element))', 'fortran_order': False, 'shape': \(tuple), }"
        if let first = shape.first { text += String(repeating: " ", count: max(0, 21 - String(first).utf8.count)) }
        let unpadded = 10 + text.utf8.count + 1
        text += String(repeating: " ", count: 64 - unpadded % 64) + "\n"
        let length = text.utf8.count
        return magic + [1, 0, UInt8(length & 255), UInt8(length >> 8)] + Array(text.utf8)
    }

    private static func spelling(_ element: StoredElement) -> String {
        switch element {
        case .float64: "<f8"
        case .float32: "<f4"
        case .float16: "<f2"
        case .bfloat16: "<V2"
        case .int64: "<i8"
        case .int32: "<i4"
        case .int16: "<i2"
        case .int8: "|i1"
        case .uint64: "<u8"
        case .uint32: "<u4"
        case .uint16: "<u2"
        case .uint8: "|u1"
        case .bool: "|b1"
        }
    }
}
