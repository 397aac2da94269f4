internal import CPageChecksums
import GRDB
import GRDBSQLite

/// Checksums of database pages, computed for every page that is written and compared whenever a page is read.
///
/// They cover every connection of the process, because the VFS that computes them becomes SQLite's default before the
/// first workspace is opened. The format is that of SQLite's own `cksumvfs`.
enum PageChecksums {
    /// Bytes at the end of every page that hold its checksum.
    static let reservedBytes = Int(ORRERY_CHECKSUM_BYTES)

    /// The extended result code of a page that does not match (`SQLITE_IOERR_DATA`).
    static let mismatch: Int32 = SQLITE_IOERR | 32 << 8

    /// Puts the checksums below all connections that are opened later. Repeated calls do nothing.
    static func install() throws(WorkspaceError) {
        guard orrery_checksums_register() == SQLITE_OK else {
            throw .other(path: "SQLite", reason: "this version does not accept page checksums")
        }
    }

    /// What to open for a new file that receives a copy of a database with checksums.
    static func address(ofCopy path: String) -> String { FilePlace.uri(path, "\(ORRERY_CHECKSUM_PARAMETER)=1") }

    /// Whether the last eight bytes of a page are the checksum of the bytes before them.
    static func match(_ page: [UInt8]) -> Bool {
        page.count >= 512 && page.count % 8 == 0 && orrery_checksum_matches(page, page.count)
    }
}

extension Database {
    /// Reserves room for checksums: now if the database is empty, otherwise in the next `VACUUM`.
    func reserveChecksums() throws {
        let code = orrery_checksums_reserve(sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Turns the comparison on or off for this connection.
    ///
    /// - Returns: false if the pages of the file have no checksums.
    @discardableResult
    func verifyChecksums(_ isOn: Bool = true) -> Bool {
        orrery_checksums_verify(sqliteConnection, isOn)
    }

    /// Offset of the last page that did not match its checksum, once; nil if all pages did.
    func takeDamagedOffset() -> Int64? {
        let offset = orrery_checksums_take_failure(sqliteConnection)
        return offset < 0 ? nil : offset
    }

    /// The damaged page that this connection met last, once; nil if all pages matched.
    func takeDamage(path: String) -> WorkspaceError? {
        // The size of a page is in memory. If even that cannot be asked, the general sentence has to do.
        guard let offset = takeDamagedOffset(), let size = try? Int64.fetchOne(self, sql: "PRAGMA page_size"), size > 0
        else {
            return nil
        }
        return DamagedPage.error(DamagedPage.describe([offset / size + 1], path: path), path: path)
    }

    /// The failure that SQLite reported last, with the damaged page if there is one.
    func workspaceError(_ error: any Error, path: String) -> WorkspaceError {
        takeDamage(path: path) ?? WorkspaceError(error, path: path, systemError: systemError)
    }
}
