public import Workspace

/// What a workspace keeps of training runs, ours and those of others.
public enum TrainingLab {
    /// The steps that make the tables of runs.
    public static let migrations = [
        Migration("training: runs, series, samples, events, orders", sql: tables)
    ]

    /// - `training_run`: one run; `source` is the path that a run of others is read from, null for ours, and `process`
    ///   and `heartbeat` show whether a process is still recording it.
    /// - `training_series`: a curve of a run, with its last point. Bits of a Double stand in integers, for a REAL cannot
    ///   hold what is not a number.
    /// - `training_block`: what up to 1024 neighboring points of a series are together, so that a chart reads few of
    ///   them; the points themselves are in `training_points` under `series << 32 | number`.
    ///   `ordered` is 1 if the steps rise, and 2 more where the times do.
    /// - `training_journal`: what was written last, all series of a run in one row, until there is enough for blocks.
    /// - `training_order`: what a person asks of a run; `taken` when the run has seen it.
    /// - `training_follow`: how far the files of a foreign run were read.
    private static let tables = """
        CREATE TABLE training_run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            custom_name TEXT,
            source TEXT,
            format TEXT,
            configuration TEXT NOT NULL,
            summary TEXT NOT NULL DEFAULT '',
            seed INTEGER NOT NULL,
            version TEXT NOT NULL,
            steps INTEGER,
            parameters INTEGER NOT NULL,
            batch INTEGER NOT NULL,
            unit TEXT NOT NULL,
            flops INTEGER NOT NULL,
            threads INTEGER NOT NULL,
            folder TEXT,
            state INTEGER NOT NULL,
            step INTEGER NOT NULL,
            note TEXT NOT NULL DEFAULT '',
            origin INTEGER,
            created INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            heartbeat INTEGER NOT NULL,
            process TEXT,
            deleted INTEGER
        ) STRICT;
        CREATE INDEX training_run_by_change ON training_run(deleted, changed);
        CREATE INDEX training_run_by_source ON training_run(source) WHERE source IS NOT NULL;
        CREATE TABLE training_series (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES training_run(id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            points INTEGER NOT NULL DEFAULT 0,
            last_step INTEGER NOT NULL DEFAULT 0,
            last_bits INTEGER NOT NULL DEFAULT 0,
            UNIQUE (run, name)
        ) STRICT;
        CREATE TABLE training_block (
            series INTEGER NOT NULL,
            number INTEGER NOT NULL,
            points INTEGER NOT NULL,
            least_step INTEGER NOT NULL,
            greatest_step INTEGER NOT NULL,
            least_time INTEGER NOT NULL,
            greatest_time INTEGER NOT NULL,
            ordered INTEGER NOT NULL,
            finite INTEGER NOT NULL,
            minimum REAL,
            maximum REAL,
            total REAL,
            first_bits INTEGER NOT NULL,
            last_bits INTEGER NOT NULL,
            PRIMARY KEY (series, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE training_points (
            id INTEGER PRIMARY KEY,
            data BLOB NOT NULL
        ) STRICT;
        CREATE TABLE training_journal (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            run INTEGER NOT NULL REFERENCES training_run(id) ON DELETE CASCADE,
            depth INTEGER NOT NULL,
            value_count INTEGER NOT NULL,
            data BLOB NOT NULL
        ) STRICT;
        CREATE INDEX training_journal_by_run ON training_journal(run, id);
        CREATE TABLE training_sample (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            run INTEGER NOT NULL REFERENCES training_run(id) ON DELETE CASCADE,
            step INTEGER NOT NULL,
            time INTEGER NOT NULL,
            prompt TEXT NOT NULL,
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX training_sample_by_run ON training_sample(run, id);
        CREATE TABLE training_event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            run INTEGER NOT NULL REFERENCES training_run(id) ON DELETE CASCADE,
            step INTEGER NOT NULL,
            time INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX training_event_by_run ON training_event(run, id);
        CREATE TABLE training_order (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            run INTEGER NOT NULL REFERENCES training_run(id) ON DELETE CASCADE,
            kind INTEGER NOT NULL,
            value_bits INTEGER NOT NULL,
            sent INTEGER NOT NULL,
            taken INTEGER
        ) STRICT;
        CREATE INDEX training_order_waiting ON training_order(run, id) WHERE taken IS NULL;
        CREATE TABLE training_follow (
            run INTEGER NOT NULL REFERENCES training_run(id) ON DELETE CASCADE,
            file TEXT NOT NULL,
            position INTEGER NOT NULL,
            memory TEXT NOT NULL,
            PRIMARY KEY (run, file)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE training_undo (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            change TEXT NOT NULL
        ) STRICT;
        """
}
