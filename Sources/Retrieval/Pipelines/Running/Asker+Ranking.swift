internal import System

extension PipelineWork.Asker {
    /// Returns the pipeline's reranker for a query; `nil` if the corpus lacks the vectors that it needs.
    func reranker(_ query: String) throws(Problem) -> (any Reranker)? {
        let settings = definition.rerank
        switch settings.method {
        case .none: return nil
        case .crossEncoder:
            return PairReranker(scorer: try run.resources.pairScorer(settings.model), memory: run.memory)
        case .languageModel:
            return LanguageModelReranker(
                asker: try languageModel(settings.model, "reranked"), isListwise: settings.isListwise)
        case .marginalRelevance:
            guard let space = try space(settings) else { return nil }
            return MarginalRelevance(
                lambda: settings.lambda, queryVector: try embed([query], .query, space.name)[0],
                vectors: { ids throws(Problem) in try source.vectors(of: ids, space: space.name) })
        case .maximumSimilarity:
            guard let space = try space(settings) else { return nil }
            return MaximumSimilarity(
                space: space.name, memory: run.memory,
                embed: { texts, role throws(Problem) in try embed(texts, role, space.name) })
        }
    }

    private func space(_ settings: PipelineDefinition.Rerank) throws(Problem) -> DenseSpace? {
        let name = settings.space ?? definition.dense.first?.space
        if let space = source.space(name) { return space }
        guard let name, !source.spaces.isEmpty else { return nil }
        throw Problem(
            .missing, definition.path, "\(source.corpus) has no vector space \(name) (rerank.space)",
            remedy: "Available spaces: \(source.spaces.map(\.name).joined(separator: ", ")).")
    }

    /// Returns the context that chunks make, best first.
    func filled(_ chunks: [Int64]) throws(Problem) -> ContextBuilder.Filled {
        let settings = definition.context
        let resources = run.resources
        let builder = ContextBuilder(
            settings: settings,
            size: { text in settings.unit == .characters ? text.count : resources.tokens(in: text) },
            shingles: { [memory = run.memory] chunk in memory.shingles(of: chunk) })
        let contents = try self.contents(chunks)
        var byID: [Int64: ChunkContent] = [:]
        for content in contents { byID[content.id] = content }
        if settings.expandsToParent {
            for parent in try self.contents(contents.compactMap(\.parent)) { byID[parent.id] = parent }
        }
        return builder.fill(
            chunks.map { id in
                // A chunk that is gone has nothing to say.
                let chunk = byID[id] ?? ChunkContent(id: id, document: "", label: "", text: "", range: 0..<0)
                return ContextBuilder.Candidate(chunk: chunk, parent: chunk.parent.flatMap { byID[$0] })
            })
    }

    func contents(_ chunks: [Int64]) throws(Problem) -> [ChunkContent] {
        try run.memory.chunks(chunks) { ids throws(Problem) in try source.chunks(ids) }
    }
}
