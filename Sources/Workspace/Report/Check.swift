public import GRDB
import GRDBSQLite

/// A module's part of ``Workspace/check(_:job:)``, which verifies the contents of its rows.
///
/// ```swift
/// static let checks = [Check.payloads(of: "span", column: "record")]
/// ```
public struct Check: Sendable {
    /// Name of the checked data for the progress display, such as "payloads of span.record".
    public let name: String
    let run: @Sendable (Database, borrowing CheckRecorder) throws -> Void

    /// Creates a check that calls `run`.
    public init(_ name: String, run: @escaping @Sendable (Database, borrowing CheckRecorder) throws -> Void) {
        self.name = name
        self.run = run
    }

    /// Returns a check that decompresses every payload of a column and compares its checksum.
    ///
    /// - Parameters:
    ///   - table: Table name.
    ///   - column: Column with the payloads.
    ///   - limit: Maximum decompressed size of a payload in bytes.
    public static func payloads(
        of table: String, column: String, limit: Int = Decompressor.standardLimit
    ) -> Check {
        Check("payloads of \(table).\(column)") { db, examination in
            let decompressor = try Decompressor()
            let column = column.quotedDatabaseIdentifier
            let key = try db.primaryKey(table).columns.map(\.quotedDatabaseIdentifier).joined(separator: " || ',' || ")
            let sql = """
                SELECT \(key.isEmpty ? "rowid" : key), \(column) FROM \(table.quotedDatabaseIdentifier)
                WHERE \(column) IS NOT NULL
                """
            // The raw statement gives access to the bytes without copying them.
            let prepared = try db.makeStatement(sql: sql)
            defer { withExtendedLifetime(prepared) {} }
            let statement = prepared.sqliteStatement
            var code = sqlite3_step(statement)
            while code == SQLITE_ROW {
                try examination.step()
                let bytes = UnsafeRawBufferPointer(
                    start: sqlite3_column_blob(statement, 1), count: Int(sqlite3_column_bytes(statement, 1)))
                do throws(PayloadError) {
                    _ = try decompressor.decompress(bytes, limit: limit)
                } catch {
                    let key = sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "?"
                    examination.report("\(table) \(key): \(error.reason)")
                }
                code = sqlite3_step(statement)
            }
            guard code == SQLITE_DONE else {
                throw DatabaseError(resultCode: db.lastErrorCode, message: db.lastErrorMessage)
            }
        }
    }
}

/// A recorder for the findings of a running ``Check``.
public struct CheckRecorder: ~Copyable {
    let job: JobHandle?
    let findings: Findings

    final class Findings {
        var sentences: [String] = []
        var omitted = 0
        var mismatches = 0
    }

    /// Records a problem with a sentence that names the row; after 100 sentences, problems are only counted.
    public borrowing func report(_ sentence: String) {
        if findings.sentences.count < 100 { findings.sentences.append(sentence) } else { findings.omitted += 1 }
    }

    /// Counts a checked row.
    ///
    /// - Throws: `CancellationError` if the check was canceled.
    public borrowing func step() throws {
        try job?.advance(by: 1)
    }
}

/// The findings of ``Workspace/check(_:job:)``.
public struct CheckReport: Sendable, Equatable {
    /// Sentences that name the page, table, or row of each problem; empty if there are no problems.
    public let problems: [String]
    /// Number of further problems that `problems` does not list.
    public let omitted: Int
    /// Number of pages that do not match their checksums: damaged, or changed by a program that does not update checksums.
    public let mismatches: Int

    /// Whether there are no problems.
    public var isSound: Bool { problems.isEmpty }
}
