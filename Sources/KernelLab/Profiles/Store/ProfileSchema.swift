/// The tables of profiles, as SQL.
///
/// - `profile`: one file of a profiler; the same bytes are there once.
/// - `profile_word`: texts of its launches (kernel names, notes, operators), each once a profile.
/// - `launch`: one row a launch; `detail` is JSON of what lists do not sort by.
/// - `launch_counter`: the tool's own figures, of up to 64 launches from `first` on in a zstd frame.
enum ProfileSchema {
    static let tables = """
        CREATE TABLE profile (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            tool TEXT NOT NULL,
            format TEXT NOT NULL,
            path TEXT NOT NULL,
            size INTEGER NOT NULL,
            digest INTEGER NOT NULL,
            imported REAL NOT NULL,
            launches INTEGER NOT NULL,
            kernels INTEGER NOT NULL,
            seconds REAL NOT NULL,
            untimed INTEGER NOT NULL,
            devices TEXT NOT NULL,
            notes TEXT NOT NULL,
            counters TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX profile_by_content ON profile(digest, size);
        CREATE TABLE profile_word (
            profile INTEGER NOT NULL,
            id INTEGER NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (profile, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE launch (
            profile INTEGER NOT NULL,
            ordinal INTEGER NOT NULL,
            name INTEGER NOT NULL,
            device INTEGER NOT NULL,
            start REAL,
            duration REAL,
            detail TEXT NOT NULL,
            PRIMARY KEY (profile, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE launch_counter (
            profile INTEGER NOT NULL,
            first INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (profile, first)
        ) STRICT;
        """
}
