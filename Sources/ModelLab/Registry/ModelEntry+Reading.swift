internal import Glibc
internal import Hashing
internal import Models

extension ModelEntry.File {
    /// Reads the description of a model from its file.
    ///
    /// - Throws: `ModelError` where it cannot be opened or run.
    public init(readingFrom path: String) throws {
        let summary = try Checkpoints.summary(path)
        guard summary.parameters > 0 else {
            throw ModelError(
                path, problem: "the file has a vocabulary but no weights",
                remedy: "Use its path with orrery model tokenize.")
        }
        guard let configuration = summary.configuration else {
            throw ModelError(
                path, problem: summary.problem ?? "the model is not supported",
                remedy: "Run orrery model inspect to see its contents.")
        }
        self.init(
            architecture: configuration.family.name,
            formats: summary.formats.map { $0.name.lowercased() }.joined(separator: ", "),
            parameters: summary.parameters, bytes: summary.weightBytes, contextLength: configuration.contextLength,
            digest: Self.digest(of: path))
    }

    /// Returns FNV-1a of the size and the first and last mebibyte of a file; of a folder, of its names and sizes.
    private static func digest(of path: String) -> UInt64 {
        var hash = FNV1a()
        guard let file = fopen(path, "re") else { return hash.value }
        defer { fclose(file) }
        var status = stat()
        fstat(fileno(file), &status)
        hash.add(UInt64(status.st_size))
        guard status.st_mode & S_IFMT == S_IFREG else { return hash.value }
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        for start in [0, max(0, Int(status.st_size) - chunk.count)] {
            fseek(file, start, SEEK_SET)
            let count = fread(&chunk, 1, chunk.count, file)
            hash.add(chunk[..<count])
        }
        return hash.value
    }
}
