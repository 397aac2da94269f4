internal import Bytes
internal import JSON

/// The head of a safetensors file: eight bytes of length, then JSON that says where each tensor lies.
///
/// ```
/// {"__metadata__": {"format": "pt"}, "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
/// ```
/// It holds to the rules of the reference implementation: at most 100 MB, an object from the first byte, data without
/// holes and without overlaps from the end of the header to the end of the file, as many bytes a tensor as its shape
/// takes. A name that appears twice is refused as well.
struct SafetensorsHeader {
    var metadata: [String: String] = [:]
    /// In the order of their data.
    var tensors: [StoredTensor] = []

    static let maximumLength = 100_000_000
    static let metadataKey = "__metadata__"

    init(_ file: MappedFile) throws(TensorFileError) {
        let length = try Self.length(file)
        let text = try file.slice(8, length, what: "the header")
        let parser = JSONParser(maximumDepth: 4)
        let root: JSONNode
        do {
            root = try parser.parse(text.bindMemory(to: UInt8.self))
        } catch {
            throw TensorFileError(
                file: file.path, offset: 8 + error.offset,
                problem: .header("the header is not valid JSON: \(Self.clause(error.problem.sentence))"))
        }
        guard root.kind == .object else {
            throw TensorFileError(file: file.path, offset: 8, problem: .header("the header is not a JSON object"))
        }
        var names: Set<String> = []
        tensors.reserveCapacity(root.count)
        for (key, value) in root.members {
            let name = key.string ?? ""
            guard names.insert(name).inserted else {
                throw Self.failure(file, key, "duplicate header entry \(name)")
            }
            if name == Self.metadataKey {
                metadata = try Self.metadata(value, file)
            } else {
                tensors.append(try Self.tensor(named: name, value, file, dataStart: 8 + length))
            }
        }
        withExtendedLifetime(parser) {}
        tensors.sort { ($0.offset, $0.byteCount) < ($1.offset, $1.byteCount) }
        try Self.checkCoverage(tensors, file, dataStart: 8 + length)
    }

    /// The length of the JSON text, checked against the file before anything is read.
    static func length(_ file: MappedFile) throws(TensorFileError) -> Int {
        let field = try file.slice(0, 8, what: "the length of the header")
        let length = field.littleEndian(0, as: UInt64.self)
        guard length <= UInt64(maximumLength) else {
            throw TensorFileError(
                file: file.path, offset: 0,
                problem: .limit("the header is \(length) bytes long; at most \(maximumLength) are allowed"))
        }
        return Int(length)
    }

    private static func clause(_ sentence: String) -> String { String(sentence.prefix { $0 != "." }) }

    private static func failure(_ file: MappedFile, _ node: JSONNode, _ problem: String) -> TensorFileError {
        TensorFileError(file: file.path, offset: 8 + node.byteRange.lowerBound, problem: .header(problem))
    }

    private static func metadata(_ node: JSONNode, _ file: MappedFile) throws(TensorFileError) -> [String: String] {
        if node.isNull { return [:] }
        guard node.kind == .object else { throw failure(file, node, "\(metadataKey) must be an object of strings") }
        var metadata: [String: String] = [:]
        for (key, value) in node.members {
            guard let name = key.string, let text = value.string else {
                throw failure(file, value, "\(metadataKey) has a value that is not a string")
            }
            metadata[name] = text
        }
        return metadata
    }

    private static func tensor(
        named name: String, _ node: JSONNode, _ file: MappedFile, dataStart: Int
    ) throws(TensorFileError) -> StoredTensor {
        guard let spelling = node["dtype"]?.string else { throw failure(file, node, "\(name) has no dtype") }
        guard let sizes = node["shape"], sizes.kind == .array, sizes.count <= PythonLiteral.maximumRank else {
            throw failure(file, node, "\(name) has no shape, or a shape with too many axes")
        }
        var shape: [Int] = []
        for size in sizes.elements {
            guard let value = size.int, value >= 0 else { throw failure(file, size, "\(name) has an invalid size") }
            shape.append(Int(value))
        }
        guard let offsets = node["data_offsets"], offsets.count == 2,
            let start = offsets.element(at: 0)?.int, let end = offsets.element(at: 1)?.int,
            start >= 0, end >= start, end < 1 << 56
        else { throw failure(file, node, "\(name) has no pair of ascending data_offsets") }
        let byteCount = Int(end - start)
        if let bits = bits(spelling) {
            guard let count = StoredTensor.elements(shape),
                case (let total, let overflow) = count.multipliedReportingOverflow(by: bits), !overflow,
                total % 8 == 0, total / 8 == byteCount
            else {
                throw failure(
                    file, node, "\(name) has \(byteCount) bytes of data, which does not match \(spelling) \(shape)")
            }
        }
        return StoredTensor(
            name: name, spelling: spelling, element: element(spelling), shape: shape, offset: dataStart + Int(start),
            byteCount: byteCount)
    }

    /// Every byte after the header belongs to exactly one tensor.
    private static func checkCoverage(
        _ tensors: [StoredTensor], _ file: MappedFile, dataStart: Int
    ) throws(TensorFileError) {
        var end = dataStart
        for tensor in tensors {
            guard tensor.offset == end else {
                let fault = tensor.offset < end ? "overlaps the data before it" : "leaves a gap before its data"
                throw TensorFileError(
                    file: file.path, offset: min(tensor.offset, file.count), problem: .header("\(tensor.name) \(fault)")
                )
            }
            end += tensor.byteCount
            guard end <= file.count else {
                throw TensorFileError(
                    file: file.path, offset: file.count, problem: .truncated(what: tensor.name, needed: end))
            }
        }
        guard end == file.count else {
            throw TensorFileError(
                file: file.path, offset: end,
                problem: .header("the last \(file.count - end) bytes of the file do not belong to any tensor"))
        }
    }
}

extension SafetensorsHeader {
    /// The kinds that tensors hold, or that are read as int32.
    static func element(_ spelling: String) -> StoredElement? {
        switch spelling {
        case "F64": .float64
        case "F32": .float32
        case "F16": .float16
        case "BF16": .bfloat16
        case "I64": .int64
        case "I32": .int32
        case "I16": .int16
        case "I8": .int8
        case "U64": .uint64
        case "U32": .uint32
        case "U16": .uint16
        case "U8": .uint8
        case "BOOL": .bool
        default: nil
        }
    }

    /// Bits of one element of every kind that the format knows; nil for one that came after.
    static func bits(_ spelling: String) -> Int? {
        if let element = element(spelling) { return 8 * element.width }
        return switch spelling {
        case "F4": 4
        case "F6_E2M3", "F6_E3M2": 6
        case "F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ": 8
        case "C64": 64
        default: nil
        }
    }

    /// How a tensor's kind is spelled, and where the reference implementation sorts it: larger numbers first.
    static func spelling(_ type: DataType) -> (String, order: Int) {
        switch type {
        case .bool: ("BOOL", 0)
        case .int8: ("I8", 1)
        case .float16: ("F16", 2)
        case .bfloat16: ("BF16", 3)
        case .int32: ("I32", 4)
        case .float32: ("F32", 5)
        case .float64: ("F64", 6)
        }
    }
}
