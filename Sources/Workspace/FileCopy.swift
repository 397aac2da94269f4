import GRDB
import Glibc

/// A page-by-page copy of a workspace that is in use.
///
/// The copy is a consistent snapshot: the source connection reads all pages in one transaction.
struct FileCopy {
    let source: DatabaseQueue
    let path: String

    init(from source: DatabaseQueue, path: String) {
        self.source = source
        self.path = path
    }

    /// Copies the workspace into the empty file at `target`.
    ///
    /// - Parameter progress: Called with the number of copied pages and the total number of pages.
    func run(to target: String, progress: (Int, Int) throws -> Void) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // The copy is synced when it is complete; until then, its name ends in .part.
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
