import GRDB
import Glibc

extension Workspace {
    /// Computes the checksums of all pages again, for a file that a program without checksums has changed.
    ///
    /// SQLite's integrity check, the references, and `checks` must find nothing wrong first. They cannot see every
    /// change, such as another letter in a text, so the file as it is remains as `NAME.before-accept`. The file must not
    /// be open.
    ///
    /// - Returns: the number of pages whose checksum did not match. Without any, nothing changes.
    /// - Throws: ``WorkspaceError/corrupt(path:place:)`` if a check fails; the file is then unchanged.
    public static func acceptPages(at path: String, checks: [Check] = []) throws -> Int {
        try PageChecksums.install()
        let path = FilePlace.canonical(path)
        guard FilePlace.size(of: path) != nil else { throw WorkspaceError.notFound(path: path) }
        let damaged = try PageFile(path).mismatches(limit: .max).count
        guard damaged > 0 else { return 0 }
        try PrivateFile.copy(path, to: path + ".before-accept")
        let queue = try DatabaseQueue(path: path, configuration: ConnectionSettings().writer(isVerifying: false))
        // Failure is harmless: the log holds every page, and the next connection reads it.
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
            throw WorkspaceError.notAWorkspace(path: path, found: "the SQLite database of another program")
        }
        let findings = Examination.Findings()
        let examination = Examination(job: nil, findings: findings)
        try checkPages(db, examination)
        try checkReferences(db, examination)
        for check in checks { try check.run(db, examination) }
        if let problem = findings.sentences.first { throw WorkspaceError.corrupt(path: path, place: problem) }
        // A rollback journal would hold the old pages; a log holds the new ones until all of them are written.
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        try db.reserveChecksums()
        try db.execute(sql: "VACUUM")
    }
}
