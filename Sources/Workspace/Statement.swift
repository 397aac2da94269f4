package import GRDB
internal import GRDBSQLite

extension Workspace {
    /// A prepared SQLite statement for loops over many rows, without a conversion layer.
    ///
    /// Parameters are numbered from 1, columns from 0. Use the statement only within the database access that created it.
    package final class Statement {
        private let handle: OpaquePointer?
        private let connection: OpaquePointer
        /// Whether a caller still uses the memory of the current row.
        package private(set) var isLent = false

        /// Creates a statement from SQL.
        package init(_ database: Database, _ sql: String) throws(DatabaseError) {
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

        package func bind(_ parameter: Int32, _ value: Int?) { bind(parameter, value.map(Int64.init)) }

        package func bind(_ parameter: Int32, _ value: Double?) {
            if let value { sqlite3_bind_double(handle, parameter, value) } else { bindNull(parameter) }
        }

        package func bind(_ parameter: Int32, _ text: String?) {
            guard var text else { return bindNull(parameter) }
            text.withUTF8 { bind(parameter, utf8: $0) }
        }

        /// Binds text that is already UTF-8.
        package func bind(_ parameter: Int32, utf8 bytes: [UInt8]) {
            bytes.withUnsafeBufferPointer { bind(parameter, utf8: $0) }
        }

        private func bind(_ parameter: Int32, utf8: UnsafeBufferPointer<UInt8>) {
            let base = UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self)
            sqlite3_bind_text64(
                handle, parameter, base ?? Self.empty, UInt64(utf8.count), Self.transient, UInt8(SQLITE_UTF8))
        }

        /// Binds a copy of bytes as a blob.
        package func bind(_ parameter: Int32, _ bytes: [UInt8]) {
            bytes.withUnsafeBytes { bind(parameter, copying: $0) }
        }

        /// Binds a copy of bytes as a blob.
        package func bind(_ parameter: Int32, copying bytes: UnsafeRawBufferPointer) {
            bind(parameter, bytes, Self.transient)
        }

        /// Binds bytes as a blob without a copy; they must stay in place until the statement has run and is reset.
        package func bind(lent bytes: UnsafeRawBufferPointer, _ parameter: Int32) { bind(parameter, bytes, nil) }

        private func bind(
            _ parameter: Int32, _ bytes: UnsafeRawBufferPointer, _ destructor: sqlite3_destructor_type?
        ) {
            if let base = bytes.baseAddress, !bytes.isEmpty {
                sqlite3_bind_blob64(handle, parameter, base, UInt64(bytes.count), destructor)
            } else {
                // An empty buffer may have no address, and SQLite would bind NULL.
                sqlite3_bind_zeroblob(handle, parameter, 0)
            }
        }

        package func bindNull(_ parameter: Int32) { sqlite3_bind_null(handle, parameter) }

        // MARK: - Running

        /// Moves to the next row.
        ///
        /// - Returns: `false` at the end.
        package func step() throws(DatabaseError) -> Bool {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: return true
            case SQLITE_DONE: return false
            case let code:
                // Get the message before the reset, which can replace it.
                let error = failure(code)
                sqlite3_reset(handle)
                throw error
            }
        }

        /// Runs the statement to its end and resets it; parameters keep their values.
        package func run() throws(DatabaseError) {
            while try step() {}
            reset()
        }

        package func reset() {
            isLent = false
            sqlite3_reset(handle)
        }

        /// Marks the memory of the current row as in use, until ``reset()``.
        package func lend() { isLent = true }

        /// Runs `body` on the first row; returns `nil` if there is none.
        package func first<Result>(_ body: (Statement) throws -> Result) throws -> Result? {
            defer { reset() }
            return try step() ? try body(self) : nil
        }

        /// Runs `body` on every row.
        package func forEach(_ body: (Statement) throws -> Void) throws {
            defer { reset() }
            while try step() { try body(self) }
        }

        private func failure(_ code: Int32) -> DatabaseError {
            DatabaseError(
                resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
        }

        private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

        // A pointer to static text is valid for the lifetime of the program.
        private static var empty: UnsafePointer<CChar> {
            let text: StaticString = ""
            return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
        }

        // MARK: - Columns

        package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

        package func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

        package func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

        package func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

        package func text(_ column: Int32) -> String {
            guard let base = sqlite3_column_text(handle, column) else { return "" }
            let count = Int(sqlite3_column_bytes(handle, column))
            return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
        }

        /// Returns the bytes of a blob, which are valid until the next step.
        package func blob(_ column: Int32) -> UnsafeRawBufferPointer {
            let base = sqlite3_column_blob(handle, column)
            return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
        }

        package func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

        package func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }

        package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    }
}

// Files of other programs can hold values of any type in any column.
extension Workspace.Statement {
    /// Returns an integer; `nil` if the column holds a different type.
    package func storedInt64(_ column: Int32) -> Int64? { type(column) == SQLITE_INTEGER ? int64(column) : nil }

    /// Returns an integer; `nil` if the column holds a different type.
    package func storedInt(_ column: Int32) -> Int? { storedInt64(column).map(Int.init) }

    /// Returns a number; `nil` if the column holds a different type.
    package func storedDouble(_ column: Int32) -> Double? {
        let type = type(column)
        return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? double(column) : nil
    }

    /// Returns text; `nil` if the column holds a different type.
    package func storedText(_ column: Int32) -> String? { type(column) == SQLITE_TEXT ? text(column) : nil }

    private func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }
}
