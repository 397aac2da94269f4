internal import Bytes
internal import JSON

/// A safetensors file: tensors by name, mapped.
struct SafetensorsArchive: TensorArchive {
    let format = TensorFile.Format.safetensors
    let metadata: [String: String]
    let names: [String]
    private let file: MappedFile
    private let tensors: [String: StoredTensor]

    init(_ file: MappedFile) throws(TensorFileError) {
        let header = try SafetensorsHeader(file)
        self.file = file
        metadata = header.metadata
        names = header.tensors.map(\.name)
        tensors = Dictionary(zip(names, header.tensors)) { first, _ in first }
    }

    func stored(_ name: String) throws(TensorFileError) -> StoredTensor {
        guard let stored = tensors[name] else {
            throw TensorFileError(file: file.path, problem: .noTensor(named: name, known: names))
        }
        return stored
    }

    func tensor(_ name: String) throws(TensorFileError) -> AnyTensor { try file.tensor(try stored(name)) }

    /// Writes the file that the reference implementation writes: wide kinds first, so that all data are aligned, names
    /// in the order of their bytes, the header padded with spaces to a multiple of eight.
    static func write(
        _ tensors: [(name: String, tensor: AnyTensor)], metadata: [String: String], to path: String
    ) throws(TensorFileError) {
        guard !tensors.contains(where: { $0.name == SafetensorsHeader.metadataKey }) else {
            throw TensorFileError(
                file: path,
                problem: .unwritable(
                    "the tensor name \(SafetensorsHeader.metadataKey) is reserved by the format"))
        }
        let sorted = tensors.sorted { a, b in
            let (first, second) = (order(a.tensor), order(b.tensor))
            return first != second ? first > second : a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
        }
        let header = header(sorted, metadata)
        guard header.count <= SafetensorsHeader.maximumLength else {
            throw TensorFileError(
                file: path,
                problem: .unwritable("the header would be \(header.count) bytes long, more than the format allows"))
        }
        let file = try AtomicFile(path)
        var length = ByteWriter()
        length.write(UInt64(header.count))
        try file.write(length.bytes)
        try file.write(header)
        for (_, tensor) in sorted {
            try tensor.withBytes(for: path) { (bytes) throws(TensorFileError) in try file.write(bytes) }
        }
        try file.commit()
    }

    private static func order(_ tensor: AnyTensor) -> Int { SafetensorsHeader.spelling(tensor.dataType).order }

    private static func header(
        _ tensors: [(name: String, tensor: AnyTensor)], _ metadata: [String: String]
    ) -> [UInt8] {
        var json = JSONWriter()
        var offset = 0
        json.object { json in
            if !metadata.isEmpty { json.member(SafetensorsHeader.metadataKey, metadata) }
            for (name, tensor) in tensors {
                let end = offset + tensor.byteCount
                json.member(name) { json in
                    json.object { json in
                        json.member("dtype", SafetensorsHeader.spelling(tensor.dataType).0)
                        json.member("shape", tensor.shape)
                        json.member("data_offsets", [offset, end])
                    }
                }
                offset = end
            }
        }
        let padding = (8 - json.bytes.count % 8) % 8
        return json.bytes + [UInt8](repeating: UInt8(ascii: " "), count: padding)
    }
}
