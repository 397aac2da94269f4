internal import GRDB
internal import Traces
public import Workspace

extension EvalStore {
    /// Migrations that create the tables of runs.
    public static let migrations = [
        Migration("evals: runs, rows, records, cache, commands", sql: tables),
        Migration("evals: counts of unscored and cached samples", sql: counts),
        Migration("evals: how runs at work stand", sql: standing),
    ]

    /// - `eval_run`: one run. `head` has scores, slices, and settings, `metrics` the final figures, `options` the
    ///   chosen options, all as written by `PackedWriter`; `source` is the text of the task, a zstd frame. The counts
    ///   grow in the transaction that adds their samples.
    /// - `eval_row`: data of a sample for lists, under `run << 32 | place`; `trace` names the trace made of it.
    /// - `eval_record`: all data of a sample under the same key, a zstd frame.
    /// - `eval_cache`: which sample of this workspace has the answer to a request; the key is a digest of 128 bits.
    /// - `eval_command`: user commands to a run in progress; `number` increases with each change.
    private static let tables = """
        CREATE TABLE eval_run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            task TEXT NOT NULL,
            task_version TEXT NOT NULL,
            task_format TEXT NOT NULL,
            task_path TEXT,
            source BLOB NOT NULL,
            digest TEXT NOT NULL,
            model TEXT NOT NULL,
            identity TEXT NOT NULL,
            arguments TEXT NOT NULL,
            options BLOB NOT NULL,
            run_group TEXT,
            prompt TEXT,
            epochs INTEGER NOT NULL,
            total INTEGER NOT NULL,
            head BLOB NOT NULL,
            state TEXT NOT NULL,
            problem TEXT,
            completed INTEGER NOT NULL DEFAULT 0,
            failed INTEGER NOT NULL DEFAULT 0,
            errors INTEGER NOT NULL DEFAULT 0,
            requests INTEGER NOT NULL DEFAULT 0,
            input INTEGER NOT NULL DEFAULT 0,
            cache_read INTEGER NOT NULL DEFAULT 0,
            cache_write INTEGER NOT NULL DEFAULT 0,
            output INTEGER NOT NULL DEFAULT 0,
            reasoning INTEGER NOT NULL DEFAULT 0,
            cost REAL,
            seconds REAL NOT NULL DEFAULT 0,
            metrics BLOB,
            job INTEGER,
            started INTEGER NOT NULL,
            ended INTEGER
        ) STRICT;
        CREATE INDEX eval_run_by_group ON eval_run(run_group) WHERE run_group IS NOT NULL;
        CREATE TABLE eval_row (
            id INTEGER PRIMARY KEY,
            data BLOB NOT NULL,
            trace TEXT
        ) STRICT;
        CREATE TABLE eval_record (
            id INTEGER PRIMARY KEY,
            data BLOB NOT NULL
        ) STRICT;
        CREATE TABLE eval_cache (
            key BLOB PRIMARY KEY,
            sample INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE eval_command (
            run INTEGER PRIMARY KEY,
            number INTEGER NOT NULL,
            cancel INTEGER NOT NULL DEFAULT 0,
            pause INTEGER NOT NULL DEFAULT 0,
            concurrency INTEGER
        ) STRICT;
        """

    /// Unknown for runs from before this migration.
    private static let counts = """
        ALTER TABLE eval_run ADD COLUMN unscored INTEGER;
        ALTER TABLE eval_run ADD COLUMN cached INTEGER;
        """

    /// `eval_progress`: last report of a run in progress, `EvalProgress` packed, and its time in nanoseconds since
    /// 1970. The row is deleted when the run ends.
    private static let standing = """
        CREATE TABLE eval_progress (
            run INTEGER PRIMARY KEY,
            data BLOB NOT NULL,
            updated INTEGER NOT NULL
        ) STRICT;
        """

    /// Checks of the tables of runs for `orrery workspace check`.
    public static let checks = [
        Check.payloads(of: "eval_run", column: "source"),
        Check.payloads(of: "eval_record", column: "data"),
        Check("rows of evaluation runs") { db, examination in
            let rows = try Workspace.Statement(db, "SELECT id, data FROM eval_row")
            try rows.forEach { row in
                try examination.step()
                let id = row.int64(0)
                if (try? PackedRow.row(row.blob(1), index: 0)) == nil {
                    let place = SampleKey(id: id)
                    examination.report("sample \(place.index) of evaluation run \(place.run) is corrupt")
                }
            }
        },
        Check("records of evaluation runs") { db, examination in
            let lost = try Workspace.Statement(
                db, "SELECT id FROM eval_row WHERE id NOT IN (SELECT id FROM eval_record)")
            try lost.forEach { row in
                try examination.step()
                let place = SampleKey(id: row.int64(0))
                examination.report("sample \(place.index) of evaluation run \(place.run) has no record")
            }
        },
    ]
}

/// The key of a sample in the tables: run and index in one number.
struct SampleKey: Hashable, Sendable {
    var run: Int64
    var index: Int

    init(run: Int64, index: Int) {
        self.run = run
        self.index = index
    }

    init(id: Int64) {
        run = id >> 32
        index = Int(id & 0xFFFF_FFFF)
    }

    var id: Int64 { run << 32 | Int64(index) }

    /// Returns the keys of some indices of a run.
    static func range(of run: Int64, _ places: Range<Int>) -> ClosedRange<Int64> {
        let lower = min(max(0, places.lowerBound), 0xFFFF_FFFF)
        let upper = min(max(lower, places.upperBound - 1), 0xFFFF_FFFF)
        return SampleKey(run: run, index: lower).id...SampleKey(run: run, index: upper).id
    }

    /// Returns the keys of a whole run.
    static func range(of run: Int64) -> ClosedRange<Int64> { range(of: run, 0..<0x1_0000_0000) }
}
