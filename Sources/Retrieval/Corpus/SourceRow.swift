internal import GRDB
internal import System
internal import Traces
internal import Workspace

/// A file as `retrieval_source` knows it.
struct SourceRow {
    var corpus: Int64
    var namespace: String
    var path: String
    /// The path that the add was given.
    var root: String
    var size: Int
    /// Nanoseconds since 1970; -1 if the time is too recent to be trusted.
    var modified: Int64
    var digest: UInt64
    /// Digest of everything that the documents depend on in addition to the file.
    var settings: ContentDigest

    /// Returns the modification time, or -1 if the file is so recent that it may be written again within the same tick
    /// of the file system's clock.
    static func trusted(_ modified: Int64) -> Int64 {
        Clock.nanoseconds(.wall) - modified < 2_000_000_000 ? -1 : modified
    }

    /// Keeps it and returns its row.
    func save(isWhole: Bool, _ db: Database) throws -> Int64 {
        let row = try Workspace.Statement(
            db,
            """
            INSERT INTO retrieval_source (corpus, namespace, path, root, size, modified, whole, digest, settings)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (corpus, namespace, path) DO UPDATE
            SET root = excluded.root, size = excluded.size, modified = excluded.modified, whole = excluded.whole,
                digest = excluded.digest, settings = excluded.settings
            RETURNING id
            """)
        row.bind(1, corpus)
        row.bind(2, namespace)
        row.bind(3, path)
        row.bind(4, root)
        row.bind(5, size)
        row.bind(6, modified)
        row.bind(7, isWhole ? 1 : 0)
        return try digestBytes.withUnsafeBytes { digest in
            try settings.bytes.withUnsafeBytes { settings in
                row.bind(lent: digest, 8)
                row.bind(lent: settings, 9)
                guard try row.step() else { throw Problem(.invalid, path, "the row was not saved") }
                let id = row.int64(0)
                row.reset()
                return id
            }
        }
    }

    private var digestBytes: [UInt8] { withUnsafeBytes(of: digest.bigEndian) { [UInt8]($0) } }

    /// Returns the row of the file's path; `nil` if there is no row.
    func known(_ db: Database) throws -> (id: Int64, isWhole: Bool, isSameStamp: Bool, isSameContent: Bool)? {
        let row = try Workspace.Statement(
            db,
            """
            SELECT id, whole, size, modified, digest, settings FROM retrieval_source
            WHERE corpus = ? AND namespace = ? AND path = ?
            """)
        row.bind(1, corpus)
        row.bind(2, namespace)
        row.bind(3, path)
        guard try row.step() else { return nil }
        defer { row.reset() }
        let isSameSettings = row.blob(5).elementsEqual(settings.bytes)
        return (
            row.int64(0), row.int(1) != 0 && isSameSettings,
            row.int(2) == size && row.int64(3) == modified && modified >= 0, row.blob(4).elementsEqual(digestBytes)
        )
    }
}
