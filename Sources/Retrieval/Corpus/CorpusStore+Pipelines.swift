internal import Configuration
internal import GRDB
internal import System
internal import Workspace

/// A pipeline's file as it was saved.
public struct PipelineVersion: Hashable, Sendable {
    public var name: String
    /// Counted from 1.
    public var version: Int
    public var toml: String
    public var digest: ContentDigest { ContentDigest(toml) }
    /// Nanoseconds since 1970.
    public var created: Int64
}

extension CorpusStore {
    /// Keeps a pipeline's file; one that says the same as the newest version is that version.
    @discardableResult
    public func savePipeline(_ name: String, toml: String) throws -> PipelineVersion {
        try Self.checkName(name)
        guard toml.utf8.count <= 1 << 20 else {
            throw Problem(.limit, "pipeline \(name)", "the file is larger than 1 MiB", remedy: "Shorten it.")
        }
        return try workspace.write { db in
            if let last = try Self.pipelines("name = ? ORDER BY version DESC LIMIT 1", [name], db).first,
                last.toml == toml
            {
                return last
            }
            try db.execute(
                sql: """
                    INSERT INTO retrieval_pipeline (name, version, toml, created)
                    VALUES (?1, (SELECT ifnull(max(version), 0) + 1 FROM retrieval_pipeline WHERE name = ?1), ?, ?)
                    """,
                arguments: [name, toml, Clock.nanoseconds(.wall)])
            return try Self.pipelines("name = ? ORDER BY version DESC LIMIT 1", [name], db)[0]
        }
    }

    /// Returns the newest version of every pipeline, by name.
    public func pipelines() throws -> [PipelineVersion] {
        try workspace.read { db in
            try Self.pipelines(
                "version = (SELECT max(version) FROM retrieval_pipeline o WHERE o.name = p.name) ORDER BY name", [], db)
        }
    }

    /// Returns a version of a pipeline; `nil` takes the newest.
    ///
    /// - Throws: `Problem` if there is no such pipeline.
    public func pipeline(_ name: String, version: Int? = nil) throws -> PipelineVersion {
        try workspace.read { db in
            let found =
                try version.map { try Self.pipelines("name = ? AND version = ?", [name, $0], db) }
                ?? Self.pipelines("name = ? ORDER BY version DESC LIMIT 1", [name], db)
            guard let first = found.first else {
                throw Problem(
                    .unknown, "", "unknown pipeline \(name)\(version.map { ", version \($0)" } ?? "")",
                    remedy: "Save a file as a pipeline: orrery corpus pipeline NAME --save FILE.")
            }
            return first
        }
    }

    /// Returns all versions of a pipeline, the newest first.
    public func versions(ofPipeline name: String) throws -> [PipelineVersion] {
        try workspace.read { db in try Self.pipelines("name = ? ORDER BY version DESC", [name], db) }
    }

    /// Removes a pipeline with all of its versions.
    public func removePipeline(_ name: String) throws {
        try workspace.write { db in
            try db.execute(sql: "DELETE FROM retrieval_pipeline WHERE name = ?", arguments: [name])
            guard db.changesCount == 0 else { return }
            let names = try String.fetchAll(db, sql: "SELECT DISTINCT name FROM retrieval_pipeline ORDER BY name")
            throw Problem(
                .missing, name, "no saved pipeline has this name",
                remedy: NearestName.remedy(name, among: names, none: ""))
        }
    }

    private static func pipelines(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [PipelineVersion] {
        try Row.fetchAll(
            db, sql: "SELECT name, version, toml, created FROM retrieval_pipeline p WHERE \(condition)",
            arguments: arguments
        ).map { PipelineVersion(name: $0[0], version: $0[1], toml: $0[2], created: $0[3]) }
    }
}
