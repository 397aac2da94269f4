import CZstandard
import GRDB

extension Workspace {
    /// SQLite version, such as `3.40.1`.
    public static var sqliteVersion: String {
        let version = try? DatabaseQueue().read { db in try String.fetchOne(db, sql: "SELECT sqlite_version()") }
        return version ?? "unknown"
    }

    /// Zstandard version, such as `1.5.4`.
    public static var zstandardVersion: String { String(cString: ZSTD_versionString()) }
}
