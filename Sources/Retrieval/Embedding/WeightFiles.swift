internal import Glibc
internal import System
internal import Traces

/// Files with weights or vectors, and digests that distinguish them without reading all bytes.
enum WeightFiles {
    /// Returns the files of a folder that hold weights, by name.
    static func names(in folder: String) -> [String] {
        Folder.readableNames(in: folder)
            .filter { $0.hasSuffix(".safetensors") || $0.hasSuffix(".gguf") }
            .map { folder + "/" + $0 }
    }

    /// Returns the digest of the size, the first and last mebibyte, and sixteen pages between them.
    static func sampledDigest(of path: String) throws(Problem) -> String {
        guard let file = fopen(path, "re") else {
            throw Problem(.failed, path, "cannot be opened (\(String(cString: strerror(errno))))")
        }
        defer { fclose(file) }
        var status = stat()
        guard fstat(fileno(file), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Problem(.invalid, path, "not a regular file")
        }
        let size = Int(status.st_size)
        let mebibyte = 1 << 20
        var pieces = [(0, mebibyte), (max(0, size - mebibyte), mebibyte)]
        for sample in 1...16 { pieces.append((size / 17 * sample, 4096)) }
        var one = Digest(seed: 1)
        var other = Digest(seed: 2)
        var buffer = [UInt8](repeating: 0, count: mebibyte)
        one.add(UInt64(size))
        for (offset, length) in pieces {
            guard fseek(file, offset, SEEK_SET) == 0 else { continue }
            let count = fread(&buffer, 1, length, file)
            buffer.withUnsafeBufferPointer { bytes in
                let read = UnsafeBufferPointer(rebasing: bytes[..<count])
                one.add(read)
                other.add(read)
            }
        }
        return ContentDigest(high: one.value, low: other.value).text
    }
}
