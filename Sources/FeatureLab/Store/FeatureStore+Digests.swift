internal import Glibc
internal import Hashing
internal import Interpretability
internal import System

extension FeatureStore {
    /// Tells a file from another one: FNV-1a of its size, first and last mebibyte, as 16 digits of base 16.
    public static func digest(ofFile path: String) throws -> String {
        guard let file = fopen(path, "re") else {
            throw Problem(
                .failed, path, "cannot read the file: \(String(cString: strerror(errno)))", remedy: "Check the path.")
        }
        defer { fclose(file) }
        var status = stat()
        guard fstat(fileno(file), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Problem(.invalid, path, "not a file", remedy: "Use the file with the weights.")
        }
        var hash = FNV1a()
        let size = Int(status.st_size)
        hash.add(UInt64(size))
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        for start in [0, max(0, size - chunk.count)] {
            fseek(file, start, SEEK_SET)
            let count = fread(&chunk, 1, chunk.count, file)
            hash.add(chunk[..<count])
        }
        return FNV1a.hexadecimal(hash.value)
    }

    /// Returns the digest of the file with a dictionary's weights; `nil` if there is no such file.
    ///
    /// - Parameter path: That file, another one of its folder, or the folder: of sae-lens or Gemma Scope.
    public static func digest(ofWeights path: String) -> String? {
        let names = ["sae_weights.safetensors", "params.npz", "params.safetensors"]
        let isConfiguration = path == "cfg.json" || path.hasSuffix("/cfg.json")
        let folder = isConfiguration ? String(path.dropLast("cfg.json".count)) + "." : path
        let candidates = names.map { folder + "/" + $0 } + (isConfiguration ? [] : [path])
        return candidates.lazy.compactMap { try? digest(ofFile: $0) }.first
    }
}
