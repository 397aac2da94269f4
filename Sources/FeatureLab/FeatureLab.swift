public import Workspace

/// What a workspace keeps of dictionaries of features: which there are, what their features fire on, and what people say
/// of them.
public enum FeatureLab {
    /// The steps that make the tables of features.
    public static let migrations = [
        Migration("features: dictionaries, index, labels, interventions", sql: tables),
        Migration("features: what each fires on, in words", sql: words),
    ]

    /// `words` is empty and `clarity` is 0 if token texts were unknown, or if an earlier version built the index.
    private static let words = """
        ALTER TABLE feature_stat ADD COLUMN words TEXT NOT NULL DEFAULT '';
        ALTER TABLE feature_stat ADD COLUMN clarity REAL NOT NULL DEFAULT 0;
        """

    /// - `feature_dictionary`: which there are; weights stay in the file at `path`, which `digest` tells from others.
    /// - `feature_index`: what a dictionary did on texts; `complete` is 0 while it is built, and `checkpoint` counts what
    ///   a build has put on the disk, so that two builders cannot write one index.
    /// - `feature_state`: State from which an unfinished build continues.
    /// - `feature_text`: tokens of the indexed texts, 4,096 a row.
    /// - `feature_stat`: what a list of features shows, a row each.
    /// - `feature_record`: what a dashboard shows, under `index << 32 | feature`.
    /// - `feature_token`: features that fire on a token in their top examples.
    /// - `feature_label`: `source` is empty for a person's own and names where others are from; `folded` is what a search
    ///   compares.
    /// - `feature_import`: dashboards made elsewhere.
    ///
    /// Blobs are zstd frames, whose checksums say whether they are whole.
    private static let tables = """
        CREATE TABLE feature_dictionary (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            path TEXT,
            digest TEXT,
            hook TEXT NOT NULL,
            model TEXT NOT NULL,
            model_path TEXT,
            kind TEXT NOT NULL,
            width INTEGER NOT NULL,
            features INTEGER NOT NULL,
            mean_active REAL,
            metrics TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE feature_index (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictionary INTEGER NOT NULL REFERENCES feature_dictionary(id) ON DELETE CASCADE,
            settings TEXT NOT NULL,
            complete INTEGER NOT NULL,
            checkpoint INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            sequences INTEGER NOT NULL,
            counted INTEGER NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX feature_index_by_dictionary ON feature_index(dictionary, complete);
        CREATE TABLE feature_state (
            index_id INTEGER NOT NULL,
            part INTEGER NOT NULL,
            number INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (index_id, part, number)
        ) STRICT;
        CREATE TABLE feature_text (
            index_id INTEGER NOT NULL,
            number INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (index_id, number)
        ) STRICT;
        CREATE TABLE feature_stat (
            index_id INTEGER NOT NULL,
            feature INTEGER NOT NULL,
            count INTEGER NOT NULL,
            maximum REAL NOT NULL,
            total REAL NOT NULL,
            PRIMARY KEY (index_id, feature)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE feature_record (
            id INTEGER PRIMARY KEY,
            data BLOB NOT NULL
        ) STRICT;
        CREATE TABLE feature_token (
            index_id INTEGER NOT NULL,
            token INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (index_id, token)
        ) STRICT;
        CREATE TABLE feature_label (
            dictionary INTEGER NOT NULL REFERENCES feature_dictionary(id) ON DELETE CASCADE,
            feature INTEGER NOT NULL,
            source TEXT NOT NULL,
            number INTEGER NOT NULL,
            text TEXT NOT NULL,
            note TEXT NOT NULL,
            folded TEXT NOT NULL,
            changed INTEGER NOT NULL,
            PRIMARY KEY (dictionary, feature, source, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE feature_import (
            dictionary INTEGER NOT NULL REFERENCES feature_dictionary(id) ON DELETE CASCADE,
            feature INTEGER NOT NULL,
            maximum REAL NOT NULL,
            density REAL NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (dictionary, feature)
        ) STRICT;
        CREATE TABLE feature_intervention (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            dictionary INTEGER NOT NULL REFERENCES feature_dictionary(id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            list TEXT NOT NULL,
            changed INTEGER NOT NULL,
            UNIQUE (dictionary, name)
        ) STRICT;
        """
}
