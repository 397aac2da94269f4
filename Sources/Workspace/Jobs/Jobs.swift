import GRDB
import Synchronization

/// The jobs of a workspace, with methods to start, list, cancel, resume, and remove them.
public struct Jobs: Sendable {
    let workspace: Workspace

    /// Adds a running job of this process.
    ///
    /// - Parameters:
    ///   - kind: Kind of job, for which ``register(_:resume:)`` can register a function that resumes it.
    ///   - title: Short title for the user.
    ///   - total: Total number of units; `nil` if unknown.
    ///   - unit: Unit of progress, such as "spans".
    ///   - arguments: JSON text with everything needed to start the job again.
    public func start(
        _ kind: String, title: String, total: Int64? = nil, unit: String = "", arguments: String? = nil
    ) throws -> JobHandle {
        let job = try workspace.write { db in
            try Self.insert(.running, kind, title: title, total: total, unit: unit, arguments: arguments, db)
        }
        return handle(job)
    }

    /// Runs `body` as a job; its result or error determines how the job ends.
    ///
    /// The job is done if `body` returns, canceled if it throws `CancellationError`, and failed if it throws another
    /// error. The result of `body` is JSON text.
    public func run(
        _ kind: String, title: String, total: Int64? = nil, unit: String = "", arguments: String? = nil,
        _ body: (JobHandle) throws -> String?
    ) throws {
        let handle = try start(kind, title: title, total: total, unit: unit, arguments: arguments)
        try Self.follow(handle) { try handle.finish(result: body(handle)) }
    }

    /// Returns the newest jobs, newest first; jobs of this process show their current progress.
    public func list(limit: Int = 100) throws -> [Job] {
        try workspace.read { db in
            try Row.fetchAll(db, sql: "\(Self.selection) ORDER BY id DESC LIMIT ?", arguments: [limit])
                .map(Self.current)
        }
        .map { workspace.desk.handle($0.id)?.job ?? $0 }
    }

    /// Returns a job; `nil` if there is no job with this number.
    public func job(_ id: Int64) throws -> Job? {
        if let handle = workspace.desk.handle(id) { return handle.job }
        return try workspace.read { db in
            try Row.fetchOne(db, sql: "\(Self.selection) WHERE id = ?", arguments: [id]).map(Self.current)
        }
    }

    /// Jobs that this process is running.
    public var active: [JobHandle] {
        workspace.desk.active.withLock { $0.values.compactMap(\.handle) }.sorted { $0.id < $1.id }
    }

    /// Cancels a job.
    ///
    /// A job of this process stops at its next step, and a job of another process when it next writes its progress. A
    /// waiting job never starts.
    public func cancel(_ id: Int64) throws {
        if let handle = workspace.desk.handle(id) {
            handle.cancellation.cancel()
            return
        }
        try workspace.write { db in
            let sql = """
                UPDATE job SET cancel = 1, state = iif(state = 'waiting', 'cancelled', state)
                WHERE id = ? AND state IN ('waiting', 'running')
                """
            try db.execute(sql: sql, arguments: [id])
        }
    }

    /// Removes a job from the list.
    ///
    /// - Throws: ``WorkspaceError/other(path:reason:)`` if a process is running the job.
    public func remove(_ id: Int64) throws {
        guard workspace.desk.handle(id) == nil else { throw runningError(id, ProcessIdentity.current.pid) }
        try workspace.write { db in
            if let identity = try Self.owner(of: id, db), identity != .current, identity.life == .alive {
                throw runningError(id, identity.pid)
            }
            try db.execute(sql: "DELETE FROM job WHERE id = ?", arguments: [id])
        }
    }

    /// Calls `observer` when a job of this process makes progress, at most ten times per second per job, and when it
    /// ends.
    ///
    /// The calls happen on the thread of the job, so `observer` must return quickly; for example, it can post a
    /// message.
    ///
    /// - Returns: A function that removes the observer.
    public func observe(_ observer: @escaping @Sendable (Job) -> Void) -> @Sendable () -> Void {
        let desk = workspace.desk
        let key = desk.observe(observer)
        return { desk.observers.withLock { _ = $0.removeValue(forKey: key) } }
    }

    func handle(_ job: Job) -> JobHandle {
        let handle = JobHandle(job, workspace: workspace)
        workspace.desk.active.withLock { $0[job.id] = JobDesk.WeakHandle(handle: handle) }
        workspace.desk.notify(job)
        return handle
    }

    static func follow(_ handle: JobHandle, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as CancellationError {
            handle.cancelled()
            throw error
        } catch {
            handle.fail("\(error)")
            throw error
        }
    }

    func runningError(_ id: Int64, _ pid: Int32) -> WorkspaceError {
        .other(path: workspace.path, reason: "job \(id) is running in process \(pid). Cancel it first")
    }
}

extension Workspace {
    /// Background jobs of this workspace, including finished ones.
    public var jobs: Jobs { Jobs(workspace: self) }
}
