import Glibc

/// Information about file locations: folders, sizes, and free space.
package enum FileLocation {
    /// Returns the folder of `path`; "." for a name without a folder.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the last component of `path`.
    package static func name(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return path }
        return String(path[path.index(after: slash)...])
    }

    /// Returns the absolute path of a file, with symbolic links resolved if the file or its folder exists.
    ///
    /// SQLite names its log after the real file, and SQLite never mistakes a path that starts with a slash for a URI.
    package static func canonical(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let parent = folder(of: path)
        if let real = realpath(parent, nil) {
            defer { free(real) }
            let base = String(cString: real)
            return base == "/" ? "/" + name(of: path) : base + "/" + name(of: path)
        }
        return path.hasPrefix("/") ? path : currentFolder() + "/" + path
    }

    /// Returns the number of bytes that the user can still write to the file system of `folder`; `nil` if unknown.
    package static func freeBytes(in folder: String) -> Int64? {
        var figures = statvfs()
        guard statvfs(folder, &figures) == 0 else { return nil }
        return Int64(clamping: figures.f_bavail) * Int64(clamping: figures.f_frsize)
    }

    /// Returns the size of a file in bytes; `nil` if the file does not exist.
    package static func size(of path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Int64(status.st_size)
    }

    /// Returns the current working directory.
    package static func currentFolder() -> String {
        guard let folder = getcwd(nil, 0) else { return "/" }
        defer { free(folder) }
        return String(cString: folder)
    }

    /// Returns `path` as an SQLite URI with query parameters such as `immutable=1`.
    static func uri(_ path: String, _ query: String) -> String {
        var text = "file:"
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x80...:
                text += "%" + String(byte, radix: 16, uppercase: true)
            default:
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return "\(text)?\(query)"
    }
}
