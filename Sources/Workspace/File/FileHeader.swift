import Glibc

/// The header of an SQLite file, its first 100 bytes, read without SQLite.
///
/// The header identifies other programs' files, so that SQLite never opens them: opening one could replay its log.
/// Source: "Database File Format", section 1.3 (sqlite.org/fileformat2.html).
package struct FileHeader: Equatable, Sendable {
    /// Page size in bytes.
    package let pageSize: Int
    /// Number of pages; 0 if unknown.
    package let pageCount: Int64
    /// Whether the file is in WAL mode.
    package let isWriteAheadLogged: Bool
    /// User version, which is the generation of a workspace.
    package let userVersion: Int32
    /// Application ID.
    package let applicationID: Int32
    /// Number of bytes at the end of each page that SQLite does not use: 8 if pages have checksums.
    package let reservedBytes: Int

    /// Kinds of files.
    package enum Finding: Equatable, Sendable {
        /// An empty file.
        case empty
        /// An SQLite database with a valid header.
        case database(FileHeader)
        /// A workspace whose first page does not match its checksum, or whose header does not start with SQLite's magic
        /// bytes.
        case damaged
        /// A truncated SQLite file, with its size in bytes.
        case truncated(Int64)
        /// Another kind of file, named with an article ("a folder").
        case foreign(String)
    }

    /// Reads the header of an existing file.
    ///
    /// Closing the descriptor drops this process's locks on the file, so the process must have no connection to the
    /// file.
    package static func read(_ path: String) throws(WorkspaceError) -> Finding {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(errno, path: path, doing: "find the file") }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return .foreign("a folder")
        default: return .foreign("a device or pipe")
        }
        guard status.st_size > 0 else { return .empty }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .system(errno, path: path, doing: "open the file") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: largestPage)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count >= 0 else { throw .corrupt(path: path, place: "the first page cannot be read from disk") }
        return parse(bytes[..<count], fileSize: Int64(status.st_size))
    }

    private static let largestPage = 65_536

    /// Returns the kind of a file, from its first bytes and its size.
    ///
    /// The checksum of the first page is compared if `bytes` includes the complete page.
    package static func parse(_ bytes: ArraySlice<UInt8>, fileSize: Int64) -> Finding {
        let bytes = Array(bytes)
        let magic = Array("SQLite format 3\0".utf8)
        let shared = min(magic.count, bytes.count)
        func big(_ offset: Int) -> UInt32 { bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
        guard Array(bytes[..<shared]) == Array(magic[..<shared]) else {
            let isOurs = bytes.count >= 100 && Int32(bitPattern: big(68)) == Workspace.applicationID
            return isOurs ? .damaged : .foreign("not an SQLite file")
        }
        guard bytes.count >= 100, fileSize >= 512 else { return .truncated(fileSize) }
        let stored = Int(bytes[16]) << 8 | Int(bytes[17])
        // The page count is valid only if the change counter (byte 24) equals its copy (byte 92).
        let hasPageCount = big(24) == big(92)
        let header = FileHeader(
            pageSize: stored == 1 ? 65_536 : stored, pageCount: hasPageCount ? Int64(big(28)) : 0,
            isWriteAheadLogged: bytes[18] == 2, userVersion: Int32(bitPattern: big(60)),
            applicationID: Int32(bitPattern: big(68)), reservedBytes: Int(bytes[20]))
        return header.isDamaged(firstPage: bytes.prefix(header.pageSize)) ? .damaged : .database(header)
    }

    /// Returns whether the header or the first page of a workspace is damaged.
    ///
    /// A damaged header may no longer say that pages have checksums, or that the file is a workspace, so either sign is
    /// enough to check the page.
    private func isDamaged(firstPage page: ArraySlice<UInt8>) -> Bool {
        let isOurs = applicationID == Workspace.applicationID
        let claimsChecksums = reservedBytes == PageChecksums.reservedBytes
        guard claimsChecksums || isOurs && userVersion >= Workspace.firstGenerationWithChecksums else { return false }
        guard page.count == pageSize else { return isOurs }
        // Other programs' databases may use reserved bytes for other purposes.
        return !PageChecksums.match(Array(page)) && (isOurs || userVersion == Workspace.generation)
    }
}
