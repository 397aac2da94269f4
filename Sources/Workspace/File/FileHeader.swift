import Glibc

/// The first 100 bytes of an SQLite file, read without SQLite.
///
/// Looking first means that a file of somebody else is never opened by SQLite, which could replay its log.
/// Source: "Database File Format", section 1.3 (sqlite.org/fileformat2.html).
package struct FileHeader: Equatable, Sendable {
    package let pageSize: Int
    package let pageCount: Int64
    package let isWriteAheadLogged: Bool
    package let userVersion: Int32
    package let applicationID: Int32

    /// What a file turned out to be.
    package enum Finding: Equatable, Sendable {
        case empty
        case database(FileHeader)
        case truncated(Int64)
        case foreign(String)
    }

    /// Reads the header of an existing file.
    ///
    /// Closing the descriptor drops this process's locks on the file, so no connection of it may be open.
    package static func read(_ path: String) throws(WorkspaceError) -> Finding {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(errno, path: path, doing: "find it") }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return .foreign("a folder")
        default: return .foreign("a device or pipe")
        }
        guard status.st_size > 0 else { return .empty }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .system(errno, path: path, doing: "open it") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count >= 0 else { throw .corrupt(path: path, place: "the disk cannot read its first page") }
        return parse(bytes[..<count], fileSize: Int64(status.st_size))
    }

    /// Decides what the first bytes of a file of `fileSize` bytes belong to.
    package static func parse(_ bytes: ArraySlice<UInt8>, fileSize: Int64) -> Finding {
        let bytes = Array(bytes)
        let magic = Array("SQLite format 3\0".utf8)
        let shared = min(magic.count, bytes.count)
        guard Array(bytes[..<shared]) == Array(magic[..<shared]) else { return .foreign("no SQLite file") }
        guard bytes.count == 100, fileSize >= 512 else { return .truncated(fileSize) }
        func big(_ offset: Int) -> UInt32 { bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
        let stored = Int(bytes[16]) << 8 | Int(bytes[17])
        // The count is only kept by versions that also write the change counter a second time.
        let counted = big(24) == big(92)
        return .database(
            FileHeader(
                pageSize: stored == 1 ? 65_536 : stored, pageCount: counted ? Int64(big(28)) : 0,
                isWriteAheadLogged: bytes[18] == 2, userVersion: Int32(bitPattern: big(60)),
                applicationID: Int32(bitPattern: big(68))))
    }
}
