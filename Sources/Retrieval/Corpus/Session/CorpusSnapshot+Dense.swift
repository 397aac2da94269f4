internal import SearchIndexes
public import System

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
    ) throws(Problem) -> [[Float]] {
        let part = try part(space)
        let embedder = try answering { try part.embedder() }
        return try embedder.vectors(of: texts, as: role, isCancelled: isCancelled)
    }

    public func searchDensely(
        _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits {
        try search(request, isCancelled) { try $0.approximately() }
    }

    public func searchExactly(
        _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits {
        try search(request, isCancelled) { try $0.exactly() }
    }

    private func search(
        _ request: DenseRequest, _ isCancelled: @Sendable () -> Bool, _ body: (DenseSearch) throws -> ChunkHits
    ) throws(Problem) -> ChunkHits {
        if isCancelled() { throw .cancelled(corpus) }
        let part = try part(request.space)
        let allowed = try allowed(request.filter)
        return try answering { try body(DenseSearch(self, part, request, allowed)) }
    }

    public func placeExactly(
        of chunk: Int64, _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkPlace? {
        let part = try part(request.space)
        let allowed = try allowed(request.filter)
        return try answering {
            if let allowed, !allowed.contains(chunk) { return nil }
            return try DenseSearch(self, part, request, allowed).place(of: chunk, isCancelled)
        }
    }

    public func vectors(of ids: [Int64], space: String?) throws(Problem) -> [[Float]?] {
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
    func part(_ name: String?) throws(Problem) -> SpacePart {
        guard let first = spaceParts.first else {
            throw Problem(
                .missing, "corpus \(corpus)", "no chunk has a vector", remedy: "Embed the corpus with corpus embed.")
        }
        guard let name, !name.isEmpty else { return first }
        if let found = spaceParts.first(where: { $0.name == name || $0.space.embedder == name }) { return found }
        throw Problem(
            .missing, "corpus \(corpus)", "no vectors from \(name)",
            remedy: "Available embedders: \(spaceParts.map(\.name).joined(separator: ", ")).")
    }
}
