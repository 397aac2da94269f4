public import Workspace

/// Persistence for models and generations: known models, their requests, and every token of their replies.
public enum ModelLab {
    /// The steps that make the tables of models.
    public static let migrations = [
        Migration("models: models, sessions, generations", sql: tables)
    ]

    /// - `model`: a name for a file or a remote model.
    /// - `model_session`: a prompt being worked on (`draft`, the text that a person edits) and what came of it.
    /// - `model_generation`: one answer, whole or as far as it came; one that branches from another names it and the
    ///   step at which it left.
    /// - `model_steps`: the prompt's tokens (`first` = -1) and the answer's steps, a compressed run of them a row, so
    ///   that an answer is kept while it comes.
    private static let tables = """
        CREATE TABLE model (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            specification TEXT NOT NULL,
            architecture TEXT,
            formats TEXT,
            parameters INTEGER,
            bytes INTEGER,
            context INTEGER,
            digest INTEGER,
            added INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE model_session (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            created INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            draft TEXT NOT NULL,
            trace INTEGER,
            span INTEGER,
            deleted INTEGER
        ) STRICT;
        CREATE INDEX model_session_by_change ON model_session(deleted, changed);
        CREATE TABLE model_generation (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            session INTEGER NOT NULL REFERENCES model_session(id) ON DELETE CASCADE,
            parent INTEGER REFERENCES model_generation(id) ON DELETE SET NULL,
            branch_step INTEGER,
            specification TEXT NOT NULL,
            model TEXT NOT NULL,
            document TEXT NOT NULL,
            started INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            text TEXT NOT NULL,
            reasoning TEXT NOT NULL,
            tool_calls TEXT NOT NULL,
            step_count INTEGER NOT NULL,
            deleted INTEGER
        ) STRICT;
        CREATE INDEX model_generation_by_session ON model_generation(session, id);
        CREATE TABLE model_steps (
            generation INTEGER NOT NULL REFERENCES model_generation(id) ON DELETE CASCADE,
            first INTEGER NOT NULL,
            steps BLOB NOT NULL,
            PRIMARY KEY (generation, first)
        ) STRICT, WITHOUT ROWID;
        """
}
