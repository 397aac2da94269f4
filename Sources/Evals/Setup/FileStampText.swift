internal import Glibc
internal import System

/// A stamp that distinguishes versions of a file without reading it.
enum FileStampText {
    /// Maximum number of files of a folder to include, by name.
    private static let most = 256

    /// Returns size and modification time of a file, or of the files in a folder; `nil` if the path does not exist.
    static func of(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let own = stamp(status)
        // A folder that cannot be read has only its own stamp; reading its files reports the error.
        guard status.st_mode & S_IFMT == S_IFDIR, let names = try? Folder.names(in: path) else { return own }
        // The time of a folder does not change with the contents of its files.
        let files = names.prefix(most).compactMap { name -> String? in
            var status = stat()
            return stat("\(path)/\(name)", &status) == 0 ? "\(name) \(stamp(status))" : nil
        }
        return ([own] + files).joined(separator: " ")
    }

    private static func stamp(_ status: stat) -> String {
        "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
