import GRDB
import System

/// Access to the rows of jobs.
extension Jobs {
    static let selection = """
        SELECT id, kind, title, arguments, state, done, total, unit, result, error, pid, created, started, updated,
            finished, process_start, machine FROM job
        """

    /// Returns the job of a row; if its process has ended, an active job becomes interrupted.
    static func current(_ row: Row) -> Job {
        var job = job(from: row)
        if job.state.isActive, identity(from: row).map({ $0.life == .gone }) ?? true { job.state = .interrupted }
        return job
    }

    static func job(from row: Row) -> Job {
        Job(
            id: row[0], kind: row[1], title: row[2], arguments: row[3],
            state: Job.State(rawValue: row[4] as String) ?? .failed, done: row[5], total: row[6], unit: row[7],
            result: row[8], error: row[9], pid: row[10], created: row[11], started: row[12], updated: row[13],
            finished: row[14])
    }

    static func insert(
        _ state: Job.State, _ kind: String, title: String, total: Int64?, unit: String, arguments: String?,
        _ db: Database
    ) throws -> Job {
        let me = ProcessIdentity.current
        let now = Clock.now(.wall)
        let started = state == .running ? now : nil
        let sql = """
            INSERT INTO job (kind, title, arguments, state, total, unit, machine, pid, process_start, created, started,
                updated)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.execute(
            sql: sql,
            arguments: [
                kind, title, arguments, state.rawValue, total, unit, me.machine, me.pid, me.start, now, started, now,
            ])
        return Job(
            id: db.lastInsertedRowID, kind: kind, title: title, arguments: arguments, state: state, done: 0,
            total: total, unit: unit, result: nil, error: nil, pid: me.pid, created: now, started: started,
            updated: now,
            finished: nil)
    }

    /// Marks waiting and running jobs as interrupted if their process has ended.
    ///
    /// Jobs of running processes and jobs on other machines stay unchanged.
    static func markInterrupted(_ db: Database) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, pid, process_start, machine FROM job WHERE state IN ('waiting', 'running')")
        for row in rows where identity(from: row).map({ $0.life == .gone }) ?? true {
            // If another process has resumed the job in the meantime, the row has that process's ID.
            let sql = """
                UPDATE job SET state = 'interrupted', finished = updated
                WHERE id = ? AND state IN ('waiting', 'running') AND pid IS ? AND process_start IS ?
                """
            let pid: Int32? = row["pid"]
            let start: Int64? = row["process_start"]
            try db.execute(sql: sql, arguments: [row[0] as Int64, pid, start])
        }
    }

    /// Returns a phrase that names another process with a running job in this file, to start a sentence; `nil` if none.
    func otherWriter() -> String? {
        let rows = try? workspace.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT id, pid, process_start, machine, title FROM job WHERE state = 'running' ORDER BY id DESC")
        }
        for row in rows ?? [] {
            guard let identity = Self.identity(from: row), identity != .current, identity.life == .alive else {
                continue
            }
            return "Process \(identity.pid) (\(row["title"] as String))"
        }
        return nil
    }

    /// Returns a phrase that names this process's most recent job, to start a sentence; a general phrase if none.
    func ownWriter() -> String? {
        active.last.map { "Another part of this process (\($0.job.title))" } ?? "Another part of this process"
    }

    static func owner(of id: Int64, _ db: Database) throws -> ProcessIdentity? {
        let sql = """
            SELECT id, pid, process_start, machine FROM job WHERE id = ? AND state IN ('waiting', 'running')
            """
        return try Row.fetchOne(db, sql: sql, arguments: [id]).flatMap(identity(from:))
    }

    private static func identity(from row: Row) -> ProcessIdentity? {
        guard let pid: Int32 = row["pid"], let start: Int64 = row["process_start"], let machine: String = row["machine"]
        else { return nil }
        return ProcessIdentity(pid: pid, start: start, machine: machine)
    }
}
