internal import Bytes

/// A file that numpy.save wrote: one array, mapped.
struct NPYArchive: TensorArchive {
    let format = TensorFile.Format.npy
    let metadata: [String: String] = [:]
    private let file: MappedFile
    private let stored: StoredTensor

    init(_ file: MappedFile) throws(TensorFileError) {
        let start = try file.slice(0, NPYHeader.fixedLength, what: "the header")
        let length = try NPYHeader.length(start, file: file.path, offset: 0)
        let head = try file.slice(0, length, what: "the header")
        let header = try NPYHeader(head, file: file.path, offset: 0)
        stored = try header.tensor(named: Self.name(file.path), file: file.path, offset: 0)
        // What follows the data is not an error: arrays may be saved one after the other, and NumPy reads the first.
        _ = try file.slice(stored.offset, stored.byteCount, what: "the data")
        self.file = file
    }

    /// `weights` of `/models/weights.npy`.
    private static func name(_ path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return last.hasSuffix(".npy") ? String(last.dropLast(4)) : last
    }

    var names: [String] { [stored.name] }

    func stored(_ name: String) throws(TensorFileError) -> StoredTensor {
        guard name == stored.name else {
            throw TensorFileError(file: file.path, problem: .noTensor(named: name, known: names))
        }
        return stored
    }

    func tensor(_ name: String) throws(TensorFileError) -> AnyTensor {
        try file.tensor(try stored(name))
    }

    /// Hands the bytes of an .npy file to `write`, piece by piece.
    static func write(
        _ tensor: AnyTensor, to path: String, _ write: (UnsafeRawBufferPointer) throws(TensorFileError) -> Void
    ) throws(TensorFileError) {
        let header = NPYHeader.bytes(StoredElement(tensor.dataType), shape: tensor.shape)
        try header.withRawBytes { (bytes) throws(TensorFileError) in try write(bytes) }
        try tensor.withBytes(for: path, write)
    }
}

extension MappedFile {
    /// A tensor whose data are in this file as they are.
    func tensor(_ stored: StoredTensor) throws(TensorFileError) -> AnyTensor {
        try checkSize()
        let decoder = ElementDecoder(stored: stored, file: path)
        if let mapped = try decoder.mapped(self) { return mapped }
        var position = stored.offset
        return try decoder.copied { (buffer) throws(TensorFileError) in
            if let target = buffer.baseAddress, buffer.count > 0 {
                let source = try slice(position, buffer.count, what: stored.name)
                target.copyMemory(from: source.baseAddress!, byteCount: buffer.count)
            }
            position += buffer.count
        }
    }
}
