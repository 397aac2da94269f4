import GRDB
import GRDBSQLite

/// Settings for all connections to a workspace.
///
/// They limit memory: page caches of 8 MB for the writer and 4 MB per reader, no memory mapping, and temporary tables
/// in files. The operating system caches the rest and can reclaim it.
struct ConnectionSettings: Sendable {
    /// Maximum time to wait for another process that is writing, in milliseconds.
    var patience: Int32 = 5000

    /// Page cache of the writer in KiB.
    static let writerCache = 8 << 10
    /// Page cache of each reader in KiB.
    static let readerCache = 4 << 10
    /// Page cache of the writer during a bulk write in KiB.
    static let bulkCache = 32 << 10
    /// Page size of a new file in bytes.
    ///
    /// Writing many spans with indexes and 1 KB payloads takes 40 % less time than with 4,096-byte pages.
    static let pageSize = 16_384

    /// Returns the configuration of the writing connection.
    ///
    /// - Parameter isVerifying: Whether pages are compared with their checksums.
    func writer(isVerifying: Bool = true) -> Configuration {
        var configuration = Configuration()
        configuration.label = "workspace.writer"
        configuration.busyMode = .timeout(Double(patience) / 1000)
        configuration.prepareDatabase { db in
            // Turn verification off before the first statement, because every statement reads pages.
            if !isVerifying { db.verifyChecksums(false) }
            // Each commit is on disk before it returns. Deleted content is zeroed only if that requires no extra
            // page writes.
            try db.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA cache_size = -\(Self.writerCache);
                    PRAGMA temp_store = FILE;
                    PRAGMA secure_delete = FAST;
                    PRAGMA journal_size_limit = 16777216;
                    """)
        }
        return configuration
    }

    /// Returns the configuration of a reading connection.
    ///
    /// - Parameters:
    ///   - tidy: Whether to open the connection for writing and then reject every write. Use it if the process has no
    ///     writer: a connection opened for reading would leave an empty log and its shared memory behind.
    ///   - isVerifying: Whether pages are compared with their checksums.
    func reader(tidy: Bool = false, isVerifying: Bool = true) -> Configuration {
        var configuration = Configuration()
        configuration.label = "workspace.reader"
        configuration.readonly = !tidy
        configuration.busyMode = .timeout(Double(patience) / 1000)
        configuration.prepareDatabase { db in
            if !isVerifying { db.verifyChecksums(false) }
            try db.execute(sql: "PRAGMA cache_size = -\(Self.readerCache); PRAGMA temp_store = FILE;")
            if tidy { try db.execute(sql: "PRAGMA query_only = ON") }
        }
        return configuration
    }
}

extension Database {
    /// `errno` of the connection's last failed system call; 0 if none failed.
    var systemError: Int32 {
        guard let connection = sqliteConnection else { return 0 }
        return sqlite3_system_errno(connection)
    }

    /// Runs `body` with a different lock timeout, and then restores the timeout of `settings`.
    func waiting<T>(
        _ milliseconds: Int32, otherwise settings: ConnectionSettings, _ body: () throws -> T
    ) rethrows -> T {
        guard let connection = sqliteConnection else { return try body() }
        sqlite3_busy_timeout(connection, milliseconds)
        defer { sqlite3_busy_timeout(connection, settings.patience) }
        return try body()
    }
}
