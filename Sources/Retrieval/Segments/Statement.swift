internal import GRDB
internal import GRDBSQLite

/// A prepared statement of SQLite without conversions between it and the loops that run it.
///
/// Parameters count from 1, columns from 0. It belongs to the access to the database in which it was made.
final class Statement {
    private let handle: OpaquePointer?
    private let connection: OpaquePointer
    /// A row of it is being looked at: its memory must stay.
    private(set) var isLent = false

    init(_ database: Database, _ sql: String) throws(DatabaseError) {
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

    func bind(_ parameter: Int32, _ value: Int64) { sqlite3_bind_int64(handle, parameter, value) }

    func bind(_ parameter: Int32, _ value: Int) { sqlite3_bind_int64(handle, parameter, Int64(value)) }

    func bind(_ parameter: Int32, _ value: Double?) {
        if let value { sqlite3_bind_double(handle, parameter, value) } else { sqlite3_bind_null(handle, parameter) }
    }

    func bind(_ parameter: Int32, _ text: String?) {
        guard var text else {
            sqlite3_bind_null(handle, parameter)
            return
        }
        text.withUTF8 { utf8 in
            let base = UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self)
            _ = sqlite3_bind_text64(
                handle, parameter, base ?? Self.nothing, UInt64(utf8.count), Self.transient, UInt8(SQLITE_UTF8))
        }
    }

    /// Binds bytes that stay where they are until the statement was run and reset.
    func bind(lent bytes: UnsafeRawBufferPointer, _ parameter: Int32) {
        if let base = bytes.baseAddress, !bytes.isEmpty {
            sqlite3_bind_blob64(handle, parameter, base, UInt64(bytes.count), nil)
        } else {
            // An empty buffer may have no address, and that would bind null.
            sqlite3_bind_zeroblob(handle, parameter, 0)
        }
    }

    /// Whether there is another row.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            // What the error says is asked before the reset, which may say it again in other words.
            let error = failure(code)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Runs to the end and makes ready for the next run; parameters keep their values.
    func run() throws(DatabaseError) {
        while try step() {}
        reset()
    }

    func reset() {
        isLent = false
        sqlite3_reset(handle)
    }

    /// Says that the row at hand is being looked at, until ``reset()``.
    func lend() { isLent = true }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func text(_ column: Int32) -> String {
        guard let base = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// Returns the bytes of a blob, which are valid until the next step.
    func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        let base = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
    }

    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    // A pointer to static text lives as long as the program.
    private static var nothing: UnsafePointer<CChar> {
        let empty: StaticString = ""
        return UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
