import GRDB
import GRDBSQLite

/// A prepared statement of SQLite, for loops over very many rows and for files of others, whose columns may hold anything.
///
/// Parameters are numbered from 1, columns from 0. It serves within the access to the database that it was made in.
final class RawStatement {
    private let handle: OpaquePointer?
    private let connection: OpaquePointer

    init(_ database: Database, _ sql: String) throws {
        guard let connection = database.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
        }
        self.connection = connection
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &handle, nil)
        self.handle = handle
        if code != SQLITE_OK { throw failure(code) }
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: - Parameters

    func bind(_ parameter: Int32, _ value: Int64?) {
        if let value { sqlite3_bind_int64(handle, parameter, value) } else { sqlite3_bind_null(handle, parameter) }
    }

    func bind(_ parameter: Int32, _ value: Int?) { bind(parameter, value.map { Int64($0) }) }

    func bind(_ parameter: Int32, _ value: Double?) {
        if let value { sqlite3_bind_double(handle, parameter, value) } else { sqlite3_bind_null(handle, parameter) }
    }

    func bind(_ parameter: Int32, _ value: String?) {
        guard var value else {
            sqlite3_bind_null(handle, parameter)
            return
        }
        value.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { text in
                // Without a pointer SQLite would bind NULL.
                let code = text.baseAddress.map {
                    sqlite3_bind_text64(handle, parameter, $0, UInt64(text.count), Self.transient, UInt8(SQLITE_UTF8))
                }
                if code == nil { sqlite3_bind_text(handle, parameter, "", 0, Self.transient) }
            }
        }
    }

    func bind(_ parameter: Int32, blob: UnsafeRawBufferPointer) {
        if let base = blob.baseAddress {
            sqlite3_bind_blob64(handle, parameter, base, UInt64(blob.count), Self.transient)
        } else {
            sqlite3_bind_zeroblob(handle, parameter, 0)
        }
    }

    // MARK: - Running

    /// Whether there is another row.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            sqlite3_reset(handle)
            throw failure(code)
        }
    }

    /// Runs to the end, ready for the next run; parameters keep their values.
    func run() throws {
        defer { sqlite3_reset(handle) }
        while try step() {}
    }

    /// Runs `body` on the first row, if there is one.
    func first<Result>(_ body: (RawStatement) throws -> Result) throws -> Result? {
        defer { sqlite3_reset(handle) }
        return try step() ? try body(self) : nil
    }

    /// Runs `body` on every row.
    func forEach(_ body: (RawStatement) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while try step() { try body(self) }
    }

    // MARK: - Columns

    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    /// An integer; nil for a column that holds anything else.
    func optionalInt64(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_INTEGER ? int64(column) : nil
    }

    func optionalInt(_ column: Int32) -> Int? { optionalInt64(column).map { Int($0) } }

    /// A number; nil for a column that holds anything else.
    func optionalDouble(_ column: Int32) -> Double? {
        let type = sqlite3_column_type(handle, column)
        return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_column_double(handle, column) : nil
    }

    func text(_ column: Int32) -> String {
        guard let base = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// A text; nil for a column that holds anything else.
    func optionalText(_ column: Int32) -> String? {
        sqlite3_column_type(handle, column) == SQLITE_TEXT ? text(column) : nil
    }

    /// The bytes of a blob, gone with the next step.
    func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        let base = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
    }

    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
