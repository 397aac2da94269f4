import CZstandard
import GRDB

extension Workspace {
    /// The release of SQLite: `3.40.1`.
    public static var sqliteVersion: String {
        let version = try? DatabaseQueue().read { db in try String.fetchOne(db, sql: "SELECT sqlite_version()") }
        return version ?? "unknown"
    }

    /// The release of zstd: `1.5.4`.
    public static var zstandardVersion: String { String(cString: ZSTD_versionString()) }
}
