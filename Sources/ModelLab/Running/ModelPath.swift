internal import Glibc

/// Paths of models.
package enum ModelPath {
    /// Returns the absolute path with links resolved; the path unchanged if nothing exists there.
    package static func absolute(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns the file name without its extension: `stories260K` for `/models/stories260K.gguf`.
    package static func name(of path: String) -> String {
        var trimmed = Substring(path)
        while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
        let name = trimmed.split(separator: "/").last.map(String.init) ?? path
        for ending in [".gguf", ".safetensors", ".bin", ".jsonl"]
        where name.hasSuffix(ending) && name.count > ending.count {
            return String(name.dropLast(ending.count))
        }
        return name
    }
}
