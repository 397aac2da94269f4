internal import Formatting
internal import GRDB
internal import Glibc
internal import System
internal import Traces
public import Workspace

/// The text of a prompt, with its name and version number.
public struct PromptVersion: Hashable, Sendable {
    /// Name in task files.
    public var name: String
    /// Version number, starting at 1.
    public var version: Int
    /// Template as in the task file.
    public var text: String
    /// Digest of the text: 16 hexadecimal digits.
    public var digest: String
    /// Nanoseconds since 1970.
    public var time: Int64
}

/// Stores the texts of prompts. A new text under a name is its next version; a known text keeps its number.
public struct PromptStore: Sendable {
    /// Migrations that create the table of prompts.
    public static let migrations = [
        Migration(
            "evals: prompts",
            sql: """
                CREATE TABLE eval_prompt (
                    name TEXT NOT NULL,
                    version INTEGER NOT NULL,
                    digest TEXT NOT NULL,
                    text TEXT NOT NULL,
                    time INTEGER NOT NULL,
                    PRIMARY KEY (name, version)
                ) STRICT;
                """)
    ]

    private let workspace: Workspace

    public init(_ workspace: Workspace) { self.workspace = workspace }

    /// Returns the version of this text under this name; creates it if missing.
    ///
    /// - Parameter time: Nanoseconds since 1970, stored with a new version (default: now).
    @discardableResult
    public func keep(_ text: String, as name: String, time: Int64? = nil) throws -> PromptVersion {
        let time = time ?? Clock.nanoseconds(.wall)
        let digest = Self.digest(text)
        return try workspace.write { db in
            let known = try Row.fetchOne(
                db, sql: "SELECT * FROM eval_prompt WHERE name = ? AND digest = ? AND text = ?",
                arguments: [name, digest, text])
            if let known { return Self.version(known) }
            let last = try Int.fetchOne(
                db, sql: "SELECT max(version) FROM eval_prompt WHERE name = ?", arguments: [name])
            let version = PromptVersion(
                name: name, version: (last ?? 0) + 1, text: text, digest: digest, time: time)
            try db.execute(
                sql: "INSERT INTO eval_prompt (name, version, digest, text, time) VALUES (?, ?, ?, ?, ?)",
                arguments: [name, version.version, digest, text, time])
            return version
        }
    }

    /// Returns the versions under a name, the first one first.
    public func versions(of name: String) throws -> [PromptVersion] {
        try workspace.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM eval_prompt WHERE name = ? ORDER BY version", arguments: [name])
                .map(Self.version)
        }
    }

    /// Returns the latest version under every name, by name.
    public func latest() throws -> [PromptVersion] {
        try workspace.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM eval_prompt p WHERE version =
                        (SELECT max(version) FROM eval_prompt WHERE name = p.name) ORDER BY name
                    """
            ).map(Self.version)
        }
    }

    private static func version(_ row: Row) -> PromptVersion {
        PromptVersion(
            name: row["name"], version: row["version"], text: row["text"], digest: row["digest"], time: row["time"])
    }

    private static func digest(_ text: String) -> String { Format.hexadecimal(Digest.of(text), digits: 16) }
}
