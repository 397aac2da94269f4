internal import GRDB
internal import SearchIndexes
internal import System
internal import Workspace

/// A running add of files or documents: gathers batches, writes each in a transaction with its index, and counts.
///
/// After a transaction everything on the disk fits together, and doing the same again goes on behind it.
final class CorpusFilling {
    let store: CorpusStore
    let corpus: Corpus
    let options: AddOptions
    let namespace: String
    var report = AddReport()
    private let journal: EditJournal?
    private let prepare: DocumentPreparation
    private var lexical: CorpusLexicon
    private var batch: [Step] = []
    private var batchBytes = 0
    /// Names that this add has seen, as digests, with the namespace in them.
    private var seenNames: Set<ContentDigest> = []
    /// Documents of the file at hand.
    private var seenDocuments: Set<Int64> = []

    /// Steps of a batch, in order.
    enum Step {
        case begin(SourceRow)
        case document(SourceDocument)
        /// The file was read to its end.
        case end(SourceRow)
    }

    /// - Parameter journal: Records the changes for undo; `nil` if they cannot be undone.
    init(_ store: CorpusStore, _ corpus: Corpus, _ options: AddOptions, journal: EditJournal? = nil) throws {
        self.store = store
        self.journal = journal
        self.corpus = corpus
        self.options = options
        namespace = options.namespace ?? corpus.settings.namespace
        try NamespacePolicy.check(namespace)
        if !corpus.settings.allowsNamespaces, namespace != corpus.settings.namespace {
            throw Problem(
                .invalid, "corpus \(corpus.name)", "the corpus accepts only namespace \(corpus.settings.namespace)",
                remedy: "Use that namespace, or create another corpus for \(namespace).")
        }
        prepare = try DocumentPreparation(corpus.settings, embedder: options.embedder)
        lexical = try CorpusLexicon(store.workspace, corpus)
    }

    // MARK: Gathering

    func begin(_ source: SourceRow) { batch.append(.begin(source)) }

    func add(_ document: SourceDocument) throws {
        batch.append(.document(document))
        batchBytes += document.text.utf8.count
        if batchBytes >= options.batchBytes || batch.count >= options.batchDocuments { try commit() }
    }

    func end(_ source: SourceRow) throws {
        batch.append(.end(source))
        if batch.count >= options.batchDocuments { try commit() }
    }

    // MARK: Writing

    /// Writes what was gathered, all of it or nothing.
    func commit() throws {
        guard !batch.isEmpty else { return }
        let steps = batch
        batch = []
        batchBytes = 0
        let changes = try changes(steps)
        var counted = report
        var (names, documents, open) = (seenNames, seenDocuments, openSource)
        do {
            try store.workspace.write { db in
                let index = try lexical.forWriting(db)
                let writer = try DocumentWriter(corpus.id, corpus.settings, index, db)
                writer.journal = journal
                for (place, step) in steps.enumerated() {
                    switch step {
                    case .begin(let row):
                        open = try row.save(isWhole: false, db)
                        documents = []
                    case .document(let source):
                        try write(source, changes[place], open, writer, &names, &documents, &counted, db)
                    case .end(let row):
                        try removeMissing(documents, of: open, writer, &counted, db)
                        _ = try row.save(isWhole: true, db)
                        open = nil
                    }
                }
                counted.chunks += writer.chunksWritten
                try writer.finish()
                try lexical.save(db)
            }
        } catch {
            lexical.forget()
            journal?.forget()
            throw error
        }
        journal?.committed()
        try lexical.committed()
        (seenNames, seenDocuments, openSource, report) = (names, documents, open, counted)
    }

    private var openSource: Int64?

    /// Cuts and compresses what changed, before the transaction begins.
    private func changes(_ steps: [Step]) throws -> [Int: PreparedDocument] {
        var changes: [Int: PreparedDocument] = [:]
        let known = try digests(steps)
        for (place, step) in steps.enumerated() {
            guard case .document(let source) = step else { continue }
            let metadata = metadata(of: source)
            let digest = PreparedDocument.digest(source, metadata)
            let namespace = self.namespace(of: metadata)
            if known[place] == digest { continue }
            changes[place] = try prepare(source, namespace: namespace, metadata: metadata, digest: digest)
        }
        return changes
    }

    private func digests(_ steps: [Step]) throws -> [Int: ContentDigest] {
        try store.workspace.read { db in
            let row = try Workspace.Statement(
                db, "SELECT digest FROM retrieval_document WHERE corpus = ? AND namespace = ? AND name = ? AND path = ?"
            )
            var known: [Int: ContentDigest] = [:]
            for (place, step) in steps.enumerated() {
                guard case .document(let source) = step else { continue }
                for name in Self.names(of: source) {
                    row.bind(1, corpus.id)
                    row.bind(2, namespace(of: metadata(of: source)))
                    row.bind(3, name)
                    row.bind(4, source.origin.path)
                    if try row.step() { known[place] = ContentDigest(row.blob(0)) }
                    row.reset()
                    if known[place] != nil { break }
                }
            }
            return known
        }
    }

    private func write(
        _ source: SourceDocument, _ prepared: PreparedDocument?, _ file: Int64?, _ writer: DocumentWriter,
        _ names: inout Set<ContentDigest>, _ documents: inout Set<Int64>, _ report: inout AddReport, _ db: Database
    ) throws {
        report.textBytes += Int64(source.text.utf8.count)
        let metadata = metadata(of: source)
        let namespace = namespace(of: metadata)
        guard corpus.settings.allowsNamespaces || namespace == corpus.settings.namespace else {
            return report.skip("\(source.id): the corpus accepts only namespace \(corpus.settings.namespace).")
        }
        guard names.insert(ContentDigest(namespace, source.origin.path, source.id)).inserted else {
            return report.skip(
                "\(source.origin.path), line \(source.origin.line): duplicate id \(source.id).")
        }
        for name in Self.names(of: source) {
            guard let known = try known(namespace, name, db) else {
                let document = try prepared ?? again(source, namespace, metadata)
                documents.insert(try writer.insert(document, name: name, source: file))
                return report.added += 1
            }
            // Another file has the name: the next one it could have.
            guard known.path == source.origin.path else { continue }
            documents.insert(known.id)
            if known.digest == PreparedDocument.digest(source, metadata) { return report.unchanged += 1 }
            try writer.replace(known.id, by: prepared ?? again(source, namespace, metadata), source: file)
            return report.changed += 1
        }
        report.skip("\(source.origin.path): other documents use every possible name for \(source.id).")
    }

    private func known(
        _ namespace: String, _ name: String, _ db: Database
    ) throws -> (id: Int64, path: String, digest: ContentDigest?)? {
        let row = try Workspace.Statement(
            db, "SELECT id, path, digest FROM retrieval_document WHERE corpus = ? AND namespace = ? AND name = ?")
        row.bind(1, corpus.id)
        row.bind(2, namespace)
        row.bind(3, name)
        guard try row.step() else { return nil }
        return (row.int64(0), row.text(1), ContentDigest(row.blob(2)))
    }

    // Another process changed the row between the read and the transaction.
    private func again(
        _ source: SourceDocument, _ namespace: String, _ metadata: [String: MetadataValue]
    ) throws -> PreparedDocument {
        try prepare(
            source, namespace: namespace, metadata: metadata, digest: PreparedDocument.digest(source, metadata))
    }

    private func removeMissing(
        _ kept: Set<Int64>, of source: Int64?, _ writer: DocumentWriter, _ report: inout AddReport, _ db: Database
    ) throws {
        guard let source else { return }
        let ids = try Int64.fetchAll(db, sql: "SELECT id FROM retrieval_document WHERE source = ?", arguments: [source])
        for id in ids where !kept.contains(id) {
            try writer.remove(id)
            report.removed += 1
        }
    }

    /// Removes documents in a transaction of their own.
    func remove(_ ids: [Int64], sources: [Int64] = []) throws {
        try commit()
        do {
            try store.workspace.write { db in
                let writer = try DocumentWriter(corpus.id, corpus.settings, try lexical.forWriting(db), db)
                writer.journal = journal
                for id in ids { try writer.remove(id) }
                for source in sources {
                    try journal?.keep(source: source, db)
                    try db.execute(sql: "DELETE FROM retrieval_source WHERE id = ?", arguments: [source])
                }
                try writer.finish()
                try lexical.save(db)
            }
        } catch {
            lexical.forget()
            journal?.forget()
            throw error
        }
        journal?.committed()
        try lexical.committed()
        report.removed += ids.count
    }

    // MARK: Names

    /// What a document may be called: its own id, or with its folder or file before it where another one has that.
    static func names(of source: SourceDocument) -> [String] {
        let path = source.origin.path
        guard !path.isEmpty else { return [source.id] }
        let parts = path.split(separator: "/")
        let near = parts.suffix(2).joined(separator: "/")
        let isRecord = !path.hasSuffix(source.id)
        return [source.id, isRecord ? "\(near)#\(source.id)" : near, isRecord ? "\(path)#\(source.id)" : path]
    }

    private func metadata(of source: SourceDocument) -> [String: MetadataValue] {
        options.metadata.isEmpty ? source.metadata : options.metadata.merging(source.metadata) { _, own in own }
    }

    private func namespace(of metadata: [String: MetadataValue]) -> String {
        guard let key = options.namespaceKey, case .text(let name)? = metadata[key],
            (try? NamespacePolicy.check(name)) != nil
        else { return namespace }
        return name
    }
}
