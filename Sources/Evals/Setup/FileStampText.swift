internal import Glibc

/// A stamp that distinguishes versions of a file without reading it.
enum FileStampText {
    /// Maximum number of files of a folder to include, by name.
    private static let most = 256

    /// Returns size and modification time of a file, or of the files in a folder; `nil` if the path does not exist.
    static func of(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let own = stamp(status)
        guard status.st_mode & S_IFMT == S_IFDIR, let folder = opendir(path) else { return own }
        defer { closedir(folder) }
        // The time of a folder does not change with the contents of its files.
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        let files = names.sorted().prefix(most).compactMap { name -> String? in
            var status = stat()
            return stat("\(path)/\(name)", &status) == 0 ? "\(name) \(stamp(status))" : nil
        }
        return ([own] + files).joined(separator: " ")
    }

    private static func stamp(_ status: stat) -> String {
        "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
