internal import Bytes
internal import GRDB
internal import Glibc
internal import System
internal import Traces
internal import Workspace

extension EvalStore {
    /// Returns the last reported progress of a run, in whichever process it runs; a run reports twice a second.
    ///
    /// - Returns: `nil` if no process is running it, it has not reported yet, or its last report is older than ten
    ///   seconds.
    public func progress(of run: Int64) throws -> EvalProgress? {
        let found = try workspace.read { db -> (progress: EvalProgress?, updated: Int64)? in
            let row = try Workspace.Statement(db, "SELECT data, updated FROM eval_progress WHERE run = ?")
            row.bind(1, run)
            return try row.first { row in
                var reader = ByteReader(row.blob(0))
                return (try? reader.next(EvalProgress.self), row.int64(1))
            }
        }
        guard let found, Clock.nanoseconds(.wall) - found.updated < Self.longest else { return nil }
        return found.progress
    }

    /// Nanoseconds for which a report of a run is valid.
    private static let longest: Int64 = 10_000_000_000

    /// Stores the progress of a run without waiting for a lock: late reports are dropped.
    func keep(_ progress: EvalProgress) {
        let (bytes, now) = (progress.packed, Clock.nanoseconds(.wall))
        workspace.note("eval:\(progress.run)") { db in
            // A run that has ended in the meantime has the state in its row.
            let row = try Workspace.Statement(
                db,
                """
                INSERT OR REPLACE INTO eval_progress (run, data, updated)
                SELECT id, ?, ? FROM eval_run WHERE id = ? AND state = 'running'
                """)
            bytes.withUnsafeBytes { row.bind(1, copying: $0) }
            row.bind(2, now)
            row.bind(3, progress.run)
            try row.run()
        }
    }
}
