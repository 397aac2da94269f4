import Glibc

/// Files and folders that only their owner can read, and durable writes.
package enum PrivateFile {
    /// Creates an empty file with mode 0600, regardless of the umask, and syncs its folder.
    ///
    /// SQLite gives the log, the shared memory, and the journal of a file the same mode.
    package static func create(_ path: String) throws(WorkspaceError) {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            let number = errno
            if number == EACCES || number == EPERM { throw .readOnlyLocation(path: path) }
            throw .system(number, path: path, doing: "create the file")
        }
        let result = fchmod(file, 0o600)
        let number = errno
        close(file)
        guard result == 0 else { throw .system(number, path: path, doing: "set the file mode to 0600") }
        try syncFolder(of: path)
    }

    /// Creates `folder` and its missing parent folders with mode 0700.
    package static func createFolders(_ folder: String) throws(WorkspaceError) {
        var status = stat()
        if stat(folder, &status) == 0 { return }
        let parent = FileLocation.folder(of: folder)
        if parent != folder, parent != "." { try createFolders(parent) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system(errno, path: folder, doing: "create the folder")
        }
    }

    /// Waits until the contents of a file are on disk.
    ///
    /// Use it only for files that SQLite has closed: closing any descriptor of a file drops this process's locks on it.
    package static func sync(_ path: String) throws(WorkspaceError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .system(errno, path: path, doing: "open the file") }
        let result = fsync(file)
        let number = errno
        close(file)
        guard result == 0 else { throw .system(number, path: path, doing: "write the file to disk") }
    }

    /// Waits until the entries of a file's folder are on disk, if the file system supports it.
    package static func syncFolder(of path: String) throws(WorkspaceError) {
        let folder = FileLocation.folder(of: path)
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return }
        let result = fsync(file)
        let number = errno
        close(file)
        guard result == 0 || number == EINVAL || number == EROFS else {
            throw .system(number, path: folder, doing: "write the folder's entries to disk")
        }
    }

    /// Renames `source` to `target` in the same folder, without overwriting a file, and syncs the folder.
    package static func publish(_ source: String, as target: String) throws(WorkspaceError) {
        try sync(source)
        guard link(source, target) == 0 else {
            throw .system(errno, path: target, doing: "rename the finished copy")
        }
        unlink(source)
        try syncFolder(of: target)
    }

    /// Returns the text of a small file, such as a file in /proc; `nil` if it cannot be opened.
    package static func readSmall(_ path: String, limit: Int = 65_536) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            let count = read(file, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Copies a file, overwriting an earlier copy.
    ///
    /// This process must have no SQLite connection to the file.
    static func copy(_ source: String, to target: String) throws(WorkspaceError) {
        unlink(target)
        try create(target)
        let (input, output) = (open(source, O_RDONLY | O_CLOEXEC), open(target, O_WRONLY | O_CLOEXEC))
        defer {
            close(input)
            close(output)
        }
        guard input >= 0, output >= 0 else { throw .system(errno, path: target, doing: "copy the file") }
        var part = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &part, part.count)
            if count == 0 { break }
            guard count > 0, write(output, part, count) == count else {
                throw .system(errno, path: target, doing: "copy the file")
            }
        }
        try sync(target)
    }
}
