internal import CPageChecksums
import GRDB
import GRDBSQLite

/// Checksums of database pages, computed when a page is written and verified when it is read.
///
/// They apply to every connection of the process, because the VFS that computes them becomes SQLite's default before
/// the first workspace is opened. The format is that of SQLite's `cksumvfs`.
enum PageChecksums {
    /// Number of bytes reserved for the checksum at the end of every page.
    static let reservedBytes = Int(ORRERY_CHECKSUM_BYTES)

    /// Extended result code for a page that does not match its checksum (`SQLITE_IOERR_DATA`).
    static let mismatch: Int32 = SQLITE_IOERR | 32 << 8

    /// Turns on checksums for all connections opened later. Repeated calls do nothing.
    static func install() throws(WorkspaceError) {
        guard orrery_checksums_register() == SQLITE_OK else {
            throw .other(path: "SQLite", reason: "the installed version does not support page checksums")
        }
    }

    /// Returns the SQLite URI of a new file with page checksums, the target of a database copy.
    static func address(ofCopy path: String) -> String { FileLocation.uri(path, "\(ORRERY_CHECKSUM_PARAMETER)=1") }

    /// Returns whether the last eight bytes of a page are the checksum of the preceding bytes.
    static func match(_ page: [UInt8]) -> Bool {
        page.count >= 512 && page.count % 8 == 0 && orrery_checksum_matches(page, page.count)
    }
}

extension Database {
    /// Reserves space for checksums: now if the database is empty, otherwise at the next `VACUUM`.
    func reserveChecksums() throws {
        let code = orrery_checksums_reserve(sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Turns checksum verification on or off for this connection.
    ///
    /// - Returns: `false` if the pages of the file have no checksums.
    @discardableResult
    func verifyChecksums(_ isOn: Bool = true) -> Bool {
        orrery_checksums_verify(sqliteConnection, isOn)
    }

    /// Returns and clears the file offset of the page that most recently failed its checksum; `nil` if there is none.
    func takeDamagedOffset() -> Int64? {
        let offset = orrery_checksums_take_failure(sqliteConnection)
        return offset < 0 ? nil : offset
    }

    /// Returns and clears the error for the most recent damaged page that this connection read; `nil` if there is none.
    func takeDamage(path: String) -> WorkspaceError? {
        // SQLite has the page size in memory. If even this query fails, the caller uses a general message.
        guard let offset = takeDamagedOffset(), let size = try? Int64.fetchOne(self, sql: "PRAGMA page_size"), size > 0
        else {
            return nil
        }
        return DamagedPage.error([DamagedPage.describe(offset / size + 1, path: path)], path: path)
    }

    /// Returns the error for a failure that SQLite reported, with the damaged page if there is one.
    func workspaceError(_ error: any Error, path: String) -> WorkspaceError {
        takeDamage(path: path) ?? WorkspaceError(error, path: path, systemError: systemError)
    }
}
