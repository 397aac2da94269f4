import GRDB
import Synchronization

extension Jobs {
    /// Says how jobs of a kind go on after they were cut off.
    ///
    /// `resume` gets the job with its arguments and a handle; the job ends as `resume` says through the handle, or as
    /// done when it returns, cancelled or failed when it throws.
    public func register(_ kind: String, resume: @escaping @Sendable (Job, JobHandle) throws -> Void) {
        workspace.desk.resumes.withLock { $0[kind] = resume }
    }

    /// Adds a job that waits; ``resume(_:)`` begins it, in this process or, when this one has ended, in another.
    public func enqueue(
        _ kind: String, title: String, total: Int64? = nil, unit: String = "", arguments: String? = nil
    ) throws -> Job {
        try workspace.write { db in
            try Self.insert(.waiting, kind, title: title, total: total, unit: unit, arguments: arguments, db)
        }
    }

    /// Whether ``resume(_:)`` can take up this job.
    public func canResume(_ job: Job) -> Bool {
        guard workspace.desk.resumes.withLock({ $0[job.kind] }) != nil else { return false }
        return switch job.state {
        case .waiting, .interrupted, .failed, .cancelled: true
        case .running, .done: false
        }
    }

    /// Takes up a waiting, interrupted, failed or cancelled job under its number and works on it until it ends.
    ///
    /// Two processes that try at the same time do not both get it. What was counted as done stays counted; `resume` of
    /// ``register(_:resume:)`` goes on from there, or sets the count back with ``JobHandle/restart()``.
    ///
    /// - Parameter began: receives the handle before the work starts.
    /// - Throws: ``WorkspaceError/other(path:reason:)`` when there is nothing to resume, and what the work throws.
    public func resume(_ id: Int64, began: (JobHandle) -> Void = { _ in }) throws {
        guard let known = try job(id) else { throw refusal("there is no job \(id)") }
        guard let work = workspace.desk.resumes.withLock({ $0[known.kind] }) else {
            throw refusal("job \(id) (\(known.kind)) cannot be resumed: start it again")
        }
        // The end of its last run, if that is still to be written, must not end this one.
        workspace.writer?.drop("job:\(id)")
        let job = try workspace.write { db in try take(id, db) }
        let handle = handle(job)
        began(handle)
        try Self.follow(handle) {
            try work(job, handle)
            try handle.finish()
        }
    }

    private func take(_ id: Int64, _ db: Database) throws -> Job {
        try Self.markInterrupted(db)
        let me = ProcessIdentity.current
        let now = Clock.now()
        let sql = """
            UPDATE job SET state = 'running', cancel = 0, error = NULL, result = NULL, finished = NULL,
                machine = ?, pid = ?, process_start = ?, started = ?, updated = ?
            WHERE id = ? AND (state IN ('interrupted', 'failed', 'cancelled')
                OR state = 'waiting' AND pid = ? AND process_start = ?)
            """
        try db.execute(
            sql: sql, arguments: [me.machine, me.pid, me.start, now, now, id, me.pid, me.start])
        let taken = db.changesCount == 1
        guard
            let job = try Row.fetchOne(db, sql: "\(Self.selection) WHERE id = ?", arguments: [id]).map(Self.job(from:))
        else { throw refusal("there is no job \(id)") }
        guard taken else { throw refusal("job \(id) is \(job.state.rawValue): there is nothing to resume") }
        return job
    }

    private func refusal(_ reason: String) -> WorkspaceError {
        .other(path: workspace.path, reason: reason)
    }
}
