internal import GRDB
internal import SearchIndexes
internal import Workspace

/// A chunk that has no vector yet.
struct EmbeddingNeed {
    var chunk: Int64
    var digest: ContentDigest
    var text: String
}

/// Finds chunks without vectors, their texts, and vectors that other chunks with the same text have already.
struct EmbeddingNeeds {
    let workspace: Workspace
    let corpus: Int64
    private let texts = DocumentTexts()

    init(_ workspace: Workspace, corpus: Int64) {
        self.workspace = workspace
        self.corpus = corpus
    }

    /// All chunks that are searched, by row, after `isKnown` left out those with a vector.
    func pending(_ isKnown: (Int64) -> Bool) throws -> [Int64] {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db,
                """
                SELECT c.id FROM retrieval_document d JOIN retrieval_chunk c ON c.document = d.id
                WHERE d.corpus = ? AND d.duplicate IS NULL AND c.indexed = 1
                """)
            row.bind(1, corpus)
            var pending: [Int64] = []
            while try row.step() {
                let id = row.int64(0)
                if !isKnown(id) { pending.append(id) }
            }
            return pending.sorted()
        }
    }

    /// Returns the texts of chunks as they are embedded; chunks that are gone are left out.
    func needs(_ chunks: some Sequence<Int64>) throws -> [EmbeddingNeed] {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db,
                """
                SELECT c.document, c.first, c.beyond, c.heading, c.digest, d.title, d.kind
                FROM retrieval_chunk c JOIN retrieval_document d ON d.id = c.document WHERE c.id = ?
                """)
            var needs: [EmbeddingNeed] = []
            for chunk in chunks {
                row.bind(1, chunk)
                defer { row.reset() }
                guard try row.step() else { continue }
                let first = max(0, row.int(1))
                let text = try texts.text(of: row.int64(0), first..<max(first, row.int(2)), db)
                let parts = ChunkTexts(
                    title: row.text(5), heading: row.text(3), text: text, kind: SourceKind(rawValue: row.text(6)))
                let digest = ContentDigest(row.blob(4)) ?? parts.digest
                needs.append(EmbeddingNeed(chunk: chunk, digest: digest, text: parts.embedded))
            }
            return needs
        }
    }

    /// Chunks with the same content as one of `digests`, of any corpus.
    func twins(of digests: some Sequence<ContentDigest>) throws -> [ContentDigest: [(chunk: Int64, corpus: Int64)]] {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db,
                """
                SELECT c.id, d.corpus FROM retrieval_chunk c JOIN retrieval_document d ON d.id = c.document
                WHERE c.digest = ? AND c.indexed = 1 LIMIT 16
                """)
            var twins: [ContentDigest: [(chunk: Int64, corpus: Int64)]] = [:]
            for digest in digests {
                try digest.bytes.withUnsafeBytes { raw in
                    row.bind(lent: raw, 1)
                    while try row.step() { twins[digest, default: []].append((row.int64(0), row.int64(1))) }
                    row.reset()
                }
            }
            return twins
        }
    }
}

/// Vectors of the same embedder in other corpora, read where one of them is needed.
final class TwinVectors {
    private let workspace: Workspace
    private var spaces: [Int64: Int64] = [:]
    private var opened: [Int64: VectorRows?] = [:]
    /// Rows of more bytes are not read for the sake of a few equal texts.
    private static let mostBytes = 1 << 30
    private var bytes = 0

    init(_ workspace: Workspace, digest: String, metric: Metric, besides space: Int64) throws {
        self.workspace = workspace
        let rows = try workspace.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT corpus, id FROM retrieval_index
                    WHERE digest = ? AND metric = ? AND state = 'ready' AND id <> ? AND kind <> 'vamana'
                    """,
                arguments: [digest, metric.rawValue, space])
        }
        for row in rows { spaces[row[0]] = row[1] }
    }

    var isEmpty: Bool { spaces.isEmpty }

    /// Returns the vector of a chunk of another corpus; `nil` if it is not available.
    func vector(of chunk: Int64, in corpus: Int64) -> UnsafeBufferPointer<Float>? {
        guard let space = spaces[corpus] else { return nil }
        let rows: VectorRows?
        if let known = opened[space] {
            rows = known
        } else {
            rows = open(space)
            opened[space] = .some(rows)
        }
        guard let rows, let slot = rows.slot(of: chunk) else { return nil }
        return UnsafeBufferPointer(start: rows.row(slot), count: rows.dimension)
    }

    // Embed again what cannot be read.
    private func open(_ space: Int64) -> VectorRows? {
        guard bytes < Self.mostBytes, let segments = try? LiveSegments(workspace, index: space),
            let rows = try? VectorRows(from: segments)
        else { return nil }
        bytes += rows.count * rows.stride * 4
        return rows
    }
}
