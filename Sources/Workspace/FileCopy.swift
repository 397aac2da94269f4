import GRDB
import Glibc

/// Copies a workspace page by page while it is in use.
///
/// The copy is one moment of the file: the source connection reads in one transaction from the first page to the last.
struct FileCopy {
    let source: DatabaseQueue
    let path: String

    init(from source: DatabaseQueue, path: String) {
        self.source = source
        self.path = path
    }

    /// Copies into the empty file at `target` and calls `progress` with pages done and pages in all.
    func run(to target: String, progress: (Int, Int) throws -> Void) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // The copy is synced as a whole when it is done; until then its name says that it is a part.
            try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
        }
        let hasChecksums = source.unsafeRead { $0.verifyChecksums() }
        let address = hasChecksums ? PageChecksums.address(ofCopy: target) : target
        let destination = try DatabaseQueue(path: address, configuration: configuration)
        defer { try? destination.close() }
        try source.unsafeRead { db in
            try db.inTransaction(.deferred) {
                _ = try Int.fetchOne(db, sql: "PRAGMA schema_version")
                try destination.writeWithoutTransaction { copy in try steps(db, copy, target, progress) }
                return .commit
            }
        }
    }

    private func steps(
        _ db: Database, _ copy: Database, _ target: String, _ progress: (Int, Int) throws -> Void
    ) throws {
        do {
            try withoutActuallyEscaping(progress) { progress in
                try db.backup(to: copy, pagesPerStep: 2048) { state in
                    try progress(state.completedPageCount, state.totalPageCount)
                }
            }
        } catch {
            if error is CancellationError { throw error }
            if case .corrupt(let path, let place) = db.workspaceError(error, path: path) {
                throw WorkspaceError.corrupt(path: path, place: place)
            }
            throw copy.workspaceError(error, path: target)
        }
    }
}
