public import GRDB
import Glibc
import Synchronization

/// The hold of working code on its job: it reports progress, hears of cancelling and says how it ended.
///
/// ```swift
/// let job = try workspace.jobs.start("traces.import", title: "import session.jsonl")
/// for batch in batches {
///     try workspace.write { db in try append(batch, db) }
///     try job.advance(by: Int64(batch.count), of: estimate, unit: "spans")    // throws once it is cancelled
/// }
/// try job.finish(result: #"{"spans": 217}"#)
/// ```
///
/// A handle that goes away without a word leaves the job interrupted.
public final class JobHandle: Sendable {
    public let id: Int64
    /// Cancelled together with the job: pass it to what should end at once.
    public let cancellation = Cancellation()

    struct Progress {
        var job: Job
        var ended = false
        /// Monotonic seconds.
        var begun: Double
        var doneBefore: Int64
        var noted: Double
        var told: Double
    }

    private let progress: Mutex<Progress>
    private let workspace: Workspace

    init(_ job: Job, workspace: Workspace) {
        id = job.id
        let now = Clock.monotonic()
        progress = Mutex(Progress(job: job, begun: now, doneBefore: job.done, noted: now, told: 0))
        self.workspace = workspace
    }

    deinit {
        guard !progress.withLock({ $0.ended }) else { return }
        end(.interrupted) { _ in }
    }

    /// The job as it stands now, ahead of its row.
    public var job: Job { progress.withLock { $0.job } }

    /// True once somebody, here or in another process, asked the job to end.
    public var isCancelled: Bool { cancellation.isCancelled }

    /// Units a second since the work began or went on; nil before there is anything to count.
    public var rate: Double? {
        progress.withLock { state in
            let seconds = (state.job.finished == nil ? Clock.monotonic() : state.noted) - state.begun
            let count = state.job.done - state.doneBefore
            return seconds > 0 && count > 0 ? Double(count) / seconds : nil
        }
    }

    /// Seconds that the rest will take at the rate so far; nil where total or rate are not known.
    public var remaining: Double? {
        guard let rate, let total = job.total else { return nil }
        return Double(max(0, total - job.done)) / rate
    }

    /// Counts what is on the disk, and ends the work when somebody cancelled it.
    ///
    /// Cheap enough for every batch: observers hear of it at most ten times a second, and the row is written at most
    /// twice, never while a transaction of this workspace is open.
    ///
    /// - Parameter isNotable: writes the row now, for work that is about to pause.
    /// - Throws: `CancellationError` once the job is cancelled.
    public func advance(by count: Int64, of total: Int64? = nil, unit: String? = nil, isNotable: Bool = false) throws {
        let now = Clock.monotonic()
        let (note, told) = progress.withLock { state -> (Job?, Job?) in
            state.job.done += count
            if let total { state.job.total = total }
            if let unit, unit != state.job.unit { state.job.unit = unit }
            var due: (Job?, Job?) = (nil, nil)
            if isNotable || now - state.noted >= 0.5 {
                state.noted = now
                state.job.updated = Clock.now()
                due.0 = state.job
            }
            if now - state.told >= 0.1 {
                state.told = now
                due.1 = state.job
            }
            return due
        }
        if let told { workspace.desk.tell(told) }
        if let note { write(note) }
        try cancellation.check()
    }

    /// Tells observers how far the work is, ahead of what is on the disk; nothing is counted or written.
    ///
    /// For work that puts much on the disk at once: its bar moves meanwhile. Observers hear of it at most ten times a
    /// second.
    public func tell(done: Int64, of total: Int64? = nil, unit: String? = nil) {
        let now = Clock.monotonic()
        let told = progress.withLock { state -> Job? in
            guard !state.ended, now - state.told >= 0.1 else { return nil }
            state.told = now
            var job = state.job
            job.done = done
            if let total { job.total = total }
            if let unit { job.unit = unit }
            return job
        }
        if let told { workspace.desk.tell(told) }
    }

    /// Counts from 0 again, or from a checkpoint, whose units do not count toward the rate.
    public func restart(at done: Int64 = 0) {
        progress.withLock { state in
            state.job.done = done
            state.doneBefore = done
            state.begun = Clock.monotonic()
        }
    }

    /// Ends the job as done, with JSON text that says what came of it; that is on the disk when this returns.
    ///
    /// Inside a transaction of the workspace, and while another process writes for long, it is written after that.
    public func finish(result: String? = nil) throws {
        guard let ended = end(.done, writes: false, { $0.result = result }) else { return }
        if workspace.writer?.isMine == true { return note(ended) }
        do {
            try workspace.write { db in try Self.save(ended, db) }
        } catch WorkspaceError.busy {
            note(ended)
        }
    }

    /// Ends the job as done within the transaction that holds its last rows: both are on the disk or neither.
    public func finish(result: String? = nil, in db: Database) throws {
        let ended = end(.done, writes: false) { $0.result = result }
        if let ended { try Self.save(ended, db) }
    }

    /// Ends the job as failed, with a sentence for people.
    public func fail(_ sentence: String) {
        end(.failed) { $0.error = sentence }
    }

    /// Ends the job as cancelled: what the working code says when it has stopped.
    public func cancelled() {
        end(.cancelled) { _ in }
    }

    @discardableResult
    private func end(_ state: Job.State, writes: Bool = true, _ change: (inout Job) -> Void) -> Job? {
        let ended = progress.withLock { progress -> Job? in
            guard !progress.ended else { return nil }
            progress.ended = true
            progress.noted = Clock.monotonic()
            progress.job.state = state
            progress.job.updated = Clock.now()
            progress.job.finished = progress.job.updated
            change(&progress.job)
            return progress.job
        }
        guard let ended else { return nil }
        workspace.desk.active.withLock { _ = $0.removeValue(forKey: id) }
        workspace.writer?.drop("job:\(id)")
        if writes { note(ended) }
        workspace.desk.tell(ended)
        return ended
    }

    private func note(_ ended: Job) {
        workspace.writer?.note("job:\(id)") { db in try Self.save(ended, db) }
    }

    private func write(_ job: Job) {
        let cancellation = cancellation
        workspace.writer?.note("job:\(id)") { db in
            // What another process left in the row is read on the way.
            let sql = """
                UPDATE job SET done = ?, total = ?, unit = ?, updated = ? WHERE id = ? AND state = 'running'
                RETURNING cancel
                """
            let asked = try Bool.fetchOne(
                db, sql: sql, arguments: [job.done, job.total, job.unit, job.updated, job.id])
            // A row that is no longer running was taken away by somebody.
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
