package import GRDB
internal import GRDBSQLite

/// A prepared statement of SQLite, without the conversions of a database library between it and the hot loops.
///
/// Parameters are numbered from 1, columns from 0, as SQLite does. Use it within the access to the database that it
/// was made in.
package final class Statement {
    private let handle: OpaquePointer?
    private let connection: OpaquePointer

    package init(_ database: Database, _ sql: String) throws {
        guard let connection = database.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
        }
        self.connection = connection
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        self.handle = handle
        if code != SQLITE_OK { throw failure(code) }
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: - Parameters

    package func bind(_ parameter: Int32, _ value: Int64) { sqlite3_bind_int64(handle, parameter, value) }

    package func bind(_ parameter: Int32, _ value: Int) { sqlite3_bind_int64(handle, parameter, Int64(value)) }

    package func bind(_ parameter: Int32, _ value: Int64?) {
        if let value { bind(parameter, value) } else { bindNull(parameter) }
    }

    package func bind(_ parameter: Int32, _ value: Int?) {
        if let value { bind(parameter, Int64(value)) } else { bindNull(parameter) }
    }

    package func bind(_ parameter: Int32, _ value: Double?) {
        if let value { sqlite3_bind_double(handle, parameter, value) } else { bindNull(parameter) }
    }

    package func bind(_ parameter: Int32, _ value: String?) {
        guard var value else { return bindNull(parameter) }
        _ = value.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { text in
                // SQLite copies: the pointer is gone after this call.
                if let base = text.baseAddress {
                    sqlite3_bind_text(handle, parameter, base, Int32(text.count), Self.transient)
                } else {
                    sqlite3_bind_text(handle, parameter, "", 0, Self.transient)
                }
            }
        }
    }

    /// Binds text that is UTF-8 already.
    package func bind(_ parameter: Int32, utf8 bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            _ = buffer.withMemoryRebound(to: CChar.self) { text in
                sqlite3_bind_text64(
                    handle, parameter, text.baseAddress, UInt64(text.count), Self.transient, UInt8(SQLITE_UTF8))
            }
        }
    }

    package func bind(_ parameter: Int32, copying bytes: UnsafeRawBufferPointer) {
        if let base = bytes.baseAddress {
            sqlite3_bind_blob64(handle, parameter, base, UInt64(bytes.count), Self.transient)
        } else {
            sqlite3_bind_zeroblob(handle, parameter, 0)
        }
    }

    package func bindNull(_ parameter: Int32) { sqlite3_bind_null(handle, parameter) }

    func bind(_ values: [SQLPiece.Value], from first: Int32 = 1) {
        for (parameter, value) in zip(first..., values) {
            switch value {
            case .integer(let number): bind(parameter, number)
            case .real(let number): bind(parameter, number)
            case .text(let text): bind(parameter, text)
            }
        }
    }

    // MARK: - Running

    /// Whether there is another row.
    package func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            sqlite3_reset(handle)
            throw failure(code)
        }
    }

    /// Runs to the end and makes ready for the next run; parameters keep their values.
    package func run() throws {
        while try step() {}
        reset()
    }

    package func reset() { sqlite3_reset(handle) }

    /// Runs `body` on the first row, if there is one.
    package func first<Result>(_ body: (Statement) throws -> Result) throws -> Result? {
        defer { reset() }
        return try step() ? try body(self) : nil
    }

    /// Runs `body` on every row.
    package func forEach(_ body: (Statement) throws -> Void) throws {
        defer { reset() }
        while try step() { try body(self) }
    }

    // MARK: - Columns

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    package func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    package func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

    package func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    package func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }

    package func text(_ column: Int32) -> String {
        guard let base = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The bytes of a blob, gone with the next step.
    package func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        let base = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
    }

    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

extension Database {
    /// Runs a statement once.
    func run(_ sql: String, _ values: SQLPiece.Value...) throws {
        let statement = try Statement(self, sql)
        statement.bind(values)
        try statement.run()
    }

    /// The first column of the first row as a number.
    func number(_ sql: String, _ values: SQLPiece.Value...) throws -> Int64? {
        let statement = try Statement(self, sql)
        statement.bind(values)
        return try statement.first { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
    }

    /// Rows changed by the last statement.
    var changedRows: Int { sqliteConnection.map { Int(sqlite3_changes64($0)) } ?? 0 }
}
