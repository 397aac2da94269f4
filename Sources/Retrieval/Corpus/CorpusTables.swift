/// The tables of corpora, as the migrations make them: SQL that is never edited once released.
enum CorpusTables {
    /// Columns that a table shares with its `retrieval_former_` copy, where undo finds the rows as they were.
    private static let sourceColumns = """
            path TEXT NOT NULL,
            root TEXT NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            digest BLOB NOT NULL,
            settings BLOB NOT NULL,
            whole INTEGER NOT NULL,
        """
    private static let documentColumns = """
            path TEXT NOT NULL,
            digest BLOB NOT NULL,
            title TEXT NOT NULL,
            kind TEXT NOT NULL,
            language TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            chunks INTEGER NOT NULL,
            added INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            duplicate INTEGER,
        """
    private static let chunkColumns = """
            ordinal INTEGER NOT NULL,
            first INTEGER NOT NULL,
            beyond INTEGER NOT NULL,
            parent INTEGER,
            indexed INTEGER NOT NULL,
            heading TEXT NOT NULL,
        """

    /// - `retrieval_corpus`: `revision` grows with every transaction that changes what a search sees.
    /// - `retrieval_source`: a file that was added. With its stamp and digest unchanged it is not read again; `whole`
    ///   is 0 while its documents are being brought in.
    /// - `retrieval_document`: `name` is the id that its owner calls it by, `digest` that of text, title and metadata.
    ///   `duplicate` names the document that it repeats, if duplicates were marked: the document is stored
    ///   but not searched.
    /// - `retrieval_text`: the text of a document, pieces of at most 4 MiB, each compressed by itself.
    /// - `retrieval_chunk`: `id` is the label in every index and never used twice. Its text is the range
    ///   `first..<beyond` of the document's, in bytes. A chunk that others name as their `parent` is in no index.
    /// - `retrieval_metadata`: one value of a key; a list has several. `type` is
    ///   0 text, 1 number, 2 true or false, 3 a date, 4 a text of a list. Dates are seconds since 1970 in `number`.
    static let documents = """
        CREATE TABLE retrieval_corpus (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            settings TEXT NOT NULL,
            created INTEGER NOT NULL,
            revision INTEGER NOT NULL DEFAULT 0,
            documents INTEGER NOT NULL DEFAULT 0,
            chunks INTEGER NOT NULL DEFAULT 0,
            bytes INTEGER NOT NULL DEFAULT 0,
            deleted INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX retrieval_corpus_by_name ON retrieval_corpus(name) WHERE deleted IS NULL;
        CREATE TABLE retrieval_source (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            corpus INTEGER NOT NULL REFERENCES retrieval_corpus(id) ON DELETE CASCADE,
            namespace TEXT NOT NULL,
        \(sourceColumns)
            UNIQUE (corpus, namespace, path)
        ) STRICT;
        CREATE TABLE retrieval_document (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            corpus INTEGER NOT NULL REFERENCES retrieval_corpus(id) ON DELETE CASCADE,
            namespace TEXT NOT NULL,
            name TEXT NOT NULL,
            source INTEGER REFERENCES retrieval_source(id) ON DELETE SET NULL,
        \(documentColumns)
            UNIQUE (corpus, namespace, name)
        ) STRICT;
        CREATE INDEX retrieval_document_by_source ON retrieval_document(source);
        CREATE INDEX retrieval_document_by_path ON retrieval_document(corpus, path);
        CREATE INDEX retrieval_document_by_duplicate ON retrieval_document(duplicate) WHERE duplicate IS NOT NULL;
        CREATE TABLE retrieval_text (
            document INTEGER NOT NULL REFERENCES retrieval_document(id) ON DELETE CASCADE,
            part INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (document, part)
        ) STRICT;
        CREATE TABLE retrieval_chunk (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            document INTEGER NOT NULL REFERENCES retrieval_document(id) ON DELETE CASCADE,
        \(chunkColumns)
            digest BLOB NOT NULL
        ) STRICT;
        CREATE INDEX retrieval_chunk_by_document ON retrieval_chunk(document, ordinal);
        CREATE INDEX retrieval_chunk_by_digest ON retrieval_chunk(digest);
        CREATE TABLE retrieval_metadata (
            corpus INTEGER NOT NULL,
            document INTEGER NOT NULL REFERENCES retrieval_document(id) ON DELETE CASCADE,
            key TEXT NOT NULL,
            place INTEGER NOT NULL,
            type INTEGER NOT NULL,
            number REAL,
            text TEXT,
            PRIMARY KEY (document, key, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX retrieval_metadata_by_text ON retrieval_metadata(corpus, key, text, document)
            WHERE text IS NOT NULL;
        CREATE INDEX retrieval_metadata_by_number ON retrieval_metadata(corpus, key, number, document)
            WHERE number IS NOT NULL;
        CREATE TABLE retrieval_undo (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            change TEXT NOT NULL
        ) STRICT;
        """

    /// - `retrieval_index`: owner of segments. Lexical ones have neither embedder nor dimension. A vector index is
    ///   `building` until every chunk has its vector; at most one of a corpus is `active`.
    /// - `retrieval_retired`: chunks that are gone and still have a vector in an index, until that is written next.
    /// - `retrieval_pipeline`: every version of a pipeline's file as it was saved.
    /// - `retrieval_question`: a case of a question set, as a JSON line.
    /// - `retrieval_report`: what an add did, as JSON.
    static let indexes = """
        CREATE TABLE retrieval_index (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            corpus INTEGER NOT NULL REFERENCES retrieval_corpus(id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            embedder TEXT,
            specification TEXT,
            digest TEXT,
            dimension INTEGER,
            metric TEXT,
            parameters TEXT NOT NULL DEFAULT '',
            active INTEGER NOT NULL DEFAULT 0,
            state TEXT NOT NULL,
            vectors INTEGER NOT NULL DEFAULT 0,
            revision INTEGER NOT NULL DEFAULT 0,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX retrieval_index_by_corpus ON retrieval_index(corpus);
        CREATE INDEX retrieval_index_by_digest ON retrieval_index(digest) WHERE digest IS NOT NULL;
        CREATE TABLE retrieval_retired (
            index_id INTEGER NOT NULL,
            chunk INTEGER NOT NULL,
            PRIMARY KEY (index_id, chunk)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE retrieval_pipeline (
            name TEXT NOT NULL,
            version INTEGER NOT NULL,
            toml TEXT NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (name, version)
        ) STRICT;
        CREATE TABLE retrieval_question_set (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            corpus INTEGER,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE retrieval_question (
            question_set INTEGER NOT NULL REFERENCES retrieval_question_set(id) ON DELETE CASCADE,
            ordinal INTEGER NOT NULL,
            name TEXT NOT NULL,
            data TEXT NOT NULL,
            PRIMARY KEY (question_set, ordinal),
            UNIQUE (question_set, name)
        ) STRICT;
        CREATE TABLE retrieval_report (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            corpus INTEGER NOT NULL REFERENCES retrieval_corpus(id) ON DELETE CASCADE,
            created INTEGER NOT NULL,
            report TEXT NOT NULL
        ) STRICT;
        """

    /// - `retrieval_corpus.sample`: the corpus is sample data. Corpora of earlier versions are recognized by their
    ///   folder.
    /// - `retrieval_edit`: one add or removal of documents, for undo. `fresh`: the corpus was empty before. `ended` is
    ///   0 until all paths are read; until then the same add continues the row.
    /// - `retrieval_edit_added`: rows of the added documents, as ranges.
    /// - `retrieval_former_...`: copies of the rows of changed and removed (`gone`) documents, one table for each
    ///   original.
    static let edits = """
        ALTER TABLE retrieval_corpus ADD COLUMN sample INTEGER NOT NULL DEFAULT 0;
        UPDATE retrieval_corpus SET sample = 1 WHERE id IN
            (SELECT corpus FROM retrieval_source WHERE root LIKE '%/sample-data/corpus/northfold');
        CREATE TABLE retrieval_edit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            corpus INTEGER NOT NULL REFERENCES retrieval_corpus(id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            paths TEXT NOT NULL,
            created INTEGER NOT NULL,
            fresh INTEGER NOT NULL,
            ended INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX retrieval_edit_by_corpus ON retrieval_edit(corpus);
        CREATE TABLE retrieval_edit_added (
            edit INTEGER NOT NULL REFERENCES retrieval_edit(id) ON DELETE CASCADE,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (edit, first)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE retrieval_former_document (
            edit INTEGER NOT NULL REFERENCES retrieval_edit(id) ON DELETE CASCADE,
            gone INTEGER NOT NULL,
            id INTEGER NOT NULL,
            corpus INTEGER NOT NULL,
            namespace TEXT NOT NULL,
            name TEXT NOT NULL,
            source INTEGER,
        \(documentColumns)
            PRIMARY KEY (edit, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE retrieval_former_text (
            edit INTEGER NOT NULL REFERENCES retrieval_edit(id) ON DELETE CASCADE,
            document INTEGER NOT NULL,
            part INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (edit, document, part)
        ) STRICT;
        CREATE TABLE retrieval_former_chunk (
            edit INTEGER NOT NULL REFERENCES retrieval_edit(id) ON DELETE CASCADE,
            document INTEGER NOT NULL,
            id INTEGER NOT NULL,
        \(chunkColumns)
            digest BLOB NOT NULL,
            PRIMARY KEY (edit, document, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE retrieval_former_metadata (
            edit INTEGER NOT NULL REFERENCES retrieval_edit(id) ON DELETE CASCADE,
            corpus INTEGER NOT NULL,
            document INTEGER NOT NULL,
            key TEXT NOT NULL,
            place INTEGER NOT NULL,
            type INTEGER NOT NULL,
            number REAL,
            text TEXT,
            PRIMARY KEY (edit, document, key, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE retrieval_former_source (
            edit INTEGER NOT NULL REFERENCES retrieval_edit(id) ON DELETE CASCADE,
            id INTEGER NOT NULL,
            corpus INTEGER NOT NULL,
            namespace TEXT NOT NULL,
        \(sourceColumns)
            PRIMARY KEY (edit, id)
        ) STRICT, WITHOUT ROWID;
        """
}
