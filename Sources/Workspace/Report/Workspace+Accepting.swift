import GRDB
import Glibc

extension Workspace {
    /// Recomputes the checksums of all pages, for a file that a program without checksums has changed.
    ///
    /// SQLite's integrity check, the reference check, and `checks` must find no problems. They cannot detect every
    /// change, such as a changed letter in text, so the old file is saved as `NAME.before-accept`. The file must not
    /// be open.
    ///
    /// - Returns: The number of pages whose checksums did not match. If it is 0, nothing changes.
    /// - Throws: ``WorkspaceError/corrupt(path:place:)`` if a check fails; the file is then unchanged.
    public static func acceptPages(at path: String, checks: [Check] = []) throws -> Int {
        try PageChecksums.install()
        let path = FileLocation.canonical(path)
        guard FileLocation.size(of: path) != nil else { throw WorkspaceError.notFound(path: path) }
        let damaged = try PageFile(path).mismatches(limit: .max).count
        guard damaged > 0 else { return 0 }
        try PrivateFile.copy(path, to: path + ".before-accept")
        let queue = try DatabaseQueue(path: path, configuration: ConnectionSettings().writer(isVerifying: false))
        // A failed close is harmless: the log has every page, and the next connection reads the log.
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { db in
            do {
                try acceptPages(db, path, checks)
                return damaged
            } catch {
                throw db.workspaceError(error, path: path)
            }
        }
    }

    private static func acceptPages(_ db: Database, _ path: String, _ checks: [Check]) throws {
        guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
            throw WorkspaceError.notAWorkspace(path: path, found: "another program's SQLite database")
        }
        let findings = CheckRecorder.Findings()
        let examination = CheckRecorder(job: nil, findings: findings)
        try checkPages(db, examination)
        try checkReferences(db, examination)
        for check in checks { try check.run(db, examination) }
        if let problem = findings.sentences.first { throw WorkspaceError.corrupt(path: path, place: problem) }
        // After a crash, a rollback journal would restore old pages; a write-ahead log keeps all new pages until they are in the file.
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        try db.reserveChecksums()
        try db.execute(sql: "VACUUM")
    }
}
