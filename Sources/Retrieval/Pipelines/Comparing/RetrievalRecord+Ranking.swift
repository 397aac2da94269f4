extension RetrievalRecord {
    /// What the retrieval ranks in the end, best first: the last ranking before the context, with what is behind those
    /// that it lets through.
    ///
    /// - Parameter depth: Maximum number of entries (default: all recorded entries).
    public func ranking(deep depth: Int? = nil) -> [Stage.Entry] {
        guard let stage = stages.last(where: { $0.kind != .context }) else { return [] }
        return Array(stage.entries.prefix(max(0, depth ?? .max)))
    }

    /// Returns the documents of ``ranking(deep:)``, each where its best passage is.
    public func documents(deep depth: Int? = nil) -> [(document: String, score: Double?)] {
        var known: Set<String> = []
        var documents: [(document: String, score: Double?)] = []
        for entry in ranking() where documents.count < depth ?? .max {
            let document = self[entry.passage].document
            if known.insert(document).inserted { documents.append((document, entry.score)) }
        }
        return documents
    }
}
