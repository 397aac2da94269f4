internal import GRDB
internal import SearchIndexes
internal import System
public import Workspace

extension CorpusStore {
    /// To which chunk a row of a file of vectors belongs.
    public enum VectorOrder: Sendable {
        /// Row i is the i-th searched chunk of the corpus, in the order in which they were added.
        case chunks
        /// Row i is the document of this id; each has one chunk.
        case documents([String])
    }

    /// Whether a word names a file of vectors or an index that another program wrote: by its ending or its first bytes.
    public static func isVectorFile(_ word: String) -> Bool {
        SuppliedVectors.endings.contains { word.hasSuffix($0) } || SuppliedVectors.isIndex(word)
    }

    /// Makes a vector space of a file: `.npy`, `.npz`, `.fvecs`, `.bvecs`, `.ivecs`, `.bin`, or an index of hnswlib or
    /// faiss, whose graph is taken over where it has one.
    ///
    /// A row of an index stands for the chunk, or the document, of its label: 0 is the first. Questions need the
    /// embedder that made the vectors, or a ``VectorFileEmbedder``: name it in `settings`.
    /// - Parameters:
    ///   - name: What the space is called; `nil` takes the file's name.
    ///   - array: Of an `.npz`, which array.
    /// - Throws: `Problem` if rows and chunks do not match; `CancellationError` where it was canceled, and
    ///   nothing is left behind.
    @discardableResult
    public func importVectors(
        _ path: String, into corpus: Int64, by order: VectorOrder = .chunks,
        settings: VectorSpaceSettings = VectorSpaceSettings(), name: String? = nil, array: String? = nil,
        cancellation: Cancellation? = nil
    ) throws -> VectorSpace {
        let path = path.hasPrefix("file:") ? String(path.dropFirst(5)) : path
        let supplied = try SuppliedVectors(path, array: array, metric: settings.metric)
        var settings = settings
        settings.metric = supplied.metric
        var chunks: [Int64]
        switch order {
        case .chunks: chunks = try EmbeddingNeeds(workspace, corpus: corpus).pending { _ in false }
        case .documents(let names): chunks = try self.chunks(of: names, in: corpus, path)
        }
        guard chunks.count == supplied.count else {
            throw Problem(
                .invalid, path, "found \(supplied.count) rows for \(chunks.count) chunks",
                remedy: "List the document ids in the order of the rows.")
        }
        chunks = supplied.places.map { chunks[$0] }
        let digest =
            try settings.specification.isEmpty
            ? "file-1-" + WeightFiles.sampledDigest(of: path)
            : EmbedderSpecification(settings.specification).open().digest
        let embedder = ImportedVectors(
            name: name ?? path.split(separator: "/").last.map(String.init) ?? path, digest: digest,
            dimension: supplied.dimension)
        let importing = try IndexRecipe(settings.index, settings.parameters, indexes).importing
        let graph = importing != nil ? supplied.graph : nil
        if let importing, graph != nil { settings.index = importing.kind }
        let found = try self.corpus(corpus)
        let space = try workspace.write { db in try Self.makeSpace(corpus, embedder, settings, db) }
        do {
            let filling = try VectorFilling(self, found, space, embedder, settings)
            filling.graph = graph
            try filling.supply(chunks) { row in
                try cancellation?.check()
                return try supplied.row(row)
            }
            try filling.finish(isCancelled: { cancellation?.isCancelled == true }, progress: { _ in })
        } catch {
            // A file that does not fit leaves nothing behind.
            try? remove(space: space.id)
            throw error
        }
        return try workspace.read { db in try Self.spaces("id = ?", [space.id], db)[0] }
    }

    private func chunks(of names: [String], in corpus: Int64, _ path: String) throws -> [Int64] {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db,
                """
                SELECT c.id FROM retrieval_document d JOIN retrieval_chunk c ON c.document = d.id AND c.indexed = 1
                WHERE d.corpus = ? AND d.name = ? LIMIT 2
                """)
            return try names.map { name in
                row.bind(1, corpus)
                row.bind(2, name)
                defer { row.reset() }
                guard try row.step() else {
                    throw Problem(.missing, path, "the corpus has no document \(name)")
                }
                let chunk = row.int64(0)
                guard try !row.step() else {
                    throw Problem(
                        .limit, path, "document \(name) has more than one chunk",
                        remedy: "Supply rows in the order of the chunks instead.")
                }
                return chunk
            }
        }
    }
}

/// Stands for whatever made the vectors of a file.
private struct ImportedVectors: Embedder {
    let name: String
    let digest: String
    let dimension: Int
    var batchSize: Int { 1 }

    func embed(
        _ texts: [String], as role: EmbeddingRole, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Float] {
        throw Problem(
            .invalid, name, "a vector file cannot embed new texts", remedy: "Name the embedder that made the vectors.")
    }
}
