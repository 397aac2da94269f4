import GRDB
import GRDBSQLite
import Glibc

/// The SQL functions that filters call: `text_holds`, `text_equals`, and `text_differs`, each for a text and a pattern,
/// compared as `Folding` describes; 0 if the text is NULL.
enum FilterFunctions {
    /// Makes the functions known to a connection.
    static func install(in database: Database) throws {
        try define("text_holds", in: database, textHolds)
        try define("text_equals", in: database, textEquals)
        try define("text_differs", in: database, textDiffers)
    }

    private typealias Function =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static func define(_ name: String, in database: Database, _ function: Function) throws {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        let code = sqlite3_create_function_v2(
            database.sqliteConnection, name, 2, flags, nil, function, nil, nil, nil)
        if code != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    fileprivate static func answer(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ test: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL else {
            return sqlite3_result_int(context, 0)
        }
        // The pattern is a constant of the statement: SQLite keeps its folded bytes from row to row.
        let pattern: UnsafeMutablePointer<UInt8>
        let count: Int
        if let kept = sqlite3_get_auxdata(context, 1) {
            pattern = kept.assumingMemoryBound(to: UInt8.self)
            count = Int(sqlite3_value_bytes(arguments[1]))
        } else {
            let text = sqlite3_value_text(arguments[1])
            count = Int(sqlite3_value_bytes(arguments[1]))
            pattern = fold(text, count)
            sqlite3_set_auxdata(context, 1, pattern, { free($0) })
            // SQLite may discard the data at once if the pattern is not a constant.
            guard sqlite3_get_auxdata(context, 1) != nil else {
                let folded = fold(text, count)
                defer { free(folded) }
                return finish(context, arguments[0], UnsafeBufferPointer(start: folded, count: count), test)
            }
        }
        finish(context, arguments[0], UnsafeBufferPointer(start: pattern, count: count), test)
    }

    private static func finish(
        _ context: OpaquePointer?, _ value: OpaquePointer?, _ pattern: UnsafeBufferPointer<UInt8>,
        _ test: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        let base = sqlite3_value_text(value)
        let text = UnsafeBufferPointer(start: base, count: Int(sqlite3_value_bytes(value)))
        sqlite3_result_int(context, test(text, pattern) ? 1 : 0)
    }

    private static func fold(_ text: UnsafePointer<UInt8>?, _ count: Int) -> UnsafeMutablePointer<UInt8> {
        let bytes = malloc(max(1, count))!.assumingMemoryBound(to: UInt8.self)
        if let text { bytes.update(from: text, count: count) }
        Folding.fold(UnsafeMutableBufferPointer(start: bytes, count: count))
        return bytes
    }
}

private func textHolds(_ context: OpaquePointer?, _: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    FilterFunctions.answer(context, arguments, holds)
}

private func textEquals(_ context: OpaquePointer?, _: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    FilterFunctions.answer(context, arguments, equals)
}

private func textDiffers(_ context: OpaquePointer?, _: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    FilterFunctions.answer(context, arguments) { !equals($0, $1) }
}

private func holds(_ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>) -> Bool {
    Folding.place(of: pattern, in: text) != nil
}

private func equals(_ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>) -> Bool {
    text.count == pattern.count && holds(text, pattern)
}
