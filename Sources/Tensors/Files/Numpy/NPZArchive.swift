package import Bytes

/// A file that numpy.savez or numpy.savez_compressed wrote: a zip of .npy files.
///
/// Members that are not arrays are passed over. Their headers are read when they are asked for.
struct NPZArchive: TensorArchive {
    let format = TensorFile.Format.npz
    let metadata: [String: String] = [:]
    let names: [String]
    private let file: MappedFile
    private let entries: [String: ZipEntry]

    private static let suffix = ".npy"

    init(_ file: MappedFile) throws(TensorFileError) {
        self.file = file
        let arrays = try ZipDirectory(file, rules: .strict).entries.filter { $0.name.hasSuffix(Self.suffix) }
        names = arrays.map { String($0.name.dropLast(Self.suffix.count)) }
        entries = Dictionary(zip(names, arrays)) { first, _ in first }
    }

    private func entry(_ name: String) throws(TensorFileError) -> ZipEntry {
        guard let entry = entries[name] else {
            throw TensorFileError(file: file.path, problem: .noTensor(named: name, known: names))
        }
        return entry
    }

    /// A member with its header behind it; offsets are those of the unpacked member.
    private func begin(_ name: String) throws(TensorFileError) -> (ZipMember<MappedFile>, StoredTensor) {
        let entry = try entry(name)
        try file.checkSize()
        let member = try ZipMember(entry, in: file)
        var head = [UInt8](repeating: 0, count: NPYHeader.fixedLength)
        try head.withMutableRawBytes { (bytes) throws(TensorFileError) in try member.read(bytes) }
        let length = try head.withRawBytes { (bytes) throws(TensorFileError) in
            try NPYHeader.length(bytes, file: file.path, offset: member.start)
        }
        head += [UInt8](repeating: 0, count: max(0, length - head.count))
        try head.withMutableRawBytes { (bytes) throws(TensorFileError) in
            try member.read(UnsafeMutableRawBufferPointer(rebasing: bytes[NPYHeader.fixedLength...]))
        }
        let header = try head.withRawBytes { (bytes) throws(TensorFileError) in
            try NPYHeader(bytes, file: file.path, offset: member.start)
        }
        let stored = try header.tensor(named: name, file: file.path, offset: member.start)
        // Before memory is asked for: a member cannot hold an array that is larger than itself.
        guard stored.byteCount <= member.remaining else {
            throw TensorFileError(
                file: file.path, offset: member.start,
                problem: .damaged("\(name) has \(member.remaining) bytes of data, not \(stored.byteCount)"))
        }
        return (member, stored)
    }

    func stored(_ name: String) throws(TensorFileError) -> StoredTensor { try begin(name).1 }

    func tensor(_ name: String) throws(TensorFileError) -> AnyTensor {
        let (member, stored) = try begin(name)
        let decoder = ElementDecoder(stored: stored, file: file.path)
        let tensor = try decoder.copied { (buffer) throws(TensorFileError) in try member.read(buffer) }
        try member.finish()
        return tensor
    }

    static func write(
        _ tensors: [(name: String, tensor: AnyTensor)], compressing: Bool, to path: String
    ) throws(TensorFileError) {
        let file = try AtomicFile(path)
        var archive = ZipWriter(file, path: path)
        for (name, tensor) in tensors {
            try archive.begin(name + suffix, method: compressing ? .deflated : .stored)
            try NPYArchive.write(tensor, to: path) { (bytes) throws(TensorFileError) in try archive.write(bytes) }
            try archive.endMember()
        }
        try archive.finish()
        try file.commit()
    }
}

extension MappedFile: ZipSource {
    package func withBytes<R>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(TensorFileError) -> R
    ) throws(TensorFileError) -> R {
        try body(try slice(range.lowerBound, range.count, what: "the zip"))
    }

    package func failure(_ problem: ZipProblem) -> TensorFileError {
        let kind: TensorFileError.Problem =
            switch problem.kind {
            case .header: .header(problem.sentence)
            case .unsupported: .packing(problem.sentence)
            case .limit: .limit(problem.sentence)
            case .noEnd, .damaged: .damaged(problem.sentence)
            case .memory: .memory(bytes: 65_536)
            }
        return TensorFileError(file: path, offset: problem.offset, problem: kind)
    }
}
