internal import GRDB
internal import SearchIndexes
public import Workspace

/// The health of a corpus: chunk lengths, duplicates, and the state of its indexes.
public struct CorpusHealth: Hashable, Sendable {
    public var corpus: Corpus
    /// Bytes of every chunk that is searched.
    public var lengths: [Int]
    public var clusters: [Cluster]
    public var indexes: [Index]
    /// Damage found, one sentence each.
    public var problems: [String]

    /// Documents that say the same, the largest cluster first; the first member stands for the others.
    public struct Cluster: Hashable, Sendable {
        public var members: [String]
        /// Lowest similarity to the first document; 1 if all are equal.
        public var similarity: Double
    }

    public struct Index: Hashable, Sendable {
        public var name: String
        public var kind: String
        public var entries: Int
        public var bytes: Int
        public var isActive: Bool
    }
}

extension Retriever {
    /// Looks at a corpus as a whole. Reads every text and every segment.
    public func health(of corpus: Corpus, until cancellation: Cancellation? = nil) throws -> CorpusHealth {
        let lengths = try store.workspace.read { db in
            try Int.fetchAll(
                db,
                sql: """
                    SELECT c.beyond - c.first FROM retrieval_chunk c JOIN retrieval_document d ON d.id = c.document
                    WHERE d.corpus = ? AND c.indexed = 1
                    """, arguments: [corpus.id])
        }
        let report = try duplicates(of: corpus, until: cancellation)
        let names = try names(of: report, in: corpus)
        let clusters = report.clusters.map { cluster in
            CorpusHealth.Cluster(
                members: ([cluster.representative] + cluster.members.map(\.label)).map {
                    names[$0] ?? "document \($0)"
                },
                similarity: cluster.members.map(\.similarity).min() ?? 1)
        }
        let (indexes, problems) = try indexes(of: corpus, until: cancellation)
        return CorpusHealth(
            corpus: try store.corpus(corpus.id), lengths: lengths,
            clusters: clusters.sorted { $0.members.count > $1.members.count }, indexes: indexes, problems: problems)
    }

    /// Returns every index of a corpus with what is wrong with its segments.
    public func indexes(
        of corpus: Corpus, until cancellation: Cancellation? = nil
    ) throws -> (indexes: [CorpusHealth.Index], problems: [String]) {
        var indexes: [CorpusHealth.Index] = []
        var problems: [String] = []
        try store.workspace.read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT id, embedder, kind, vectors, active FROM retrieval_index WHERE corpus = ? ORDER BY id",
                arguments: [corpus.id])
            for row in rows {
                let id: Int64 = row[0]
                let check = try IndexIntegrity(checking: id, in: db) { _ in cancellation?.isCancelled != true }
                try cancellation?.check()
                let embedder: String? = row[1]
                indexes.append(
                    CorpusHealth.Index(
                        name: embedder ?? "words", kind: row[2], entries: embedder == nil ? corpus.chunkCount : row[3],
                        bytes: check.bytes, isActive: embedder == nil || row[4]))
                problems += check.problems.map(\.sentence)
            }
        }
        return (indexes, problems)
    }

    // MARK: Duplicates

    /// Documents that say the same, exactly or nearly. Reads every text; nothing is changed.
    public func duplicates(of corpus: Corpus, until cancellation: Cancellation? = nil) throws -> DuplicateReport {
        let report = try store.duplicates(of: corpus.id) { _, _ in cancellation?.isCancelled != true }
        try cancellation?.check()
        return report
    }

    /// Returns the names of the documents in a report.
    public func names(of report: DuplicateReport, in corpus: Corpus) throws -> [Int64: String] {
        var names: [Int64: String] = [:]
        for cluster in report.clusters {
            for id in [cluster.representative] + cluster.members.map(\.label) {
                names[id] = try store.document(id)?.name
            }
        }
        return names
    }
}
