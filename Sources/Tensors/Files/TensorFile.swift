/// A file of named tensors: .npy, .npz or safetensors, whichever it turns out to be.
///
/// ```swift
/// let file = try TensorFile.open("model.safetensors")
/// for name in file.names { print(name, try file.entry(name).shape) }
/// let embedding = try file.tensor(named: "wte.weight", as: Float.self)      // [vocabulary, width]
/// ```
/// Opening reads the header only. Tensors of .npy and safetensors share the memory of the mapped file, so that a file
/// larger than memory can be open; they are copied only where their bytes are not what a tensor is made of: big-endian
/// or misaligned data, kinds that are read as another, and all of .npz, whose checksums are checked. Files that are
/// shortened while their tensors are in use are not protected: see `MappedFile`.
public final class TensorFile: Sendable {
    public enum Format: String, CaseIterable, Sendable {
        case npy, npz, safetensors
    }

    /// What the header says about one tensor.
    public struct Entry: Hashable, Sendable {
        public var name: String
        /// The kind of its elements in the file's own spelling: `<f4`, `BF16`.
        public var spelling: String
        /// What it is read as; nil for a kind that is listed but not read.
        public var dataType: DataType?
        public var shape: [Int]
        /// Bytes of its data, unpacked.
        public var byteCount: Int
    }

    /// The path as it was given.
    public let path: String
    private let archive: any TensorArchive

    private init(_ path: String, _ archive: any TensorArchive) {
        self.path = path
        self.archive = archive
    }

    /// Opens a file and reads its header; the format is detected from the first bytes, not from the name.
    ///
    /// - Throws: `TensorFileError` with the file, the byte and the remedy.
    public static func open(_ path: String) throws(TensorFileError) -> TensorFile {
        try open(try MappedFile(path))
    }

    package static func open(_ file: MappedFile) throws(TensorFileError) -> TensorFile {
        switch try Format(sniffing: file) {
        case .npy: TensorFile(file.path, try NPYArchive(file))
        case .npz: TensorFile(file.path, try NPZArchive(file))
        case .safetensors: TensorFile(file.path, try SafetensorsArchive(file))
        }
    }

    public var format: Format { archive.format }

    /// The tensors' names in the order of the file. A .npy tensor is named after its file, without the suffix.
    public var names: [String] { archive.names }

    /// Texts that a safetensors file keeps next to its tensors; empty for the other formats.
    public var metadata: [String: String] { archive.metadata }

    /// What the header says about a tensor.
    public func entry(_ name: String) throws(TensorFileError) -> Entry {
        let stored = try archive.stored(name)
        return Entry(
            name: name, spelling: stored.spelling, dataType: stored.element.map(\.dataType), shape: stored.shape,
            byteCount: stored.byteCount)
    }

    /// The shape of a tensor.
    public func shape(of name: String) throws(TensorFileError) -> [Int] { try archive.stored(name).shape }

    /// A tensor of whatever kind the file holds.
    ///
    /// Integers of other widths and signs than int8 and int32 are read as int32 where every value fits.
    public func tensor(named name: String) throws(TensorFileError) -> AnyTensor { try archive.tensor(name) }

    /// A tensor whose kind is known.
    ///
    /// - Throws: `TensorFileError.Problem.otherType` where the file holds another kind: nothing is converted unasked.
    public func tensor<Scalar: TensorScalar>(
        named name: String, as type: Scalar.Type
    ) throws(TensorFileError) -> Tensor<Scalar> {
        let tensor = try tensor(named: name)
        guard let wanted = tensor.as(type) else {
            throw TensorFileError(
                file: path,
                problem: .otherType(
                    name: name, holds: tensor.dataType.rawValue, asked: Scalar.dataType.rawValue))
        }
        return wanted
    }

    /// The tensor of a file that holds one.
    public func onlyTensor() throws(TensorFileError) -> AnyTensor {
        guard let name = names.first, names.count == 1 else {
            throw TensorFileError(file: path, problem: .notOneTensor(count: names.count))
        }
        return try tensor(named: name)
    }
}

extension TensorFile.Format {
    /// The format by the first bytes.
    init(sniffing file: MappedFile) throws(TensorFileError) {
        let bytes = file.bytes
        func begins(_ magic: [UInt8]) -> Bool { bytes.prefix(magic.count).elementsEqual(magic) }
        if begins(NPYHeader.magic) {
            self = .npy
        } else if begins([0x50, 0x4B, 3, 4]) || begins([0x50, 0x4B, 5, 6]) {
            self = .npz
        } else if bytes.count >= 9, bytes[8] == UInt8(ascii: "{") {
            self = .safetensors
        } else {
            throw TensorFileError(file: file.path, offset: 0, problem: .unknownFormat)
        }
    }

    /// The format by the suffix of a name that is to be written.
    init(suffixOf path: String) throws(TensorFileError) {
        guard let format = Self.allCases.first(where: { path.hasSuffix(".\($0.rawValue)") }) else {
            throw TensorFileError(file: path, problem: .unknownSuffix)
        }
        self = format
    }
}

extension StoredElement {
    /// What it is read as.
    var dataType: DataType {
        switch self {
        case .float64: .float64
        case .float32: .float32
        case .float16: .float16
        case .bfloat16: .bfloat16
        case .int8: .int8
        case .bool: .bool
        case .int32, .int64, .int16, .uint64, .uint32, .uint16, .uint8: .int32
        }
    }

    /// What a tensor's elements are in a file that we write.
    init(_ type: DataType) {
        self =
            switch type {
            case .float64: .float64
            case .float32: .float32
            case .float16: .float16
            case .bfloat16: .bfloat16
            case .int8: .int8
            case .int32: .int32
            case .bool: .bool
            }
    }
}
