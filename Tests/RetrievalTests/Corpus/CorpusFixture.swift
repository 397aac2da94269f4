import Retrieval
import SearchIndexes
import Synchronization
import TestFixtures
import Workspace

/// A workspace with a corpus in a folder of its own.
final class CorpusFixture {
    let folder = TemporaryFolder()
    let workspace: Workspace
    let store: CorpusStore
    let corpus: Corpus

    init(_ settings: CorpusSettings = CorpusSettings(), indexes: VectorIndexTable = .standard) throws {
        workspace = try Workspace.open(folder.file("team.orrery"), migrations: Retrieval.migrations, create: true)
        store = CorpusStore(workspace, indexes: indexes)
        corpus = try store.create("manuals", settings: settings)
    }

    /// Documents with these texts, `a`, `b`, ... by their place.
    @discardableResult
    func add(
        _ texts: [String], namespace: String? = nil, metadata: [[String: MetadataValue]] = []
    ) throws -> AddReport {
        var options = AddOptions()
        options.namespace = namespace
        let documents = texts.enumerated().map { place, text in
            SourceDocument(
                id: String(UnicodeScalar(UInt8(97 + place))), text: text,
                metadata: place < metadata.count ? metadata[place] : [:])
        }
        return try store.add(documents: documents, to: corpus.id, options: options)
    }

    /// Writes forty files and cancels their add after the twentieth.
    ///
    /// - Returns: The folder of the files, the options of the add, and its report.
    func addHalf() throws -> (folder: TemporaryFolder, options: AddOptions, report: AddReport) {
        let folder = TemporaryFolder()
        for number in 0..<40 { File.write("comet number\(number)", to: folder.file("\(number + 10).txt")) }
        var options = AddOptions()
        options.batchDocuments = 8
        let cancellation = Cancellation()
        let report = try store.add([folder.path], to: corpus.id, options: options, cancellation: cancellation) {
            if $0.files == 20 { cancellation.cancel() }
        }
        return (folder, options, report)
    }

    func session(_ namespaces: [String]? = nil, embedder: (any Embedder)? = nil) throws -> CorpusSession {
        try CorpusSession(store, corpus: "manuals", namespaces: namespaces, embedder: embedder)
    }

    /// Returns the documents that a lexical search finds, best first.
    func lexical(_ query: String, in namespaces: [String]? = nil, filter: String? = nil) throws -> [String] {
        let source = try session(namespaces).source()
        let request = LexicalRequest(query: query, k: 20, filter: try filter.map(source.resolve))
        return try names(source.searchLexically(request) { false }, source)
    }

    func names(_ hits: ChunkHits, _ source: CorpusSnapshot) throws -> [String] {
        try source.chunks(hits.hits.map(\.chunk)).map(\.document)
    }
}

/// Counts of letters as vectors, and how many texts it was asked for.
final class LetterEmbedder: Embedder {
    let name: String
    let dimension = 26
    let batchSize = 4
    private let salt: Int
    private let asked = Mutex<[String]>([])
    private let limit: Int

    /// - Parameters:
    ///   - salt: Moves letters to other axes: another model.
    ///   - limit: Number of texts after which it reports cancellation.
    init(salt: Int = 0, limit: Int = .max) {
        name = "letters-\(salt)"
        self.salt = salt
        self.limit = limit
    }

    var digest: String { "letters-1-\(salt)" }
    var texts: [String] { asked.withLock { $0 } }

    func embed(
        _ texts: [String], as role: EmbeddingRole, isCancelled: @Sendable () -> Bool
    ) throws(RetrievalError) -> [Float] {
        let count = asked.withLock { asked in
            asked += texts
            return asked.count
        }
        guard count <= limit else { throw .cancelled(name) }
        return texts.flatMap { text in
            var row = [Float](repeating: 0.01, count: dimension)
            for byte in text.lowercased().utf8 where (97...122).contains(byte) {
                row[(Int(byte) - 97 + salt) % dimension] += 1
            }
            return row
        }
    }
}
