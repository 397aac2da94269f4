import GRDB

extension Workspace {
    /// Returns information about the file without reading all of it.
    ///
    /// - Parameter bytes: Whether to compute the size of each table, for which SQLite visits every page.
    /// - Complexity: Without `bytes`, at most 200,000 rows per table are counted.
    public func info(bytes: Bool = false) throws -> WorkspaceInfo {
        let backups = MigrationBackup.existing(for: path)
        return try read { db in
            func number(_ pragma: String) throws -> Int64 {
                try Int64.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
            }
            let sizes = bytes ? try Self.tableSizes(db) : nil
            let tables = try Self.tableNames(db).map { table in
                WorkspaceInfo.Table(
                    name: table.name, rows: try Self.count(table, db), bytes: sizes.map { $0[table.name] ?? 0 })
            }
            var jobs: [Job.State: Int] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT state, count(*) FROM job GROUP BY state") {
                if let state = Job.State(rawValue: row[0]) { jobs[state] = row[1] }
            }
            return WorkspaceInfo(
                path: path, size: FileLocation.size(of: path) ?? 0,
                logSize: ["-wal", "-journal"].reduce(0) { $0 + (FileLocation.size(of: path + $1) ?? 0) },
                pageSize: Int(try number("page_size")), pages: try number("page_count"),
                freePages: try number("freelist_count"), generation: Int32(clamping: try number("user_version")),
                migrations: try String.fetchAll(db, sql: "SELECT name FROM migration ORDER BY position"),
                journal: journal, tables: tables, jobs: jobs, backups: backups, notes: notes)
        }
    }

    private struct NamedTable {
        let name: String
        /// Whether the table has row numbers, so that the highest one can be found without a scan.
        let hasRowID: Bool
        /// Whether the table is virtual, such as a full-text index without contents, whose rows cannot be counted.
        let isVirtual: Bool
    }

    private static let countedRows: Int64 = 200_000

    // The internal tables of a full-text index are not listed, but their bytes count toward the index.
    private static func tableNames(_ db: Database) throws -> [NamedTable] {
        let sql = """
            SELECT name, NOT wr AND type = 'table', type = 'virtual' FROM pragma_table_list
            WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            ORDER BY name
            """
        return try Row.fetchAll(db, sql: sql).map { NamedTable(name: $0[0], hasRowID: $0[1], isVirtual: $0[2]) }
    }

    private static func count(_ table: NamedTable, _ db: Database) throws -> WorkspaceInfo.RowCount {
        guard !table.isVirtual else { return .unknown }
        let name = table.name.quotedDatabaseIdentifier
        let limit = countedRows
        let sql = "SELECT count(*) FROM (SELECT 1 FROM \(name) LIMIT \(limit))"
        let counted = try Int64.fetchOne(db, sql: sql) ?? 0
        if counted < limit { return .exactly(counted) }
        guard table.hasRowID, let last = try Int64.fetchOne(db, sql: "SELECT max(rowid) FROM \(name)"), last >= limit
        else { return .atLeast(counted) }
        return .about(last)
    }

    // Indexes count toward their table, and the internal tables of a full-text index count toward that index.
    private static func tableSizes(_ db: Database) throws -> [String: Int64] {
        let sql = """
            SELECT coalesce(schema.tbl_name, stat.name), sum(stat.pgsize)
            FROM dbstat AS stat LEFT JOIN sqlite_schema AS schema ON schema.name = stat.name
            WHERE stat.aggregate = TRUE GROUP BY 1
            """
        var sizes: [String: Int64] = [:]
        let virtual = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'")
        for row in try Row.fetchAll(db, sql: sql) {
            let name: String = row[0]
            let owner = virtual.first { name.hasPrefix($0 + "_") } ?? name
            sizes[owner, default: 0] += row[1] as Int64
        }
        return sizes
    }
}
