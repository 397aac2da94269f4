internal import Glibc
internal import System

/// Small files, and the names in a folder.
enum ByteFile {
    /// Returns what is at a path instead of a file or folder, as part of a sentence; `nil` for a file, a folder, or
    /// nothing.
    static func oddity(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFDIR: nil
        case S_IFIFO: "the path is a pipe, not a file"
        case S_IFSOCK: "the path is a socket, not a file"
        default: "the path is a device, not a file"
        }
    }

    static func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Writes a whole file.
    ///
    /// - Returns: Reason for a failure; `nil` on success.
    static func write(_ bytes: [UInt8], to path: String) -> String? {
        guard let file = fopen(path, "we") else { return String(cString: strerror(errno)) }
        let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        let problem = written == bytes.count ? nil : String(cString: strerror(errno))
        return fclose(file) == 0 ? problem : problem ?? String(cString: strerror(errno))
    }

    /// Creates a folder and its parents.
    static func makeFolder(_ path: String) -> Bool {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += part + "/"
            if made != "/" { mkdir(made, 0o777) }
        }
        return access(path, W_OK) == 0
    }
}
