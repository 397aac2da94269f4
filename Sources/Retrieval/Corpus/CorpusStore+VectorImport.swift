internal import GRDB
internal import SearchIndexes
internal import Workspace

extension CorpusStore {
    /// To which chunk a row of a file of vectors belongs.
    public enum VectorOrder: Sendable {
        /// Row i is the i-th searched chunk of the corpus, in the order in which they were added.
        case chunks
        /// Row i is the document of this id; each has one chunk.
        case documents([String])
    }

    /// Makes a vector space of a file: `.npy`, `.npz`, `.fvecs`, `.bvecs`, `.bin`.
    ///
    /// Questions need the embedder that made the vectors, or a ``VectorFileEmbedder``: name it in `settings`.
    /// - Parameters:
    ///   - name: what the space is called; nil takes the file's name.
    ///   - array: of an `.npz`, which array.
    /// - Throws: `RetrievalError` where rows and chunks do not match.
    @discardableResult
    public func importVectors(
        _ path: String, into corpus: Int64, by order: VectorOrder = .chunks,
        settings: VectorSpaceSettings = VectorSpaceSettings(), name: String? = nil, array: String? = nil
    ) throws -> VectorSpace {
        let table = try VectorTable(path, array: array)
        let pending = try EmbeddingNeeds(workspace, corpus: corpus).pending { _ in false }
        var chunks: [Int64]
        switch order {
        case .chunks: chunks = pending
        case .documents(let names): chunks = try self.chunks(of: names, in: corpus, path)
        }
        guard chunks.count == table.count else {
            throw RetrievalError(
                path, problem: "it has \(table.count) rows for \(chunks.count) chunks",
                remedy: "Give the ids of the documents in the order of the rows.")
        }
        let digest =
            try settings.specification.isEmpty
            ? "file-1-" + SmallFile.sampledDigest(of: path)
            : EmbedderSpecification(settings.specification).open().digest
        let embedder = ImportedVectors(
            name: name ?? path.split(separator: "/").last.map(String.init) ?? path, digest: digest,
            dimension: table.dimension)
        _ = try IndexRecipe(settings.index, settings.parameters)
        let found = try self.corpus(corpus)
        let space = try workspace.write { db in try Self.makeSpace(corpus, embedder, settings, db) }
        do {
            let filling = try VectorFilling(self, found, space, embedder, settings)
            try filling.supply(chunks) { row in try table.row(row) }
            try filling.finish(isCancelled: { false }, progress: { _ in })
        } catch {
            // A file that does not fit leaves nothing behind.
            try? remove(space: space.id)
            throw error
        }
        return try workspace.read { db in try Self.spaces("id = ?", [space.id], db)[0] }
    }

    private func chunks(of names: [String], in corpus: Int64, _ path: String) throws -> [Int64] {
        try workspace.read { db in
            let row = try Statement(
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
                    throw RetrievalError(path, problem: "the corpus has no document \(name)")
                }
                let chunk = row.int64(0)
                guard try !row.step() else {
                    throw RetrievalError(
                        path, problem: "the document \(name) has more than one chunk",
                        remedy: "Give rows in the order of the chunks.")
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
    ) throws(RetrievalError) -> [Float] {
        throw RetrievalError(
            name, problem: "a file of vectors embeds no new texts", remedy: "Name the embedder that made them.")
    }
}
