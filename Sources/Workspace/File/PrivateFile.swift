import Glibc

/// Files that only their owner may read, made whole before anything is put into them.
package enum PrivateFile {
    /// Creates an empty file of mode 0600, whatever the umask, and makes its name durable.
    ///
    /// SQLite gives the log, the shared memory and the journal beside a file the mode of that file.
    package static func create(_ path: String) throws(WorkspaceError) {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            let number = errno
            if number == EACCES || number == EPERM { throw .readOnlyPlace(path: path) }
            throw .system(number, path: path, doing: "create it")
        }
        let result = fchmod(file, 0o600)
        let number = errno
        close(file)
        guard result == 0 else { throw .system(number, path: path, doing: "set its mode to 0600") }
        try syncFolder(of: path)
    }

    /// Creates the missing folders on the way to `folder`, each of mode 0700.
    package static func createFolders(_ folder: String) throws(WorkspaceError) {
        var status = stat()
        if stat(folder, &status) == 0 { return }
        let parent = FilePlace.folder(of: folder)
        if parent != folder, parent != "." { try createFolders(parent) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system(errno, path: folder, doing: "create the folder")
        }
    }

    /// Waits until the file's bytes are on the disk.
    ///
    /// Closing any descriptor of a file drops this process's locks on it: only for files that SQLite has closed.
    package static func sync(_ path: String) throws(WorkspaceError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .system(errno, path: path, doing: "open it") }
        let result = fsync(file)
        let number = errno
        close(file)
        guard result == 0 else { throw .system(number, path: path, doing: "write it to the disk") }
    }

    /// Waits until the names in the file's folder are on the disk; file systems without that are left alone.
    package static func syncFolder(of path: String) throws(WorkspaceError) {
        let folder = FilePlace.folder(of: path)
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return }
        let result = fsync(file)
        let number = errno
        close(file)
        guard result == 0 || number == EINVAL || number == EROFS else {
            throw .system(number, path: folder, doing: "write its entries to the disk")
        }
    }

    /// Moves `source` to `target` in the same folder, refusing to replace a file, and makes the names durable.
    package static func publish(_ source: String, as target: String) throws(WorkspaceError) {
        try sync(source)
        guard link(source, target) == 0 else {
            throw .system(errno, path: target, doing: "give the finished copy its name")
        }
        unlink(source)
        try syncFolder(of: target)
    }

    /// The text of a small file such as those under /proc; nil where it cannot be read.
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

    /// Copies the bytes of a file that no connection of this process has open, replacing an earlier copy.
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
