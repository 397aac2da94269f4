internal import GRDB
internal import SearchIndexes
public import System
public import Workspace

/// Brings a collection of a server to the state of a corpus: the vectors of a space, with document, title and text.
///
/// Only what differs goes over the line: rows that are there as they are now stay, others are put or replaced, and rows
/// of chunks that are gone are removed. Ended at any moment, what is pushed is kept, and the same call goes on from
/// there.
public struct CorpusPush: Sendable {
    private let store: CorpusStore
    private let server: any VectorServer

    public init(_ store: CorpusStore, to server: any VectorServer) {
        self.store = store
        self.server = server
    }

    /// Settings of a push.
    public struct Settings: Sendable {
        /// Name of the collection (default: corpus name).
        public var name: String?
        /// The embedder of the space; `nil` takes the active one.
        public var space: String?
        /// Namespaces to push (default: only the corpus's own).
        public var namespaces: [String]?
        public var m = 16
        public var efConstruction = 64

        public init(name: String? = nil, space: String? = nil, namespaces: [String]? = nil) {
            self.name = name
            self.space = space
            self.namespaces = namespaces
        }
    }

    /// Rows that are put at once, and their bytes.
    private static let batchRows = 1_000
    private static let batchBytes = 8 << 20

    /// - Throws: `Problem` if the server refuses or breaks off, and where the collection is of another corpus
    ///   or embedder.
    public func callAsFunction(
        _ corpus: Corpus, settings: Settings = Settings(), until cancellation: Cancellation? = nil,
        progress: (PushProgress) -> Void = { _ in }
    ) throws -> PushReport {
        let begun = Clock.now(.monotonic)
        let isCancelled: @Sendable () -> Bool = { cancellation?.isCancelled ?? false }
        let session = try CorpusSession(store, corpus: corpus.name, namespaces: settings.namespaces)
        let source = try session.source()
        let part = try source.part(settings.space)
        let collection = try collection(corpus, part.space, settings)
        if let known = try server.described(collection.name) { try refuse(known, collection, corpus) }
        try server.prepare(collection)

        var report = PushReport(collection: collection.name)
        do {
            var gone = try server.stamps(in: collection, isCancelled: isCancelled)
            let rows = try PushRows(source, part)
            var batch: [ExternalRow] = []
            var bytes = 0
            func put() throws {
                try server.put(batch, into: collection, isCancelled: isCancelled)
                report.pushed += batch.count
                batch.removeAll(keepingCapacity: true)
                bytes = 0
            }
            for start in stride(from: 0, to: rows.labels.count, by: 256) {
                if isCancelled() { throw CancellationError() }
                for row in try rows.read(start..<min(rows.labels.count, start + 256)) {
                    if gone.removeValue(forKey: row.label) == row.stamp {
                        report.unchanged += 1
                        continue
                    }
                    batch.append(row)
                    bytes += row.text.utf8.count + 4 * row.vector.count
                    if batch.count >= Self.batchRows || bytes >= Self.batchBytes { try put() }
                }
                progress(
                    PushProgress(phase: .pushing, done: report.pushed + report.unchanged, total: rows.labels.count))
            }
            try put()
            let labels = gone.keys.sorted()
            for start in stride(from: 0, to: labels.count, by: 10_000) {
                if isCancelled() { throw CancellationError() }
                let some = Array(labels[start..<min(labels.count, start + 10_000)])
                try server.remove(some, from: collection)
                report.removed += some.count
            }
            report.seconds = Clock.now(.monotonic) - begun
            progress(PushProgress(phase: .indexing, done: 0, total: rows.labels.count))
            do throws(Problem) { try server.buildIndex(collection, isCancelled: isCancelled) } catch {
                if error.kind == .cancelled { throw CancellationError() }
                // Without an index, searches are exact and slow; the pushed rows are still useful.
                report.notes.append(error.sentence)
            }
        } catch is CancellationError {
            report.isCancelled = true
        } catch let error as Problem where error.kind == .cancelled {
            report.isCancelled = true
        }
        if report.seconds == 0 { report.seconds = Clock.now(.monotonic) - begun }
        return report
    }

    private func collection(
        _ corpus: Corpus, _ space: VectorSpace, _ settings: Settings
    ) throws(Problem) -> VectorCollection {
        try VectorCollection(
            settings.name ?? VectorCollection.name(for: corpus.name), dimension: space.dimension, metric: space.metric,
            m: settings.m, efConstruction: settings.efConstruction,
            origin: VectorCollection.Origin(
                corpus: corpus.name, identity: "\(corpus.created)", embedder: space.embedder, digest: space.digest))
    }

    /// Refuses a collection that this corpus did not create: it would lose all its rows, which are not chunks of this
    /// corpus.
    private func refuse(
        _ known: VectorCollection, _ wanted: VectorCollection, _ corpus: Corpus
    ) throws(Problem) {
        try wanted.refuse(unless: known, on: server.name)
        if known.origin?.identity == wanted.origin?.identity, known.origin?.digest == wanted.origin?.digest { return }
        if known.origin == nil, try server.count(known) == 0 { return }
        let owner = known.origin.map { "the corpus \($0.corpus), embedded with \($0.embedder)" } ?? "another program"
        throw Problem(
            .invalid, server.name, "\(known.name) contains vectors from \(owner)", remedy: "Push under another name.")
    }
}

/// The progress of a push.
public struct PushProgress: Hashable, Sendable {
    public enum Phase: String, Sendable {
        case pushing, indexing
    }

    public var phase: Phase
    /// Chunks that are on the server as they are here, and all.
    public var done: Int
    public var total: Int
}

/// The result of a push.
public struct PushReport: Hashable, Sendable {
    public var collection: String
    /// Rows that were put, new or replaced.
    public var pushed = 0
    /// Rows that were there as they are.
    public var unchanged = 0
    /// Rows of chunks that are gone.
    public var removed = 0
    /// Without the index, in seconds.
    public var seconds = 0.0
    public var isCancelled = false
    /// Sentences, such as why there is no index.
    public var notes: [String] = []
}

/// The chunks of a space with their vectors, as they are pushed.
private struct PushRows {
    /// Ascending.
    let labels: [Int64]
    private let source: CorpusSnapshot
    private let reader: SpaceReader

    init(_ source: CorpusSnapshot, _ part: CorpusSnapshot.SpacePart) throws {
        self.source = source
        reader = try part.reader()
        let allowed = try source.allowed(nil)
        let all: [Int64] =
            switch reader {
            case .memory(let index):
                (0..<index.rows.count).filter { !index.rows.removed.contains($0) }.map { index.rows.labels[$0] }
            case .file(let file, _, _):
                (0..<file.count).filter { !file.removed.contains($0) }.map { file.labels[$0] }
            }
        labels = all.filter { !part.retired.contains($0) && allowed?.contains($0) != false }.sorted()
    }

    func read(_ range: Range<Int>) throws -> [ExternalRow] {
        let some = Array(labels[range])
        let titles = try source.workspace.read { db in
            let row = try Workspace.Statement(
                db,
                """
                SELECT d.title FROM retrieval_chunk c JOIN retrieval_document d ON d.id = c.document WHERE c.id = ?
                """)
            return try some.map { label in
                row.bind(1, label)
                defer { row.reset() }
                return try row.step() ? row.text(0) : ""
            }
        }
        let byLabel = Dictionary(zip(some, titles)) { one, _ in one }
        return try source.chunks(some).compactMap { chunk in
            guard let vector = try reader.vector(of: chunk.id, source.workspace) else { return nil }
            return ExternalRow(
                label: chunk.id, vector: vector, document: chunk.document, title: byLabel[chunk.id] ?? "",
                caption: chunk.label, text: chunk.text, place: chunk.range.lowerBound)
        }
    }
}

extension CorpusSnapshot {
    /// Returns the embedder of a space, as it made the vectors; `nil` takes the active space.
    public func embedder(of space: String? = nil) throws(Problem) -> any Embedder {
        let part = try part(space)
        return try answering { try part.embedder() }
    }
}
