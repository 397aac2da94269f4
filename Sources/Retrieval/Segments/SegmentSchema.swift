public import Workspace

extension WorkspaceSegments {
    /// The tables that indexes are kept in.
    ///
    /// A large segment is a row of `index_segment`, its checksum before its bytes, so that checksums are read without
    /// them. What an index reads one by one in great number, such as the nodes of a graph, is a row of `index_node`
    /// under `index << 32 | number`: one descent of one tree. `index_manifest` says what must be there.
    public static let migration = Migration(
        "retrieval: index segments",
        sql: """
            CREATE TABLE index_segment (
                id INTEGER PRIMARY KEY,
                index_id INTEGER NOT NULL,
                part TEXT NOT NULL,
                number INTEGER NOT NULL,
                checksum INTEGER NOT NULL,
                bytes BLOB NOT NULL,
                UNIQUE (index_id, part, number)
            ) STRICT;
            CREATE TABLE index_node (
                id INTEGER PRIMARY KEY,
                checksum INTEGER NOT NULL,
                bytes BLOB NOT NULL
            ) STRICT;
            CREATE TABLE index_manifest (
                index_id INTEGER PRIMARY KEY,
                segments INTEGER NOT NULL,
                segment_sum INTEGER NOT NULL,
                nodes INTEGER NOT NULL,
                node_sum INTEGER NOT NULL,
                version INTEGER NOT NULL,
                checksum INTEGER NOT NULL
            ) STRICT;
            """)
}
