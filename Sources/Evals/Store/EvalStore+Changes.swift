public import EvalLogs
internal import GRDB
internal import System
internal import Traces
internal import Workspace

/// Commands to a run in progress, in this or another process.
public enum EvalInstruction: Hashable, Sendable {
    case cancel
    case pause
    case resume
    /// Maximum number of samples in flight, 1 to 512.
    case concurrency(Int)
}

extension EvalStore {
    /// Sends a command to a run in progress, which obeys within half a second, in whichever process it runs.
    ///
    /// - Throws: `Problem` if no process is running it.
    public func send(_ command: EvalInstruction, to run: Int64) throws {
        guard let stored = try stored(run) else { throw Problem.noRun(run) }
        guard stored.run.state == .running else {
            throw Problem(
                .failed, "", "\(stored.run.name) is \(stored.run.state.rawValue)",
                remedy: "Only a run in progress can be changed.")
        }
        let (column, value): (String, Int) =
            switch command {
            case .cancel: ("cancel", 1)
            case .pause: ("pause", 1)
            case .resume: ("pause", 0)
            case .concurrency(let count): ("concurrency", min(max(1, count), EvalControls.mostConcurrency))
            }
        try workspace.write { db in
            try db.execute(
                sql: """
                    INSERT INTO eval_command (run, number, \(column)) VALUES (?, 1, ?)
                    ON CONFLICT (run) DO UPDATE SET number = number + 1, \(column) = excluded.\(column)
                    """, arguments: [run, value])
        }
    }

    /// Returns whether the last command to a run was a pause; `nil` without commands since it started or resumed.
    public func isPaused(_ run: Int64) throws -> Bool? {
        try workspace.read { db in
            try Int.fetchOne(db, sql: "SELECT pause FROM eval_command WHERE run = ?", arguments: [run]).map { $0 != 0 }
        }
    }

    /// Deletes a run with its samples; its answers are no longer reused for equal requests.
    ///
    /// - Throws: `Problem` while a process is running it.
    public func delete(_ run: Int64) throws {
        guard let stored = try stored(run) else { throw Problem.noRun(run) }
        guard stored.run.state != .running else {
            throw Problem(.busy, "", "\(stored.run.name) is running", remedy: "Cancel it first.")
        }
        let keys = SampleKey.range(of: run)
        try workspace.write { db in
            let bounds: StatementArguments = [keys.lowerBound, keys.upperBound]
            // Another process may have resumed the run in the meantime.
            try db.execute(sql: "DELETE FROM eval_run WHERE id = ? AND job IS ?", arguments: [run, stored.job])
            guard db.changesCount == 1 else {
                throw Problem(.busy, "", "Another process has just resumed or deleted run \(run)")
            }
            try db.execute(sql: "DELETE FROM eval_row WHERE id BETWEEN ? AND ?", arguments: bounds)
            try db.execute(sql: "DELETE FROM eval_record WHERE id BETWEEN ? AND ?", arguments: bounds)
            try db.execute(sql: "DELETE FROM eval_cache WHERE sample BETWEEN ? AND ?", arguments: bounds)
            try db.execute(sql: "DELETE FROM eval_command WHERE run = ?", arguments: [run])
            try db.execute(sql: "DELETE FROM eval_progress WHERE run = ?", arguments: [run])
        }
        if let job = stored.job { try? workspace.jobs.remove(job) }
    }

    /// Renames a run.
    public func rename(_ run: Int64, to name: String) throws {
        guard !name.isEmpty, name.utf8.count <= 1000, Int64(name) == nil, name != "latest" else {
            throw Problem(
                .invalid, "", "A run name must have 1 to 1,000 bytes, and must not be a number or the word latest")
        }
        try change(run, "name = ?", [name])
    }

    /// Replaces the figures of a run, after a review or with another judge.
    public func setMetrics(_ metrics: [EvalMetric], of run: Int64) throws {
        try write(RunMetrics(metrics: metrics).packed, to: "metrics", of: run)
    }

    /// Stores the trace that was made of a sample.
    public func note(trace: String, for run: Int64, _ index: Int) throws {
        try workspace.write { db in
            try db.execute(
                sql: "UPDATE eval_row SET trace = ? WHERE id = ?",
                arguments: [trace, SampleKey(run: run, index: index).id])
        }
    }

    private func change(_ run: Int64, _ assignment: String, _ values: StatementArguments) throws {
        try workspace.write { db in
            try db.execute(sql: "UPDATE eval_run SET \(assignment) WHERE id = ?", arguments: values + [run])
            if db.changesCount == 0 { throw Problem.noRun(run) }
        }
    }

    private func write(_ bytes: [UInt8], to column: String, of run: Int64) throws {
        try workspace.write { db in
            let statement = try Workspace.Statement(db, "UPDATE eval_run SET \(column) = ? WHERE id = ?")
            bytes.withUnsafeBytes { statement.bind(1, copying: $0) }
            statement.bind(2, run)
            try statement.run()
            if db.changesCount == 0 { throw Problem.noRun(run) }
        }
    }
}
