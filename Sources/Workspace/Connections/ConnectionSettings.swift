import GRDB
import GRDBSQLite

/// How every connection to a workspace is set up.
///
/// Memory is kept small (a page cache of 8 MB for the writer and 4 MB for a reader, no memory map, temporary tables in
/// files): the operating system's cache holds the rest and can give it back.
struct ConnectionSettings: Sendable {
    /// How long to wait for another process that writes, in milliseconds.
    var patience: Int32 = 5000

    /// Page caches in kibibytes.
    static let writerCache = 8 << 10
    static let readerCache = 4 << 10
    static let bulkCache = 32 << 10
    /// Bytes of a page of a new file.
    ///
    /// Many spans with indexes and payloads of a kilobyte are written in 60 % of the time that pages of 4096 need.
    static let pageSize = 16_384

    /// The connection that writes.
    ///
    /// - Parameter isVerifying: whether pages are compared with their checksums.
    func writer(isVerifying: Bool = true) -> Configuration {
        var configuration = Configuration()
        configuration.label = "workspace.writer"
        configuration.busyMode = .timeout(Double(patience) / 1000)
        configuration.prepareDatabase { db in
            // First of all: every statement reads pages.
            if !isVerifying { db.verifyChecksums(false) }
            // Each commit is on the disk before it returns; zeroing freed content only where it costs no extra page.
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

    /// A connection that reads.
    ///
    /// - Parameters:
    ///   - tidy: for the only connections of a process. They are opened for writing and then refuse every write: a
    ///     connection opened for reading would leave an empty log and its shared memory behind.
    ///   - isVerifying: whether pages are compared with their checksums.
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
    /// The `errno` of the connection's last failed system call, 0 where there was none.
    var systemError: Int32 {
        guard let connection = sqliteConnection else { return 0 }
        return sqlite3_system_errno(connection)
    }

    /// Runs `body` with another patience for locks, and goes back to that of `settings`.
    func waiting<T>(
        _ milliseconds: Int32, otherwise settings: ConnectionSettings, _ body: () throws -> T
    ) rethrows -> T {
        guard let connection = sqliteConnection else { return try body() }
        sqlite3_busy_timeout(connection, milliseconds)
        defer { sqlite3_busy_timeout(connection, settings.patience) }
        return try body()
    }
}
