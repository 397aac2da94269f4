internal import GRDB
internal import System
public import Workspace

/// The models that a workspace knows. Weights stay where they are.
///
/// ```swift
/// let registry = ModelRegistry(workspace)
/// try registry.add(name: "mini", specification: "openai:gpt-4o-mini", file: nil, at: now)
/// ```
public struct ModelRegistry: Sendable {
    private let workspace: Workspace

    public init(_ workspace: Workspace) { self.workspace = workspace }

    /// Returns all models, sorted by name.
    public func entries() throws -> [ModelEntry] {
        try workspace.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM model ORDER BY name").map(Self.entry)
        }
    }

    /// Returns a model by its name; `nil` if the workspace has no such model.
    public func entry(named name: String) throws -> ModelEntry? {
        try workspace.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM model WHERE name = ?", arguments: [name]).map(Self.entry)
        }
    }

    /// Adds a model, or updates the entry with the same name and specification.
    ///
    /// - Throws: `Problem` if a different model has the name.
    @discardableResult
    public func add(name: String, specification: String, file: ModelEntry.File?, at time: Int64) throws -> ModelEntry {
        try workspace.write { db in
            let known = try Row.fetchOne(db, sql: "SELECT * FROM model WHERE name = ?", arguments: [name])
                .map(Self.entry)
            if let known, known.specification != specification {
                throw Problem(
                    .invalid, "", "the name \(name) already belongs to \(known.specification)",
                    remedy: "Choose another with --name.")
            }
            let values: StatementArguments = [
                name, specification, file?.architecture, file?.formats, file?.parameters, file?.bytes,
                file?.contextLength, file.map { Int64(bitPattern: $0.digest) }, time,
            ]
            try db.execute(
                sql: """
                    INSERT INTO model
                    (name, specification, architecture, formats, parameters, bytes, context, digest, added)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET
                    architecture = excluded.architecture, formats = excluded.formats,
                    parameters = excluded.parameters, bytes = excluded.bytes, context = excluded.context,
                    digest = excluded.digest
                    """,
                arguments: values)
            guard let row = try Row.fetchOne(db, sql: "SELECT * FROM model WHERE name = ?", arguments: [name]) else {
                throw Self.unknownModel(name, known: [])
            }
            return Self.entry(row)
        }
    }

    /// Forgets a model; its file and what it answered stay.
    ///
    /// - Throws: `Problem` if no model has the name.
    public func remove(named name: String) throws {
        try workspace.write { db in
            try db.execute(sql: "DELETE FROM model WHERE name = ?", arguments: [name])
            guard db.changesCount > 0 else {
                throw Self.unknownModel(
                    name, known: try String.fetchAll(db, sql: "SELECT name FROM model ORDER BY name"))
            }
        }
    }

    private static func entry(_ row: Row) -> ModelEntry {
        let architecture: String? = row["architecture"]
        let digest: Int64 = row["digest"] ?? 0
        let file = architecture.map {
            ModelEntry.File(
                architecture: $0, formats: row["formats"] ?? "", parameters: row["parameters"] ?? 0,
                bytes: row["bytes"] ?? 0, contextLength: row["context"] ?? 0, digest: UInt64(bitPattern: digest))
        }
        return ModelEntry(
            id: row["id"], name: row["name"], specification: row["specification"], file: file, added: row["added"])
    }
}

extension ModelRegistry {
    static func unknownModel(_ name: String, known: [String]) -> Problem {
        Problem(
            .unknown, "", "unknown model \"\(name)\"",
            remedy: known.isEmpty
                ? "Add one with orrery model add PATH."
                : "Models in this workspace: \(known.joined(separator: ", ")).")
    }
}
