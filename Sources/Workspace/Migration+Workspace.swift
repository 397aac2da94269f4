extension Migration {
    /// Migrations for the tables that every workspace has, regardless of its modules.
    package static let workspace = [
        Migration(
            "workspace: jobs",
            sql: """
                CREATE TABLE job (
                    id INTEGER PRIMARY KEY,
                    kind TEXT NOT NULL,
                    title TEXT NOT NULL,
                    arguments TEXT,
                    state TEXT NOT NULL
                        CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled', 'interrupted')),
                    done INTEGER NOT NULL DEFAULT 0,
                    total INTEGER,
                    unit TEXT NOT NULL DEFAULT '',
                    result TEXT,
                    error TEXT,
                    cancel INTEGER NOT NULL DEFAULT 0,
                    machine TEXT,
                    pid INTEGER,
                    process_start INTEGER,
                    created REAL NOT NULL,
                    started REAL,
                    updated REAL NOT NULL,
                    finished REAL
                ) STRICT;
                CREATE INDEX job_in_progress ON job(state) WHERE state IN ('waiting', 'running');
                """),
        Migration(
            "workspace: state",
            sql: """
                CREATE TABLE state (
                    key TEXT PRIMARY KEY,
                    value TEXT NOT NULL,
                    changed REAL NOT NULL
                ) STRICT, WITHOUT ROWID;
                """),
    ]
}
