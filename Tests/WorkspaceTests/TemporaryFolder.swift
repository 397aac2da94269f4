import Glibc

/// A folder for the files of one test, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/orrery-workspace-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            guard let made = mkdtemp(buffer.baseAddress!) else { return "/nowhere" }
            return String(cString: made)
        }
    }

    deinit { Self.removeAll(path) }

    /// A file in the folder, which need not exist.
    func file(_ name: String) -> String { path + "/" + name }

    /// The names in the folder, sorted.
    var names: [String] { Self.names(in: path) }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func removeAll(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) { removeAll(path + "/" + name) }
        rmdir(path)
    }
}

/// The bytes of a file; empty where there is none.
func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
}

/// Writes a whole file.
func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

/// Writes `bytes` over those of a file from `offset` on.
func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) {
    guard let file = fopen(path, "r+") else { return }
    fseek(file, offset, SEEK_SET)
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

/// The permission bits of a file.
func permissions(of path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}
