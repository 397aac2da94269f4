import Glibc

/// The first 100 bytes of an SQLite file, read without SQLite.
///
/// A file of another program is recognized by its header, so that SQLite never opens it: it could replay a log.
/// Source: "Database File Format", section 1.3 (sqlite.org/fileformat2.html).
package struct FileHeader: Equatable, Sendable {
    package let pageSize: Int
    package let pageCount: Int64
    package let isWriteAheadLogged: Bool
    package let userVersion: Int32
    package let applicationID: Int32
    /// Bytes at the end of each page that SQLite leaves alone: 8 if pages have checksums.
    package let reservedBytes: Int

    /// What a file turned out to be.
    package enum Finding: Equatable, Sendable {
        case empty
        case database(FileHeader)
        /// A workspace whose first page does not match its checksum, or that lost the beginning of its header.
        case damaged
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
        var bytes = [UInt8](repeating: 0, count: largestPage)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count >= 0 else { throw .corrupt(path: path, place: "the disk cannot read its first page") }
        return parse(bytes[..<count], fileSize: Int64(status.st_size))
    }

    private static let largestPage = 65_536

    /// Decides what the first bytes of a file of `fileSize` bytes belong to.
    ///
    /// The checksum of the first page is compared if `bytes` holds the page.
    package static func parse(_ bytes: ArraySlice<UInt8>, fileSize: Int64) -> Finding {
        let bytes = Array(bytes)
        let magic = Array("SQLite format 3\0".utf8)
        let shared = min(magic.count, bytes.count)
        func big(_ offset: Int) -> UInt32 { bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
        guard Array(bytes[..<shared]) == Array(magic[..<shared]) else {
            let isOurs = bytes.count >= 100 && Int32(bitPattern: big(68)) == Workspace.applicationID
            return isOurs ? .damaged : .foreign("no SQLite file")
        }
        guard bytes.count >= 100, fileSize >= 512 else { return .truncated(fileSize) }
        let stored = Int(bytes[16]) << 8 | Int(bytes[17])
        // The count is only kept by versions that also write the change counter a second time.
        let counted = big(24) == big(92)
        let header = FileHeader(
            pageSize: stored == 1 ? 65_536 : stored, pageCount: counted ? Int64(big(28)) : 0,
            isWriteAheadLogged: bytes[18] == 2, userVersion: Int32(bitPattern: big(60)),
            applicationID: Int32(bitPattern: big(68)), reservedBytes: Int(bytes[20]))
        return header.isDamaged(firstPage: bytes.prefix(header.pageSize)) ? .damaged : .database(header)
    }

    /// Whether the header or the page that begins with it cannot be what this program wrote.
    ///
    /// A damaged header can deny that pages have checksums, or that the file is a workspace: either trace of one counts.
    private func isDamaged(firstPage page: ArraySlice<UInt8>) -> Bool {
        let isOurs = applicationID == Workspace.applicationID
        let claimsChecksums = reservedBytes == PageChecksums.reservedBytes
        guard claimsChecksums || isOurs && userVersion >= Workspace.firstGenerationWithChecksums else { return false }
        guard page.count == pageSize else { return isOurs }
        // Another program's database may use reserved bytes in its own way.
        return !PageChecksums.match(Array(page)) && (isOurs || userVersion == Workspace.generation)
    }
}
