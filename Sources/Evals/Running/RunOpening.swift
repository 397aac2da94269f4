internal import EvalLogs
internal import GRDB
internal import JSON
internal import LanguageModels
internal import Providers
internal import Statistics
internal import System
internal import Workspace

/// Creates or resumes the row of a run, with its job.
struct RunOpening {
    let id: Int64
    let job: JobHandle
    /// Indices that have ended before and stay as they are.
    var ended: Set<Int> = []
    /// Samples to send or judge again, by index. They stay until their replacement is on the disk, so that nothing is
    /// lost if the run is cut off.
    var replaced: [Int: ReplacedSample] = [:]
    /// Indices with a stored but unjudged answer: only the judge is called.
    var unjudged: Set<Int> = []
    var spent = EvalSpending()
    var meter = RunMeter()

    init(_ runner: EvalRunner, job: JobHandle?) throws {
        let workspace = runner.workspace
        if let resumed = runner.resumed {
            id = resumed.stored.id
            self.job = try Self.takeUp(resumed, runner, job)
            guard let stored = try EvalStore(workspace).stored(id) else { throw Problem.noRun(id) }
            spent = stored.spent
            try look(workspace, again: resumed.again)
        } else {
            let id = try Self.insert(runner)
            self.id = id
            let handle = try job ?? Self.start(runner, run: id)
            self.job = handle
            try workspace.write { db in
                try db.execute(sql: "UPDATE eval_run SET job = ? WHERE id = ?", arguments: [handle.id, id])
            }
        }
    }

    /// Returns the name of a run: task and model, unless the order has one.
    static func name(of order: EvalOrder) -> String {
        order.options.name ?? "\(order.task.name) \(order.solver.name)"
    }

    private static func insert(_ runner: EvalRunner) throws -> Int64 {
        let (order, plan) = (runner.order, runner.plan)
        let task = order.task
        let source = try Compressor().compress(Array(task.source.utf8))
        var settings = task.settings
        if plan.epochs > 1 { settings.append(EvalSetting("epochs", String(plan.epochs))) }
        if plan.epochs > 1, task.reducer != .mean { settings.append(EvalSetting("reducer", task.reducer.name)) }
        if let group = order.options.group, !settings.contains(where: { $0.name == "group" }) {
            settings.append(EvalSetting("group", group))
        }
        if order.options.seed != 0 { settings.append(EvalSetting("seed", String(order.options.seed))) }
        let head = RunHead(scores: plan.kinds, slices: task.slices, settings: settings).packed
        let options = order.options.packed
        let prompt = settings.first { $0.name == "prompt" }?.value
        let words = JSONValue.array(order.arguments.map { .string($0) }).json()
        let started = runner.clock.wall()
        return try runner.workspace.write { db in
            let row = try Workspace.Statement(
                db,
                """
                INSERT INTO eval_run (name, task, task_version, task_format, task_path, source, digest, model, identity,
                    arguments, options, run_group, prompt, epochs, total, head, state, cost, unscored, cached, started)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', 0, 0, 0, ?)
                """)
            row.bind(1, name(of: order))
            row.bind(2, task.name)
            row.bind(3, task.version)
            row.bind(4, task.format)
            row.bind(5, task.path)
            source.withUnsafeBytes { row.bind(6, copying: $0) }
            row.bind(7, plan.digest)
            row.bind(8, order.solver.name)
            row.bind(9, order.solver.identity)
            row.bind(10, words)
            options.withUnsafeBytes { row.bind(11, copying: $0) }
            row.bind(12, order.options.group)
            row.bind(13, prompt)
            row.bind(14, plan.epochs)
            row.bind(15, plan.total)
            head.withUnsafeBytes { row.bind(16, copying: $0) }
            row.bind(17, started)
            try row.run()
            return db.lastInsertedRowID
        }
    }

    private static func start(_ runner: EvalRunner, run: Int64) throws -> JobHandle {
        let words = JSONValue.array(runner.order.arguments.map { .string($0) })
        let arguments = JSONValue.object([
            .init(key: "run", value: .integer(Int(run))), .init(key: "words", value: words),
        ])
        return try runner.workspace.jobs.start(
            EvalRunner.jobKind, title: "eval " + name(of: runner.order), total: Int64(runner.plan.total),
            unit: "samples", arguments: arguments.json())
    }

    /// Resumes a run that no process is running; of two processes that try, one succeeds.
    private static func takeUp(
        _ resumed: EvalRunner.Resumed, _ runner: EvalRunner, _ job: JobHandle?
    ) throws -> JobHandle {
        let (id, workspace) = (resumed.stored.id, runner.workspace)
        guard let stored = try EvalStore(workspace).stored(id) else { throw Problem.noRun(id) }
        if stored.run.state == .running, stored.job != job?.id {
            throw Problem(.busy, "", "Another process is running run \(id)", remedy: "Cancel it first.")
        }
        let handle = try job ?? start(runner, run: id)
        do {
            try workspace.write { db in
                try db.execute(
                    sql: """
                        UPDATE eval_run SET state = 'running', problem = NULL, ended = NULL, job = ?
                        WHERE id = ? AND job IS ?
                        """, arguments: [handle.id, id, stored.job])
                guard db.changesCount == 1 else {
                    throw Problem(.busy, "", "Another process has just resumed run \(id)")
                }
                try db.execute(sql: "DELETE FROM eval_command WHERE run = ?", arguments: [id])
                try db.execute(sql: "DELETE FROM eval_progress WHERE run = ?", arguments: [id])
            }
        } catch {
            if job == nil { handle.cancelled() }
            throw error
        }
        // The job of the earlier attempt would be reported as interrupted forever. Failure is harmless: a job that
        // still works on other runs of the same start stays in the list.
        if let old = stored.job, old != handle.id { try? workspace.jobs.remove(old) }
        return handle
    }

    /// Reads what has ended before.
    private mutating func look(_ workspace: Workspace, again: EvalResumption) throws {
        let keys = SampleKey.range(of: id)
        let run = id
        var (meter, ended, replaced, unjudged) = (meter, ended, replaced, unjudged)
        try workspace.read { db in
            let rows = try Workspace.Statement(db, "SELECT id, data FROM eval_row WHERE id BETWEEN ? AND ?")
            rows.bind(1, keys.lowerBound)
            rows.bind(2, keys.upperBound)
            try rows.forEach { row in
                let place = SampleKey(id: row.int64(0)).index
                guard let found = try? PackedRow.row(row.blob(1), index: place) else {
                    throw Problem(
                        .corrupt, "", "Sample \(place) of run \(run) is corrupt", remedy: "Run orrery workspace check.")
                }
                if again == .errors, found.isAskedAgain {
                    replaced[place] = ReplacedSample(outcome: found.outcome, wasCached: found.wasCached)
                } else {
                    ended.insert(place)
                    meter.add(earlier: found)
                }
            }
            let kept = try Workspace.Statement(
                db,
                """
                SELECT eval_record.id FROM eval_record LEFT JOIN eval_row USING (id)
                WHERE eval_record.id BETWEEN ? AND ? AND eval_row.id IS NULL
                """)
            kept.bind(1, keys.lowerBound)
            kept.bind(2, keys.upperBound)
            try kept.forEach { unjudged.insert(SampleKey(id: $0.int64(0)).index) }
        }
        (self.meter, self.ended, self.replaced, self.unjudged) = (meter, ended, replaced, unjudged)
    }
}

/// The data of a sample that another one replaces.
struct ReplacedSample: Hashable, Sendable {
    var outcome: EvalRow.Outcome
    var wasCached: Bool
}

extension EvalRow {
    /// Whether a run resumed with its errors repeats the sample: it ended in one, or its answer could not be judged.
    fileprivate var isAskedAgain: Bool { outcome == .error || outcome == .unscored && problem != nil }
}

extension EvalRunner {
    /// Kind of the jobs of runs in a workspace; the arguments are `{"run": 12, "words": [...]}`.
    public static let jobKind = "eval.run"
}
