import GRDB
import Synchronization

/// The jobs of a workspace: started, listed, cancelled, resumed and removed.
public struct Jobs: Sendable {
    let workspace: Workspace

    /// Adds a job that this process begins at once.
    ///
    /// - Parameters:
    ///   - kind: under which ``register(_:resume:)`` can take it up again.
    ///   - arguments: JSON text with all that starting it again needs.
    public func start(
        _ kind: String, title: String, total: Int64? = nil, unit: String = "", arguments: String? = nil
    ) throws -> JobHandle {
        let job = try workspace.write { db in
            try Self.insert(.running, kind, title: title, total: total, unit: unit, arguments: arguments, db)
        }
        return handle(job)
    }

    /// Runs `body` as a job whose end follows from how `body` ends: its JSON text, an error, a cancellation.
    public func run(
        _ kind: String, title: String, total: Int64? = nil, unit: String = "", arguments: String? = nil,
        _ body: (JobHandle) throws -> String?
    ) throws {
        let handle = try start(kind, title: title, total: total, unit: unit, arguments: arguments)
        try Self.follow(handle) { try handle.finish(result: body(handle)) }
    }

    /// The newest jobs, newest first; those of this process with their progress of this moment.
    public func list(limit: Int = 100) throws -> [Job] {
        try workspace.read { db in
            try Row.fetchAll(db, sql: "\(Self.selection) ORDER BY id DESC LIMIT ?", arguments: [limit])
                .map(Self.seen)
        }
        .map { workspace.desk.handle($0.id)?.job ?? $0 }
    }

    /// One job; nil where it was removed.
    public func job(_ id: Int64) throws -> Job? {
        if let handle = workspace.desk.handle(id) { return handle.job }
        return try workspace.read { db in
            try Row.fetchOne(db, sql: "\(Self.selection) WHERE id = ?", arguments: [id]).map(Self.seen)
        }
    }

    /// The jobs that this process is at work on.
    public var active: [JobHandle] {
        workspace.desk.active.withLock { $0.values.compactMap(\.handle) }.sorted { $0.id < $1.id }
    }

    /// Asks a job to end: here at its next step, in another process when it next writes its progress; a waiting one
    /// never begins.
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

    /// Takes a job off the list.
    ///
    /// - Throws: ``WorkspaceError/other(path:reason:)`` while a living process is at work on it.
    public func remove(_ id: Int64) throws {
        guard workspace.desk.handle(id) == nil else { throw atWork(id, ProcessIdentity.current.pid) }
        try workspace.write { db in
            if let identity = try Self.owner(of: id, db), identity != .current, identity.life == .alive {
                throw atWork(id, identity.pid)
            }
            try db.execute(sql: "DELETE FROM job WHERE id = ?", arguments: [id])
        }
    }

    /// Calls `observer` when a job of this process moves on, at most ten times a second each, and when it ends.
    ///
    /// It is called on the thread that does the work and must return quickly: post a message. Call what this returns to
    /// stop.
    public func observe(_ observer: @escaping @Sendable (Job) -> Void) -> @Sendable () -> Void {
        let desk = workspace.desk
        let key = desk.observe(observer)
        return { desk.observers.withLock { _ = $0.removeValue(forKey: key) } }
    }

    func handle(_ job: Job) -> JobHandle {
        let handle = JobHandle(job, workspace: workspace)
        workspace.desk.active.withLock { $0[job.id] = JobDesk.WeakHandle(handle: handle) }
        workspace.desk.tell(job)
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

    func atWork(_ id: Int64, _ pid: Int32) -> WorkspaceError {
        .other(path: workspace.path, reason: "job \(id) is running in process \(pid): cancel it first")
    }
}

extension Workspace {
    /// What is going on in this workspace, and what went on.
    public var jobs: Jobs { Jobs(workspace: self) }
}
