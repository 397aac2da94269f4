public import GRDB

/// One step that brings a workspace file from an older shape to the next.
///
/// A module keeps its steps in a list and only ever appends to it: a released step is never edited, moved or renamed,
/// and speaks SQL rather than today's types, so that a file of any age ends in the same shape.
///
/// ```swift
/// static let migrations = [
///     Migration("traces: spans", sql: "CREATE TABLE span (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT"),
///     Migration("traces: find spans by name", sql: "CREATE INDEX span_by_name ON span(name)"),
/// ]
/// ```
public struct Migration: Sendable {
    /// The name under which the file remembers the step, "module: what it does".
    public let name: String
    /// Makes the change. It runs inside a transaction, with foreign keys not enforced until it ends.
    public let apply: @Sendable (Database) throws -> Void

    public init(_ name: String, apply: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.apply = apply
    }

    /// A step of one or more SQL statements.
    public init(_ name: String, sql: String) {
        self.init(name) { db in try db.execute(sql: sql) }
    }
}
