/// The tables of traces, as SQL.
///
/// - `word`: names, models, formats and projects, each once; rows refer to them by number, so that a filter puts its
///   question to the distinct ones.
/// - `source`: a file or stream that was imported; `source_block`: its bytes in pieces of 256 KiB, each a checksummed
///   zstd frame, under the key source << 20 | number (sources of at most 256 GiB).
/// - `trace`: what lists show, with an index for every order of a list; `span`, `message`, `event`: clustered by
///   trace and ordinal, with references into sources instead of texts.
/// - `mark`: a person's letters and notes; `trace_undo`: what can be taken back.
/// - `text_index`: sets of trigrams; `text_document`: the messages (`holds` 0) or spans (1) of runs that a set
///   (`posting`) is of. Numbers are never used again, so that a set without documents is dead and means nothing.
enum TraceSchema {
    static let tables = """
        CREATE TABLE word (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL UNIQUE
        );
        CREATE TABLE source (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            path TEXT NOT NULL,
            format INTEGER NOT NULL REFERENCES word(id),
            size INTEGER NOT NULL,
            head INTEGER NOT NULL,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            skipped INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX source_by_path ON source(path);
        CREATE INDEX source_by_content ON source(size, head);
        CREATE TABLE source_block (
            id INTEGER PRIMARY KEY,
            data BLOB NOT NULL
        );
        CREATE TABLE trace (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            external_id TEXT NOT NULL,
            format INTEGER NOT NULL REFERENCES word(id),
            recorded_name TEXT NOT NULL,
            custom_name TEXT,
            name TEXT GENERATED ALWAYS AS (coalesce(custom_name, recorded_name)) VIRTUAL,
            start INTEGER NOT NULL,
            end INTEGER NOT NULL,
            duration INTEGER GENERATED ALWAYS AS (max(0, end - start)) VIRTUAL,
            spans INTEGER NOT NULL,
            model_calls INTEGER NOT NULL,
            tool_calls INTEGER NOT NULL,
            messages INTEGER NOT NULL,
            events INTEGER NOT NULL,
            errors INTEGER NOT NULL,
            input INTEGER NOT NULL,
            cache_read INTEGER NOT NULL,
            cache_write INTEGER NOT NULL,
            output INTEGER NOT NULL,
            reasoning INTEGER NOT NULL,
            tokens INTEGER GENERATED ALWAYS AS (input + output) VIRTUAL,
            cost REAL,
            unpriced INTEGER NOT NULL,
            model INTEGER REFERENCES word(id),
            origin INTEGER REFERENCES word(id),
            deleted_at INTEGER,
            generation INTEGER NOT NULL DEFAULT 1,
            message_rows INTEGER NOT NULL,
            indexed_messages INTEGER NOT NULL DEFAULT 0,
            indexed_spans INTEGER NOT NULL DEFAULT 0
        );
        CREATE UNIQUE INDEX trace_by_external_id ON trace(external_id, format);
        CREATE INDEX trace_by_start ON trace(start) WHERE deleted_at IS NULL;
        CREATE INDEX trace_by_duration ON trace(duration) WHERE deleted_at IS NULL;
        CREATE INDEX trace_by_tokens ON trace(tokens) WHERE deleted_at IS NULL;
        CREATE INDEX trace_by_cost ON trace(cost) WHERE deleted_at IS NULL;
        CREATE INDEX trace_by_errors ON trace(errors) WHERE deleted_at IS NULL;
        CREATE INDEX trace_by_name ON trace(name COLLATE NOCASE) WHERE deleted_at IS NULL;
        CREATE INDEX trace_not_indexed ON trace(id) 
            WHERE indexed_messages < message_rows OR indexed_spans < spans;
        CREATE TABLE trace_source (
            trace INTEGER NOT NULL,
            source INTEGER NOT NULL,
            PRIMARY KEY (trace, source)
        ) WITHOUT ROWID;
        CREATE INDEX trace_source_by_source ON trace_source(source);
        CREATE TABLE span (
            trace INTEGER NOT NULL,
            ordinal INTEGER NOT NULL,
            parent INTEGER,
            kind INTEGER NOT NULL,
            status INTEGER NOT NULL,
            name INTEGER NOT NULL,
            start INTEGER NOT NULL,
            end INTEGER,
            model INTEGER,
            input INTEGER,
            cache_read INTEGER,
            cache_write INTEGER,
            output INTEGER,
            reasoning INTEGER,
            cost REAL,
            error TEXT,
            external_id TEXT NOT NULL,
            input_head INTEGER,
            records BLOB NOT NULL,
            missing_parent TEXT,
            caption TEXT,
            PRIMARY KEY (trace, ordinal)
        ) WITHOUT ROWID;
        CREATE TABLE message (
            trace INTEGER NOT NULL,
            ordinal INTEGER NOT NULL,
            previous INTEGER,
            span INTEGER,
            role INTEGER NOT NULL,
            time INTEGER NOT NULL,
            marks INTEGER NOT NULL,
            extent BLOB NOT NULL,
            source INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            length INTEGER NOT NULL,
            part INTEGER NOT NULL,
            key INTEGER NOT NULL,
            PRIMARY KEY (trace, ordinal)
        ) WITHOUT ROWID;
        CREATE TABLE event (
            trace INTEGER NOT NULL,
            ordinal INTEGER NOT NULL,
            span INTEGER,
            time INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            name INTEGER NOT NULL,
            source INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            length INTEGER NOT NULL,
            PRIMARY KEY (trace, ordinal)
        ) WITHOUT ROWID;
        CREATE TABLE mark (
            trace INTEGER NOT NULL,
            span INTEGER NOT NULL,
            letter TEXT NOT NULL,
            note TEXT NOT NULL,
            PRIMARY KEY (trace, letter, span)
        ) WITHOUT ROWID;
        CREATE TABLE trace_undo (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            change TEXT NOT NULL
        );
        CREATE TABLE text_document (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            posting INTEGER NOT NULL,
            trace INTEGER NOT NULL,
            holds INTEGER NOT NULL,
            first INTEGER NOT NULL,
            end INTEGER NOT NULL
        );
        CREATE INDEX text_document_by_trace ON text_document(trace, holds, end);
        CREATE INDEX text_document_by_posting ON text_document(posting);
        CREATE VIRTUAL TABLE text_index USING fts5(
            trigrams, content = '', columnsize = 0, detail = 'none', tokenize = 'ascii'
        );
        """

    /// Separates what made a run (`origin`) from where it ran (`project`, formerly called origin), and adds a note.
    ///
    /// A custom project is stored separately from the recorded one, like a run's name. Runs recorded by Orrery are
    /// recognized by their service and first span: agent runs have a span of kind agent, retrievals number their spans
    /// from 1, evaluations start with a chain, and chats contain only model calls.
    static let origins = """
        ALTER TABLE trace RENAME COLUMN origin TO recorded_project;
        ALTER TABLE trace ADD COLUMN custom_project INTEGER REFERENCES word(id);
        ALTER TABLE trace ADD COLUMN project INTEGER
            GENERATED ALWAYS AS (coalesce(custom_project, recorded_project)) VIRTUAL;
        ALTER TABLE trace ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE trace ADD COLUMN note TEXT;
        UPDATE trace SET origin = CASE
            WHEN EXISTS (SELECT 1 FROM span s WHERE s.trace = trace.id AND s.parent IS NULL AND s.kind = 1) THEN 0
            WHEN EXISTS (
                SELECT 1 FROM span s WHERE s.trace = trace.id AND s.parent IS NULL AND s.kind = 9
                    AND s.external_id = '0000000000000001') THEN 3
            WHEN EXISTS (SELECT 1 FROM span s WHERE s.trace = trace.id AND s.parent IS NULL AND s.kind = 9) THEN 2
            WHEN EXISTS (SELECT 1 FROM span s WHERE s.trace = trace.id)
                AND NOT EXISTS (SELECT 1 FROM span s WHERE s.trace = trace.id AND s.kind <> 2) THEN 1
            ELSE 0 END
        WHERE recorded_project = (SELECT id FROM word WHERE text = 'orrery')
            AND format = (SELECT id FROM word WHERE text = 'otlp');
        CREATE INDEX trace_by_origin ON trace(origin, project) WHERE deleted_at IS NULL;
        """
}
