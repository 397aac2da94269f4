internal import Glibc

/// Listings of folders.
public enum Folder {
    /// An entry of a folder.
    public struct Entry: Hashable, Sendable {
        /// Name without the folder's path.
        public var name: String
        /// Whether the entry is a folder. A symbolic link is not, so a walk of folders always ends.
        public var isFolder: Bool
    }

    /// The system's reason why a folder cannot be read.
    public struct Unreadable: Error, Hashable, Sendable {
        /// Path of the folder.
        public var path: String
        /// Error number, such as `ENOENT`.
        public var code: Int32

        /// Creates an error from an error number.
        public init(path: String, code: Int32) {
            self.path = path
            self.code = code
        }

        /// The system's message, such as "No such file or directory".
        public var reason: String { String(cString: strerror(code)) }
    }

    /// Returns the entries of a folder without `.` and `..`, sorted by name.
    ///
    /// - Parameters:
    ///   - limit: Maximum number of entries; the others are ignored.
    ///   - followsLink: Whether `path` itself may be a symbolic link.
    public static func entries(
        of path: String, limit: Int = .max, followsLink: Bool = true
    ) throws(Unreadable) -> [Entry] {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
        guard descriptor >= 0, let stream = fdopendir(descriptor) else {
            let code = errno
            if descriptor >= 0 { close(descriptor) }
            throw Unreadable(path: path, code: code)
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while entries.count < limit {
            // Only errno distinguishes the end of a folder from an error.
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw Unreadable(path: path, code: errno) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            var isFolder = Int32(entry.pointee.d_type) == Int32(DT_DIR)
            if Int32(entry.pointee.d_type) == Int32(DT_UNKNOWN) {
                var status = stat()
                isFolder = lstat(path + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            }
            entries.append(Entry(name: name, isFolder: isFolder))
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// Returns the names in a folder without `.` and `..`, sorted.
    ///
    /// - Parameters:
    ///   - limit: Maximum number of names; the others are ignored.
    ///   - followsLink: Whether `path` itself may be a symbolic link.
    public static func names(
        in path: String, limit: Int = .max, followsLink: Bool = true
    ) throws(Unreadable) -> [String] {
        try entries(of: path, limit: limit, followsLink: followsLink).map(\.name)
    }

    /// Returns the entries of a folder, sorted; empty if the folder does not exist or cannot be read.
    public static func readableEntries(of path: String) -> [Entry] {
        // The caller treats an unreadable folder like an empty one.
        (try? entries(of: path)) ?? []
    }

    /// Returns the names in a folder, sorted; empty if the folder does not exist or cannot be read.
    public static func readableNames(in path: String, limit: Int = .max) -> [String] {
        // The caller treats an unreadable folder like an empty one.
        (try? names(in: path, limit: limit)) ?? []
    }

    /// Removes a file, a link, or a folder with its contents. Whatever cannot be removed stays.
    public static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in readableNames(in: path) { remove(path + "/" + name) }
        rmdir(path)
    }
}
