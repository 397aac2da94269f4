internal import CPageChecksums
import GRDBSQLite

/// The pages of a database file as stored on disk, read without SQLite's cache, log, and schema.
///
/// A separate SQLite connection reads them, because closing a plain file descriptor would drop SQLite's locks.
struct PageFile: ~Copyable {
    /// Page size in bytes.
    let pageSize: Int
    /// Number of pages in the file, excluding pages that are only in the log.
    let count: Int64
    private let connection: OpaquePointer

    /// Opens the pages of a file.
    ///
    /// - Throws: ``WorkspaceError`` if the file cannot be opened.
    init(_ path: String) throws(WorkspaceError) {
        try PageChecksums.install()
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
        var start = [UInt8](repeating: 0, count: 512)
        guard code == SQLITE_OK, let handle, orrery_checksums_probe(handle, 0, &start, 512) >= 0 else {
            sqlite3_close(handle)
            throw .other(path: path, reason: "the pages of the file cannot be read")
        }
        connection = handle
        // The header may be damaged, so use the page size that it records only if the size is possible.
        let stored = Int(start[16]) << 8 | Int(start[17])
        let isPossible = stored >= 512 && stored & (stored - 1) == 0
        pageSize = stored == 1 ? 65_536 : isPossible ? stored : ConnectionSettings.pageSize
        count = (FileLocation.size(of: path) ?? 0) / Int64(pageSize)
    }

    deinit { sqlite3_close(connection) }

    /// Reads a page into `bytes`; pages are numbered from 1.
    ///
    /// - Returns: Whether the page matches its checksum.
    func read(_ number: Int64, into bytes: inout [UInt8]) -> Bool {
        bytes.reserveCapacity(pageSize)
        if bytes.count != pageSize { bytes = [UInt8](repeating: 0, count: pageSize) }
        return orrery_checksums_probe(connection, (number - 1) * Int64(pageSize), &bytes, Int32(pageSize)) == 1
    }

    /// Finds the pages that do not match their checksums.
    ///
    /// - Returns: Page numbers in ascending order, at most `limit`.
    func mismatches(limit: Int, cancellation: Cancellation? = nil) throws -> [Int64] {
        var page: [UInt8] = []
        var found: [Int64] = []
        for number in stride(from: Int64(1), through: count, by: 1) where found.count < limit {
            if number % 1024 == 0 { try cancellation?.check() }
            // Another process's checkpoint may be writing the page, so try again.
            if (0..<3).allSatisfy({ _ in !read(number, into: &page) }) { found.append(number) }
        }
        return found
    }

    /// Returns the leaf pages of the free list. Source: "Database File Format", section 1.5.
    func freePages() -> [Int64] {
        var page: [UInt8] = []
        guard read(1, into: &page) else { return [] }
        var (trunk, left) = (Int64(page.big(32)), Int64(page.big(36)))
        var pages: [Int64] = []
        while trunk > 0, left > 0, read(trunk, into: &page) {
            let leaves = min(page.big(4), pageSize / 4 - 2)
            pages += (0..<leaves).map { Int64(page.big(8 + 4 * $0)) }
            trunk = Int64(page.big(0))
            left -= Int64(leaves) + 1
        }
        return pages
    }

    /// Returns the pages of the schema table below page 1; if one is damaged, SQLite cannot name any table.
    ///
    /// Source: "Database File Format", section 1.6.
    func schemaPages() -> [Int64] {
        var page: [UInt8] = []
        guard read(1, into: &page), page[100] == Self.innerTablePage else { return [] }
        let cells = (0..<page.big(103, bytes: 2)).map { page.big(page.big(112 + 2 * $0, bytes: 2)) }
        return (cells + [page.big(108)]).map(Int64.init)
    }

    private static let innerTablePage: UInt8 = 5
}

extension [UInt8] {
    /// Returns a big-endian number; 0 if it would extend beyond the end of the array.
    fileprivate func big(_ offset: Int, bytes width: Int = 4) -> Int {
        guard offset + width <= count else { return 0 }
        return self[offset..<(offset + width)].reduce(0) { $0 << 8 | Int($1) }
    }
}
