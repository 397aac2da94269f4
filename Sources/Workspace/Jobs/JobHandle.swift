public import GRDB
import Glibc
import Synchronization
internal import System

/// A handle that running code uses to report its job's progress and completion, and to check for cancellation.
///
/// ```swift
/// let job = try workspace.jobs.start("traces.import", title: "import session.jsonl")
/// for batch in batches {
///     try workspace.write { db in try append(batch, db) }
///     try job.advance(by: Int64(batch.count), of: estimate, unit: "spans")    // throws if the job was canceled
/// }
/// try job.finish(result: #"{"spans": 217}"#)
/// ```
///
/// If a handle is released before the job has ended, the job becomes interrupted.
public final class JobHandle: Sendable {
    /// Job number.
    public let id: Int64
    /// Cancellation flag of the job; pass it to operations that should stop immediately.
    public let cancellation = Cancellation()

    struct Progress {
        var job: Job
        var ended = false
        /// Monotonic time at which counting started.
        var started: Double
        /// Number of units already completed when counting started.
        var doneBefore: Int64
        /// Monotonic time at which the row was last written.
        var saved: Double
        /// Monotonic time at which observers were last notified.
        var notified: Double
    }

    private let progress: Mutex<Progress>
    private let workspace: Workspace

    init(_ job: Job, workspace: Workspace) {
        id = job.id
        let now = Clock.now(.monotonic)
        progress = Mutex(Progress(job: job, started: now, doneBefore: job.done, saved: now, notified: 0))
        self.workspace = workspace
    }

    deinit {
        guard !progress.withLock({ $0.ended }) else { return }
        end(.interrupted) { _ in }
    }

    /// Current state of the job, which can be newer than its row.
    public var job: Job { progress.withLock { $0.job } }

    /// Whether the job was canceled, in this process or another one.
    public var isCancelled: Bool { cancellation.isCancelled }

    /// Units per second since the job started or resumed; `nil` if nothing has been counted.
    public var rate: Double? {
        progress.withLock { state in
            let seconds = (state.job.finished == nil ? Clock.now(.monotonic) : state.saved) - state.started
            let count = state.job.done - state.doneBefore
            return seconds > 0 && count > 0 ? Double(count) / seconds : nil
        }
    }

    /// Estimated remaining time in seconds, at the rate so far; `nil` if the total or the rate is unknown.
    public var remaining: Double? {
        guard let rate, let total = job.total else { return nil }
        return Double(max(0, total - job.done)) / rate
    }

    /// Counts units that are stored on disk, and throws if the job was canceled.
    ///
    /// The call is cheap enough for every batch: observers are notified at most ten times per second, and the row is
    /// written at most twice per second, never while a transaction of this workspace is open.
    ///
    /// - Parameters:
    ///   - count: Number of additional units.
    ///   - total: New total number of units (default: unchanged).
    ///   - unit: New unit (default: unchanged).
    ///   - isNotable: Whether to write the row now, because the job is about to pause.
    /// - Throws: `CancellationError` if the job was canceled.
    public func advance(by count: Int64, of total: Int64? = nil, unit: String? = nil, isNotable: Bool = false) throws {
        let now = Clock.now(.monotonic)
        let (toSave, toNotify) = progress.withLock { state -> (Job?, Job?) in
            state.job.done += count
            if let total { state.job.total = total }
            if let unit, unit != state.job.unit { state.job.unit = unit }
            var due: (Job?, Job?) = (nil, nil)
            if isNotable || now - state.saved >= 0.5 {
                state.saved = now
                state.job.updated = Clock.now(.wall)
                due.0 = state.job
            }
            if now - state.notified >= 0.1 {
                state.notified = now
                due.1 = state.job
            }
            return due
        }
        if let toNotify { workspace.desk.notify(toNotify) }
        if let toSave { write(toSave) }
        try cancellation.check()
    }

    /// Notifies observers of progress that is not on disk yet; nothing is counted or written.
    ///
    /// Use it for jobs that write a lot of data at once, so that their progress bar moves in the meantime. Observers
    /// are notified at most ten times per second.
    public func report(done: Int64, of total: Int64? = nil, unit: String? = nil) {
        let now = Clock.now(.monotonic)
        let toNotify = progress.withLock { state -> Job? in
            guard !state.ended, now - state.notified >= 0.1 else { return nil }
            state.notified = now
            var job = state.job
            job.done = done
            if let total { job.total = total }
            if let unit { job.unit = unit }
            return job
        }
        if let toNotify { workspace.desk.notify(toNotify) }
    }

    /// Resets the count to 0, or to a checkpoint's count; units before this call do not count toward the rate.
    public func restart(at done: Int64 = 0) {
        progress.withLock { state in
            state.job.done = done
            state.doneBefore = done
            state.started = Clock.now(.monotonic)
        }
    }

    /// Ends the job as done and writes its row.
    ///
    /// The row is on disk when this method returns, except inside a workspace transaction or while another process
    /// is writing for a long time; the row is then written afterward.
    ///
    /// - Parameter result: Result as JSON text.
    public func finish(result: String? = nil) throws {
        guard let ended = end(.done, writes: false, { $0.result = result }) else { return }
        if workspace.writer?.isMine == true { return note(ended) }
        do {
            try workspace.write { db in try Self.save(ended, db) }
        } catch WorkspaceError.busy {
            note(ended)
        }
    }

    /// Ends the job as done in the transaction that writes its last rows, so that either both are stored or neither is.
    ///
    /// - Parameters:
    ///   - result: Result as JSON text.
    ///   - db: Connection with the open transaction.
    public func finish(result: String? = nil, in db: Database) throws {
        let ended = end(.done, writes: false) { $0.result = result }
        if let ended { try Self.save(ended, db) }
    }

    /// Ends the job as failed, with a message for the user.
    public func fail(_ sentence: String) {
        end(.failed) { $0.error = sentence }
    }

    /// Ends the job as canceled; running code calls this method when it has stopped.
    public func cancelled() {
        end(.cancelled) { _ in }
    }

    @discardableResult
    private func end(_ state: Job.State, writes: Bool = true, _ change: (inout Job) -> Void) -> Job? {
        let ended = progress.withLock { progress -> Job? in
            guard !progress.ended else { return nil }
            progress.ended = true
            progress.saved = Clock.now(.monotonic)
            progress.job.state = state
            progress.job.updated = Clock.now(.wall)
            progress.job.finished = progress.job.updated
            change(&progress.job)
            return progress.job
        }
        guard let ended else { return nil }
        workspace.desk.active.withLock { _ = $0.removeValue(forKey: id) }
        workspace.writer?.drop("job:\(id)")
        if writes { note(ended) }
        workspace.desk.notify(ended)
        return ended
    }

    private func note(_ ended: Job) {
        workspace.writer?.note("job:\(id)") { db in try Self.save(ended, db) }
    }

    private func write(_ job: Job) {
        let cancellation = cancellation
        workspace.writer?.note("job:\(id)") { db in
            // The same statement also reads whether another process has canceled the job.
            let sql = """
                UPDATE job SET done = ?, total = ?, unit = ?, updated = ? WHERE id = ? AND state = 'running'
                RETURNING cancel
                """
            let asked = try Bool.fetchOne(
                db, sql: sql, arguments: [job.done, job.total, job.unit, job.updated, job.id])
            // If the row is missing or no longer running, another process has removed or canceled the job.
            if asked ?? true { cancellation.cancel() }
        }
    }

    private static func save(_ job: Job, _ db: Database) throws {
        let sql = """
            UPDATE job SET state = ?, done = ?, total = ?, unit = ?, result = ?, error = ?, updated = ?, finished = ?
            WHERE id = ? AND state = 'running'
            """
        try db.execute(
            sql: sql,
            arguments: [
                job.state.rawValue, job.done, job.total, job.unit, job.result, job.error, job.updated, job.finished,
                job.id,
            ])
    }
}
