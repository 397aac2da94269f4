internal import GRDB
internal import Glibc
public import Workspace

extension TraceStore {
    /// Looks at the checksum of every piece of every source.
    public static let payloadCheck = Check.payloads(of: "source_block", column: "data")

    /// The runs that were read from a file, the largest first.
    public func traces(fromFile path: String) throws -> [TraceSummary] {
        let canonical = realpath(path, nil).map { pointer in
            defer { free(pointer) }
            return String(cString: pointer)
        }
        let ids = try workspace.read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT t.id FROM trace t JOIN trace_source ts ON ts.trace = t.id
                    JOIN source s ON s.id = ts.source
                    WHERE s.path IN (?, ?) AND t.deleted_at IS NULL ORDER BY t.spans DESC, t.id
                    """, arguments: [path, canonical ?? path])
        }
        return try summaries(ids)
    }

    /// Whether nothing was ever imported, so that sample data may be.
    public func isUnused() throws -> Bool {
        try workspace.read { db in
            try !(Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'trace')") ?? true)
        }
    }
}
