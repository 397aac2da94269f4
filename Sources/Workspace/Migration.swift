public import GRDB

/// A schema migration of a workspace file.
///
/// Each module has a list of migrations and only appends to it. Never edit, move, or rename a released migration, and
/// write it in SQL, not with current types, so that files of any age end up with the same schema.
///
/// ```swift
/// static let migrations = [
///     Migration("traces: spans", sql: "CREATE TABLE span (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT"),
///     Migration("traces: find spans by name", sql: "CREATE INDEX span_by_name ON span(name)"),
/// ]
/// ```
public struct Migration: Sendable {
    /// Name recorded in the file, in the form "module: change".
    public let name: String
    /// Applies the change, inside a transaction and with foreign key enforcement off.
    public let apply: @Sendable (Database) throws -> Void

    /// Creates a migration from a closure.
    public init(_ name: String, apply: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.apply = apply
    }

    /// Creates a migration from one or more SQL statements.
    public init(_ name: String, sql: String) {
        self.init(name) { db in try db.execute(sql: sql) }
    }
}
