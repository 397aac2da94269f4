import GRDB
import Glibc

extension Workspace {
    /// Copies the workspace page by page, while other connections can read and write.
    ///
    /// The copy is a consistent snapshot. It is renamed into place only after it is complete, checked, and on disk.
    ///
    /// - Parameters:
    ///   - target: Path of the copy.
    ///   - job: Job that reports progress in bytes; canceling it stops the copy.
    /// - Throws: ``WorkspaceError/exists(path:)`` if `target` exists; ``WorkspaceError/diskFull(path:needed:)`` before
    ///   anything is written; ``WorkspaceError/corrupt(path:place:)`` if the copy fails its check.
    public func backup(to target: String, job: JobHandle? = nil) throws {
        try publishing(target, needed: FileLocation.size(of: path) ?? 0) { part in
            try readers.lend { source in
                let pageBytes = try source.unsafeRead { try Int64.fetchOne($0, sql: "PRAGMA page_size") ?? 0 }
                var counted = 0
                try FileCopy(from: source, path: path).run(to: part) { done, all in
                    try job?.advance(by: Int64(done - counted) * pageBytes, of: Int64(all) * pageBytes, unit: "bytes")
                    counted = done
                }
            }
            try verify(part, as: target, job: job)
        }
    }

    /// Writes a compact copy of the workspace: the same rows, in order and without free pages.
    ///
    /// - Parameters:
    ///   - target: Path of the copy.
    ///   - job: Job whose cancellation stops the copy.
    /// - Throws: ``WorkspaceError/exists(path:)`` if `target` exists; ``WorkspaceError/diskFull(path:needed:)`` before
    ///   anything is written; ``WorkspaceError/corrupt(path:place:)`` if the copy fails its check.
    public func export(to target: String, job: JobHandle? = nil) throws {
        try publishing(target, needed: FileLocation.size(of: path) ?? 0) { part in
            try readers.lend { source in
                try (job?.cancellation ?? Cancellation()).interrupting(source) {
                    try source.unsafeRead { db in
                        do {
                            let address = db.verifyChecksums() ? PageChecksums.address(ofCopy: part) : part
                            try db.execute(sql: "VACUUM INTO ?", arguments: [address])
                        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
                            throw CancellationError()
                        } catch {
                            // If this connection read a damaged page, the page is in the source, not in the copy.
                            throw db.takeDamage(path: path) ?? db.workspaceError(error, path: target)
                        }
                    }
                }
            }
            try verify(part, as: target, job: job)
        }
    }

    private func publishing(_ target: String, needed: Int64, _ write: (String) throws -> Void) throws {
        let target = FileLocation.canonical(target)
        if FileLocation.size(of: target) != nil { throw WorkspaceError.exists(path: target) }
        if let free = FileLocation.freeBytes(in: FileLocation.folder(of: target)), free < needed {
            throw WorkspaceError.diskFull(path: target, needed: needed)
        }
        let folder = FileLocation.folder(of: target)
        guard Glibc.access(folder, F_OK) == 0 else {
            throw WorkspaceError.other(path: folder, reason: "no such folder. Create it, or choose another destination")
        }
        let part = "\(target).\(getpid()).part"
        try PrivateFile.create(part)
        do {
            try write(part)
            try PrivateFile.publish(part, as: target)
        } catch {
            for suffix in ["", "-journal", "-wal", "-shm"] { unlink(part + suffix) }
            throw error
        }
    }

    private func verify(_ part: String, as target: String, job: JobHandle?) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(ConnectionSettings.readerCache)")
        }
        let copy = try DatabaseQueue(path: part, configuration: configuration)
        defer { try? copy.close() }
        let problem = try (job?.cancellation ?? Cancellation()).interrupting(copy) {
            try copy.unsafeRead { db -> String? in
                let id = try Int32.fetchOne(db, sql: "PRAGMA application_id")
                if id != Self.applicationID { return "the application ID is missing" }
                let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
                return finding == "ok" ? nil : finding
            }
        }
        if let problem {
            throw WorkspaceError.corrupt(path: target, place: "the copy failed its check: \(problem)")
        }
    }
}
