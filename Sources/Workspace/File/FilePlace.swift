import Glibc

/// Facts about the place of a file: its folder, the free space, whether a network lies between.
package enum FilePlace {
    /// The folder that holds `path`; "." for a bare name.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last component of `path`.
    package static func name(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return path }
        return String(path[path.index(after: slash)...])
    }

    /// `path` without symbolic links where it exists, else made absolute.
    ///
    /// SQLite names its log after the real file, and a path that starts with a slash can never be taken for a URI.
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

    /// Bytes that this user may still write into the file system of `folder`; nil where the system does not say.
    package static func freeBytes(in folder: String) -> Int64? {
        var figures = statvfs()
        guard statvfs(folder, &figures) == 0 else { return nil }
        return Int64(clamping: figures.f_bavail) * Int64(clamping: figures.f_frsize)
    }

    /// Size of the file in bytes; nil where there is none.
    package static func size(of path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Int64(status.st_size)
    }

    /// The current working folder.
    package static func currentFolder() -> String {
        guard let folder = getcwd(nil, 0) else { return "/" }
        defer { free(folder) }
        return String(cString: folder)
    }

    /// `path` as a URI for SQLite, with query parameters such as `immutable=1`.
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
