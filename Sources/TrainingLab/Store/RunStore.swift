internal import GRDB
internal import System
public import Training
public import Workspace

/// The training runs of a workspace: listed, drawn, given orders, changed.
///
/// ```swift
/// let workspace = try Workspace.open("team.orrery", migrations: TrainingLab.migrations, create: true)
/// let store = RunStore(workspace)
/// for run in try store.runs() { print(run.name, run.state.word, run.last("train/loss") ?? .nan) }
/// let curve = try store.curve(of: 1, "train/loss", CurveRequest(columns: 120, smoothing: 0.6))
/// ```
///
/// A value of this type may be used from any thread, by several at once. Reading never waits for writing.
///
/// - `RunRecorder`: writes a run of ours while it is running. `RunFollower`: reads one of another program.
/// - `runs`, `run`, `description`, `series`, `points`, `samples`, `events`: what was recorded.
/// - `curve`, `curves`, `layers`: ready to draw.
/// - `send`, `pendingOrders`: what a person asks of a run.
/// - `delete`, `restore`, `rename`, `undo`, `prune`, `export`: the rest.
public struct RunStore: Sendable {
    public let workspace: Workspace

    /// The store of a workspace that was opened with `TrainingLab.migrations`.
    public init(_ workspace: Workspace) {
        self.workspace = workspace
    }

    // MARK: Runs

    /// Runs that are not deleted, those changed last first.
    public func runs(limit: Int = 1_000) throws -> [RunSummary] { try runs(limit: limit, at: Clock.nanoseconds(.wall)) }

    /// A run by its row; `nil` if there is none.
    public func run(_ id: Int64) throws -> RunSummary? { try run(id, at: Clock.nanoseconds(.wall)) }

    /// As the public function, at a moment in nanoseconds since 1970.
    package func runs(limit: Int = 1_000, at now: Int64) throws -> [RunSummary] {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db,
                """
                SELECT \(Self.columns) FROM training_run WHERE deleted IS NULL ORDER BY changed DESC, id DESC LIMIT ?
                """)
            row.bind(1, limit)
            return try Self.summaries(row, at: now, db)
        }
    }

    /// As the public function, at a moment in nanoseconds since 1970.
    package func run(_ id: Int64, at now: Int64) throws -> RunSummary? {
        try workspace.read { db in
            let row = try Workspace.Statement(db, "SELECT \(Self.columns) FROM training_run WHERE id = ?")
            row.bind(1, id)
            return try Self.summaries(row, at: now, db).first
        }
    }

    /// What was known of a run when it began; `nil` if there is none.
    ///
    /// Of a run of others this is what its files say: the configuration as text, and zeros for unknown values.
    public func description(of id: Int64) throws -> RunDescription? {
        try workspace.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM training_run WHERE id = ?", arguments: [id]).map { row in
                let seed: Int64 = row["seed"]
                let flops: Int64 = row["flops"]
                return RunDescription(
                    name: row["name"], configuration: row["configuration"], seed: UInt64(bitPattern: seed),
                    version: row["version"], steps: row["steps"], parameters: row["parameters"], batch: row["batch"],
                    unit: row["unit"], flopsPerStep: Double(bitPattern: UInt64(bitPattern: flops)),
                    threads: row["threads"], folder: row["folder"])
            }
        }
    }

    /// What a run of others says of its end, as JSON text; empty if it says nothing.
    public func endSummary(of id: Int64) throws -> String {
        try workspace.read { db in
            try String.fetchOne(db, sql: "SELECT summary FROM training_run WHERE id = ?", arguments: [id]) ?? ""
        }
    }

    /// The curves of a run, in the order in which they appeared.
    public func series(of id: Int64) throws -> [SeriesSummary] {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db, "SELECT name, points, last_step, last_bits FROM training_series WHERE run = ? ORDER BY id")
            row.bind(1, id)
            var found: [SeriesSummary] = []
            while try row.step() {
                guard row.int(1) > 0 else { continue }
                let name = row.text(0)
                found.append(SeriesSummary(name: name, count: row.int(1), last: Self.value(name, row)))
            }
            return found
        }
    }

    /// Samples of a run, the newest first.
    public func samples(of id: Int64, limit: Int = 1_000) throws -> [RunSample] {
        try workspace.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT step, time, prompt, text FROM training_sample WHERE run = ? ORDER BY id DESC LIMIT ?",
                arguments: [id, limit]
            ).map { RunSample(step: $0[0], time: $0[1], prompt: $0[2], text: $0[3]) }
        }
    }

    /// Events of a run, the newest first.
    public func events(of id: Int64, limit: Int = 1_000) throws -> [RunEvent] {
        try workspace.read { db in
            try Row.fetchAll(
                db, sql: "SELECT step, time, kind, text FROM training_event WHERE run = ? ORDER BY id DESC LIMIT ?",
                arguments: [id, limit]
            ).map {
                RunEvent(step: $0[0], time: $0[1], kind: RunEvent.Kind(rawValue: $0[2]) ?? .warning, text: $0[3])
            }
        }
    }

    // MARK: Rows

    static let columns = """
        id, ifnull(custom_name, name), source, format, state, step, steps, created, changed, origin, parameters, batch,
        unit, flops, threads, folder, note, heartbeat, process
        """

    static func summaries(_ row: Workspace.Statement, at now: Int64, _ db: Database) throws -> [RunSummary] {
        var runs: [RunSummary] = []
        while try row.step() { runs.append(summary(row, at: now)) }
        let main = try Workspace.Statement(
            db,
            """
            SELECT name, points, last_step, last_bits FROM training_series
            WHERE run = ? AND points > 0 AND name IN (?, ?, ?, ?, ?) ORDER BY id
            """)
        let any = try Workspace.Statement(
            db,
            """
            SELECT name, points, last_step, last_bits FROM training_series
            WHERE run = ? AND points > 0 ORDER BY id LIMIT 6
            """)
        for (number, name) in zip(Int32(2)..., mainSeries) { main.bind(number, name) }
        for index in runs.indices {
            for values in [main, any] where runs[index].last.isEmpty {
                values.bind(1, runs[index].id)
                while try values.step() { runs[index].last.append(value(values.text(0), values)) }
                values.reset()
            }
        }
        return runs
    }

    private static let mainSeries = [
        RunSeries.trainLoss, RunSeries.validationLoss, RunSeries.learningRate, RunSeries.speed, RunSeries.flops,
    ]

    private static func summary(_ row: Workspace.Statement, at now: Int64) -> RunSummary {
        let source = row.optionalText(2)
        let state = RunState.seen(
            stored: RunState(rawValue: row.int(4)) ?? .failed, isForeign: source != nil, heartbeat: row.int64(17),
            process: row.optionalText(18).map(ProcessMark.init), at: now)
        let created = row.int64(7)
        let origin = row.isNull(9) ? nil : row.int64(9)
        return RunSummary(
            id: row.int64(0), name: row.text(1), source: source, format: row.optionalText(3), state: state,
            step: row.int(5), steps: row.isNull(6) ? nil : row.int(6), created: created,
            started: source == nil ? created : origin.map { min($0, created) }, changed: row.int64(8),
            origin: origin ?? created, parameters: row.int(10), batch: row.int(11),
            unit: row.text(12), flopsPerStep: Double(bitPattern: UInt64(bitPattern: row.int64(13))),
            threads: row.int(14), folder: row.optionalText(15), note: row.text(16), last: [])
    }

    private static func value(_ name: String, _ row: Workspace.Statement) -> SeriesValue {
        SeriesValue(
            series: name, step: row.int(2), value: Double(bitPattern: UInt64(bitPattern: row.int64(3))))
    }
}
