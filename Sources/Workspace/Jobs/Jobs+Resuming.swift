import GRDB
import Synchronization
import System

extension Jobs {
    /// Registers the function that ``resume(_:)`` runs for jobs of a kind.
    ///
    /// `resume` receives the job with its arguments, and a handle. It can end the job through the handle; otherwise the
    /// job is done when `resume` returns, and canceled or failed when it throws.
    public func register(_ kind: String, resume: @escaping @Sendable (Job, JobHandle) throws -> Void) {
        workspace.desk.resumes.withLock { $0[kind] = resume }
    }

    /// Adds a waiting job, which ``resume(_:)`` starts in this process or, after this process has ended, in another.
    public func enqueue(
        _ kind: String, title: String, total: Int64? = nil, unit: String = "", arguments: String? = nil
    ) throws -> Job {
        try workspace.write { db in
            try Self.insert(.waiting, kind, title: title, total: total, unit: unit, arguments: arguments, db)
        }
    }

    /// Returns whether ``resume(_:)`` can run this job.
    public func canResume(_ job: Job) -> Bool {
        guard workspace.desk.resumes.withLock({ $0[job.kind] }) != nil else { return false }
        return switch job.state {
        case .waiting, .interrupted, .failed, .cancelled: true
        case .running, .done: false
        }
    }

    /// Runs a waiting, interrupted, failed, or canceled job until it ends.
    ///
    /// If two processes try at the same time, only one runs the job. The count of completed units is not reset; the
    /// function registered with ``register(_:resume:)`` continues from there, or resets the count with
    /// ``JobHandle/restart(at:)``.
    ///
    /// - Parameters:
    ///   - id: Job number.
    ///   - began: Called with the handle before the job starts.
    /// - Throws: ``WorkspaceError/other(path:reason:)`` if the job cannot be resumed; rethrows errors from the job.
    public func resume(_ id: Int64, began: (JobHandle) -> Void = { _ in }) throws {
        guard let known = try job(id) else { throw failure("job \(id) does not exist") }
        guard let work = workspace.desk.resumes.withLock({ $0[known.kind] }) else {
            throw failure("job \(id) (\(known.kind)) cannot be resumed. Start it again")
        }
        // A waiting note about the end of the previous run must not end this one.
        workspace.writer?.drop("job:\(id)")
        let job = try workspace.write { db in try claim(id, db) }
        let handle = handle(job)
        began(handle)
        try Self.follow(handle) {
            try work(job, handle)
            try handle.finish()
        }
    }

    private func claim(_ id: Int64, _ db: Database) throws -> Job {
        try Self.markInterrupted(db)
        let me = ProcessIdentity.current
        let now = Clock.now(.wall)
        let sql = """
            UPDATE job SET state = 'running', cancel = 0, error = NULL, result = NULL, finished = NULL,
                machine = ?, pid = ?, process_start = ?, started = ?, updated = ?
            WHERE id = ? AND (state IN ('interrupted', 'failed', 'cancelled')
                OR state = 'waiting' AND pid = ? AND process_start = ?)
            """
        try db.execute(
            sql: sql, arguments: [me.machine, me.pid, me.start, now, now, id, me.pid, me.start])
        let isClaimed = db.changesCount == 1
        guard
            let job = try Row.fetchOne(db, sql: "\(Self.selection) WHERE id = ?", arguments: [id]).map(Self.job(from:))
        else { throw failure("job \(id) does not exist") }
        guard isClaimed else { throw failure("job \(id) is \(job.state.rawValue), so it cannot be resumed") }
        return job
    }

    private func failure(_ reason: String) -> WorkspaceError {
        .other(path: workspace.path, reason: reason)
    }
}
