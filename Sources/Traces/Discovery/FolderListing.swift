import Glibc

/// Listings of folders, read from the system directly.
package enum FolderListing {
    /// A name in a folder.
    package struct Entry: Hashable, Sendable {
        package var name: String
        package var isFolder: Bool
    }

    /// The names in a folder, sorted; none if it cannot be read. Links are followed to files, not to folders, so that
    /// a walk always ends.
    package static func entries(of folder: String) -> [Entry] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            let type = Int32(entry.pointee.d_type)
            var isFolder = type == Int32(DT_DIR)
            if type == Int32(DT_UNKNOWN) {
                var status = stat()
                isFolder = lstat(folder + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            }
            entries.append(Entry(name: name, isFolder: isFolder))
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// Size and time of change of a file, following links; `nil` if there is none.
    package static func facts(of path: String) -> (size: Int, modified: Int64)? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Int(status.st_size), Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }

    /// The first bytes of a file; none if it cannot be read.
    package static func head(of path: String, _ count: Int) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return [] }
        defer { close(file) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = max(0, read(file, buffer.baseAddress, count))
        }
    }
}
