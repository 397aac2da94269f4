public import GRDB
import GRDBSQLite

/// A part of ``Workspace/check(_:job:)`` that a module contributes, because only it knows what its rows mean.
///
/// ```swift
/// static let checks = [Check.payloads(of: "span", column: "record")]
/// ```
public struct Check: Sendable {
    /// What is looked at, for the progress: "records of spans".
    public let name: String
    let run: @Sendable (Database, borrowing Examination) throws -> Void

    public init(_ name: String, run: @escaping @Sendable (Database, borrowing Examination) throws -> Void) {
        self.name = name
        self.run = run
    }

    /// Reads every payload of a column and compares its checksum.
    ///
    /// - Parameter limit: what one payload may hold.
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
            // The raw statement hands out the bytes where they lie, without a copy of each.
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

/// What a ``Check`` reports to while it runs.
public struct Examination: ~Copyable {
    let job: JobHandle?
    let findings: Findings

    final class Findings {
        var sentences: [String] = []
        var omitted = 0
        var mismatches = 0
    }

    /// Notes what is wrong, in words that name the row; after a hundred only their number is kept.
    public borrowing func report(_ sentence: String) {
        if findings.sentences.count < 100 { findings.sentences.append(sentence) } else { findings.omitted += 1 }
    }

    /// Counts a row that was looked at.
    ///
    /// - Throws: `CancellationError` once the check is cancelled.
    public borrowing func step() throws {
        try job?.advance(by: 1)
    }
}

/// What ``Workspace/check(_:job:)`` found.
public struct CheckReport: Sendable, Equatable {
    /// Sentences, each with the page, table or row; empty where all is well.
    public let problems: [String]
    /// How many more there were.
    public let omitted: Int
    /// Pages that do not match their checksums: damaged, or changed by a program without checksums.
    public let mismatches: Int

    public var isSound: Bool { problems.isEmpty }
}
