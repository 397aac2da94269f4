internal import GRDB
internal import Interpretability
internal import JSON
internal import System
internal import Workspace

/// Changes of a model that a person saved under a name.
public struct SavedInterventions: Hashable, Sendable {
    /// Their number in the workspace.
    public var id: Int64
    /// What a person calls them; unique for a dictionary.
    public var name: String
    /// JSON text of an array.
    public var list: String
    /// Nanoseconds since 1970.
    public var changed: Int64

    /// Interventions as they are kept.
    public init(id: Int64, name: String, list: String, changed: Int64) {
        self.id = id
        self.name = name
        self.list = list
        self.changed = changed
    }
}

extension FeatureStore {
    /// Saves a list of interventions, in place of one of the same name.
    ///
    /// - Parameter list: JSON text of an array, at most 1 MiB.
    @discardableResult
    public func saveInterventions(_ list: String, named name: String, of id: Int64) throws -> SavedInterventions {
        try Self.checkName(name)
        let isArray = try? JSONDocument(parsing: list).withRoot { $0.kind == .array }
        guard isArray == true, list.utf8.count <= 1 << 20 else {
            throw Problem(
                .limit, "interventions \(name)", "expected a JSON array of at most 1,048,576 bytes",
                remedy: "Save fewer interventions.")
        }
        return try workspace.write { db in
            _ = try Self.dictionary(id, db)
            try db.execute(
                sql: """
                    INSERT INTO feature_intervention (dictionary, name, list, changed) VALUES (?, ?, ?, ?)
                    ON CONFLICT (dictionary, name) DO UPDATE SET list = excluded.list, changed = excluded.changed
                    """,
                arguments: [id, name, list, Clock.nanoseconds(.wall)])
            let sql = "SELECT * FROM feature_intervention WHERE dictionary = ? AND name = ?"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [id, name]) else {
                throw Frame.damage("interventions \(name)")
            }
            return Self.interventions(row)
        }
    }

    /// What was saved for a dictionary, by name.
    public func savedInterventions(of id: Int64) throws -> [SavedInterventions] {
        try workspace.read { db in
            _ = try Self.dictionary(id, db)
            let sql = "SELECT * FROM feature_intervention WHERE dictionary = ? ORDER BY name"
            return try Row.fetchAll(db, sql: sql, arguments: [id]).map(Self.interventions)
        }
    }

    /// Deletes saved interventions; already deleted ones are not an error.
    public func deleteInterventions(_ id: Int64) throws {
        try workspace.write { db in
            try db.execute(sql: "DELETE FROM feature_intervention WHERE id = ?", arguments: [id])
        }
    }

    private static func interventions(_ row: Row) -> SavedInterventions {
        SavedInterventions(id: row["id"], name: row["name"], list: row["list"], changed: row["changed"])
    }
}
