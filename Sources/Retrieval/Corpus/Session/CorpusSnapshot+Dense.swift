internal import SearchIndexes

extension CorpusSnapshot {
    public var spaces: [DenseSpace] {
        spaceParts.map { part in
            DenseSpace(
                name: part.name, dimension: part.space.dimension, metric: part.space.metric, index: part.space.index,
                count: max(0, part.space.vectorCount - part.retired.count), among: indexes)
        }
    }

    public func embed(
        _ texts: [String], as role: EmbeddingRole, space: String?, isCancelled: @Sendable () -> Bool
    ) throws(RetrievalError) -> [[Float]] {
        let part = try part(space)
        let embedder = try answering { try part.embedder() }
        let width = embedder.dimension
        let rows = try embedder.embed(texts, as: role, isCancelled: isCancelled)
        guard rows.count == texts.count * width else {
            throw RetrievalError(
                embedder.name, problem: "the embedder returned \(rows.count) numbers for \(texts.count) texts")
        }
        return texts.indices.map { Array(rows[$0 * width..<($0 + 1) * width]) }
    }

    public func searchDensely(
        _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(RetrievalError) -> ChunkHits {
        if isCancelled() { throw .cancelled(corpus) }
        let part = try part(request.space)
        let allowed = try allowed(request.filter)
        return try answering {
            let search = try DenseSearch(self, part, request, allowed)
            return try search.approximately()
        }
    }

    public func searchExactly(
        _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(RetrievalError) -> ChunkHits {
        if isCancelled() { throw .cancelled(corpus) }
        let part = try part(request.space)
        let allowed = try allowed(request.filter)
        return try answering {
            let search = try DenseSearch(self, part, request, allowed)
            return try search.exactly()
        }
    }

    public func placeExactly(
        of chunk: Int64, _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(RetrievalError) -> ChunkPlace? {
        let part = try part(request.space)
        let allowed = try allowed(request.filter)
        return try answering {
            if let allowed, !allowed.contains(chunk) { return nil }
            return try DenseSearch(self, part, request, allowed).place(of: chunk, isCancelled)
        }
    }

    public func vectors(of ids: [Int64], space: String?) throws(RetrievalError) -> [[Float]?] {
        let part = try part(space)
        let seen = try allowed(nil)
        return try answering {
            let reader = try part.reader()
            return try ids.map { id in
                if part.retired.contains(id) || seen?.contains(id) == false { return nil }
                return try reader.vector(of: id, self.workspace)
            }
        }
    }

    /// Returns the space for a request.
    func part(_ name: String?) throws(RetrievalError) -> SpacePart {
        guard let first = spaceParts.first else {
            throw RetrievalError(
                "corpus \(corpus)", problem: "no chunk has a vector", remedy: "Embed the corpus with corpus embed.")
        }
        guard let name, !name.isEmpty else { return first }
        if let found = spaceParts.first(where: { $0.name == name || $0.space.embedder == name }) { return found }
        throw RetrievalError(
            "corpus \(corpus)", problem: "no vectors from \(name)",
            remedy: "Available embedders: \(spaceParts.map(\.name).joined(separator: ", ")).")
    }
}
