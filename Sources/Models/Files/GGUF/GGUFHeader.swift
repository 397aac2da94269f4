internal import Tensors

/// Reads the header of a GGUF file: magic, version, counts, metadata, tensors, then padding up to the data.
///
/// - Source: the GGUF specification in ggml's documentation, and gguf.cpp of llama.cpp for what is refused.
struct GGUFHeader {
    private var cursor: GGUFCursor
    private(set) var version = 0
    private(set) var alignment = 32
    private(set) var metadata: GGUFMetadata
    private(set) var tensors: [GGUFTensor] = []
    private(set) var index: [String: Int] = [:]
    private(set) var dataStart = 0

    private static let maximumKeyLength = 65_535
    private static let maximumNameLength = 64
    private static let maximumRank = 4

    init(_ file: MappedFile) {
        cursor = GGUFCursor(file)
        metadata = GGUFMetadata(file, [], index: [:])
    }

    mutating func read() throws(ModelError) {
        try readVersion()
        // The smallest tensor: an empty name, no sizes, type, offset. The smallest entry: a key's length, a type, a byte.
        let tensorCount = try cursor.count(of: 24, "the number of tensors")
        let entryCount = try cursor.count(of: 13, "the number of metadata entries")
        try readMetadata(entryCount)
        try readAlignment()
        try readTensors(tensorCount)
        try placeTensors()
    }

    private mutating func readVersion() throws(ModelError) {
        guard cursor.file.bytes.prefix(4).elementsEqual(GGUFFile.magic) else {
            throw cursor.failure("not a GGUF file: the magic number GGUF is missing", remedy: "Use a GGUF file.")
        }
        try cursor.skip(4, "the magic number")
        let start = cursor
        let number = try cursor.number(UInt32.self, "the version")
        if number & 0xFFFF == 0, number != 0 {
            throw start.failure(
                "the file is big-endian",
                remedy: "Convert it to little-endian with gguf-convert-endian from the package gguf.")
        }
        guard number == 2 || number == 3 else {
            let remedy =
                number == 1
                ? "Convert the model again. Version 1 has 32-bit counts and has been obsolete since 2023."
                : "This build reads versions 2 and 3. Check for a newer build."
            throw start.failure("unsupported GGUF version \(number)", remedy: remedy)
        }
        version = Int(number)
    }

    // MARK: Metadata

    private mutating func readMetadata(_ count: Int) throws(ModelError) {
        var entries: [GGUFMetadata.Entry] = []
        var index: [String: Int] = [:]
        for number in 0..<count {
            let start = cursor
            let range = try cursor.text("the key of metadata entry \(number)")
            guard range.count <= Self.maximumKeyLength else {
                throw start.failure("the key of metadata entry \(number) is \(range.count) bytes long")
            }
            let key = cursor.file.text(range)
            guard index.updateValue(number, forKey: key) == nil else {
                throw start.failure("duplicate key \(key)")
            }
            entries.append(try readValue(key))
        }
        metadata = GGUFMetadata(cursor.file, entries, index: index)
    }

    private mutating func readValue(_ key: String) throws(ModelError) -> GGUFMetadata.Entry {
        let type = try readType("the value of \(key)")
        switch type {
        case .string:
            let range = try cursor.text("the value of \(key)")
            return GGUFMetadata.Entry(key: key, type: type, elementType: type, count: 1, range: range)
        case .array:
            return try readArray(key)
        default:
            let start = cursor.position
            try cursor.skip(type.width ?? 0, "the value of \(key)")
            return GGUFMetadata.Entry(
                key: key, type: type, elementType: type, count: 1, range: start..<cursor.position)
        }
    }

    private mutating func readArray(_ key: String) throws(ModelError) -> GGUFMetadata.Entry {
        let before = cursor
        let type = try readType("the elements of \(key)")
        guard type != .array else { throw before.failure("\(key) is an array of arrays, which is not supported") }
        let count = try cursor.count(of: type.width ?? 8, "the number of elements of \(key)")
        let start = cursor.position
        if let width = type.width {
            try cursor.skip(count * width, "the elements of \(key)")
        } else {
            try cursor.skipTexts(count) { "element \($0) of \(key)" }
        }
        return GGUFMetadata.Entry(
            key: key, type: .array, elementType: type, count: count, range: start..<cursor.position)
    }

    private mutating func readType(_ what: @autoclosure () -> String) throws(ModelError) -> GGUFValueType {
        let start = cursor
        let number = try cursor.number(UInt32.self, "the type of \(what())")
        guard let type = GGUFValueType(rawValue: number) else {
            throw start.failure("\(what()) has unknown type \(number); types are 0 to 12")
        }
        return type
    }

    private mutating func readAlignment() throws(ModelError) {
        guard let entry = metadata.entry("general.alignment") else { return }
        guard case .integer(let value)? = metadata["general.alignment"], value > 0, value & (value - 1) == 0,
            value <= 1 << 31
        else {
            throw ModelError(
                cursor.file.path, offset: entry.range.lowerBound,
                problem: "general.alignment must be a power of two", remedy: GGUFCursor.damaged)
        }
        alignment = value
    }

    // MARK: Tensors

    private mutating func readTensors(_ count: Int) throws(ModelError) {
        for number in 0..<count {
            let start = cursor
            let range = try cursor.text("the name of tensor \(number)")
            guard range.count <= Self.maximumNameLength else {
                throw start.failure(
                    "the name of tensor \(number) is \(range.count) bytes long; the limit is \(Self.maximumNameLength)"
                )
            }
            let name = cursor.file.text(range)
            guard index.updateValue(number, forKey: name) == nil else {
                throw start.failure("duplicate tensor \(name)")
            }
            tensors.append(try readTensor(name))
        }
    }

    private mutating func readTensor(_ name: String) throws(ModelError) -> GGUFTensor {
        var start = cursor
        let rank = try cursor.number(UInt32.self, "the rank of \(name)")
        guard rank <= Self.maximumRank else {
            throw start.failure("\(name) has \(rank) axes; the limit is \(Self.maximumRank)")
        }
        var sizes: [Int] = []
        var count = 1
        for _ in 0..<rank {
            start = cursor
            let size = try cursor.number(UInt64.self, "the sizes of \(name)")
            // A zero must not hide the overflow of the other sizes.
            let (product, overflow) = count.multipliedReportingOverflow(by: max(1, Int(clamping: size)))
            guard size <= UInt64(Int.max), !overflow else {
                throw start.failure("\(name) has an axis of size \(size), which is too large")
            }
            count = product
            sizes.append(Int(size))
        }
        start = cursor
        let id = try cursor.number(UInt32.self, "the type of \(name)")
        guard let type = GGMLType(id: id) else {
            throw GGMLType.wasRemoved(id)
                ? start.failure(
                    "\(name) has type \(id), which was removed from the format",
                    remedy: "Quantize the model again from its original weights.")
                : start.failure(
                    "\(name) has unknown type \(id)", remedy: "Quantize the model to a supported type.")
        }
        let columns = sizes.first ?? 1
        guard columns % type.blockSize == 0 else {
            throw start.failure(
                "rows of \(name) have \(columns) elements, but \(type.name) needs a multiple of \(type.blockSize)")
        }
        let elements = sizes.contains(0) ? 0 : count
        let (bytes, overflow) = (elements / type.blockSize).multipliedReportingOverflow(by: type.bytesPerBlock)
        guard !overflow else { throw start.failure("\(name) is too large") }
        start = cursor
        let offset = try cursor.number(UInt64.self, "the offset of \(name)")
        guard offset < 1 << 62, offset % UInt64(alignment) == 0 else {
            throw start.failure("offset \(offset) of \(name) is not a multiple of the alignment \(alignment)")
        }
        return GGUFTensor(name: name, type: type, shape: sizes.reversed(), offset: Int(offset), byteCount: bytes)
    }

    /// Offsets from the start of the file, inside it, and none over another.
    private mutating func placeTensors() throws(ModelError) {
        dataStart = (cursor.position + alignment - 1) / alignment * alignment
        for index in tensors.indices {
            let (start, first) = tensors[index].offset.addingReportingOverflow(dataStart)
            let (end, second) = start.addingReportingOverflow(tensors[index].byteCount)
            guard !first, !second, end <= cursor.file.count else {
                throw ModelError(
                    cursor.file.path, offset: cursor.file.count,
                    problem: "the file ends before \(tensors[index].name), "
                        + (first || second ? "whose offset is too large" : "which ends at byte \(end)"),
                    remedy: "The file is truncated. Copy or download it again.")
            }
            tensors[index].offset = start
        }
        var last: GGUFTensor?
        for tensor in tensors.sorted(by: { ($0.offset, $0.byteCount) < ($1.offset, $1.byteCount) }) {
            if let last, tensor.offset < last.offset + last.byteCount {
                throw ModelError(
                    cursor.file.path, offset: tensor.offset, problem: "\(tensor.name) overlaps \(last.name)",
                    remedy: GGUFCursor.damaged)
            }
            last = tensor
        }
    }
}
