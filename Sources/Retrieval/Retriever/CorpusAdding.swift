public import Workspace

/// Brings files into a corpus and its vectors up to date: what `corpus add` and the panel do.
public struct CorpusAdding: Sendable {
    private let store: CorpusStore

    public init(_ store: CorpusStore) { self.store = store }

    /// The corpus of a name, made where there is none; without a name the only one there is, or one called after the
    /// first path.
    public func corpus(named name: String?, for paths: [String], settings: CorpusSettings = CorpusSettings()) throws
        -> Corpus
    {
        let all = try store.corpora()
        let wanted = name ?? (all.count == 1 ? all[0].name : Self.name(of: paths.first ?? ""))
        if let known = all.first(where: { $0.name == wanted }) { return known }
        do {
            return try store.create(wanted, settings: settings)
        } catch {
            // Another program may have made it just now.
            if let made = try store.corpora().first(where: { $0.name == wanted }) { return made }
            throw error
        }
    }

    private static func name(of path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return last == "." || last == ".." || last.isEmpty ? "documents" : last
    }

    /// Adds files and brings vectors up to date, as a job that is under way.
    ///
    /// - Returns: a sentence of what came of it.
    public func add(_ paths: [String], to name: String?, options: AddOptions = AddOptions(), job: JobHandle) throws
        -> String
    {
        let corpus = try corpus(named: name, for: paths)
        let report = try store.add(paths, to: corpus.id, options: options, job: job)
        if report.isCancelled { throw CancellationError() }
        _ = try embed(corpus, until: job.cancellation)
        let counts = [
            (report.added, "added"), (report.changed, "changed"), (report.unchanged, "unchanged"),
            (report.skippedCount, "skipped"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "\(corpus.name): " + (counts.isEmpty ? "nothing to add" : counts.joined(separator: ", "))
    }

    /// Gives what is new its vectors, in every space there is; in that of `embedder` where it is named, and in a first
    /// one of hashed words where there is none.
    ///
    /// - Returns: a sentence for each space.
    public func embed(
        _ corpus: Corpus, with embedder: String? = nil, settings: VectorSpaceSettings = VectorSpaceSettings(),
        until cancellation: Cancellation? = nil, progress: (EmbedProgress) -> Void = { _ in }
    ) throws -> [String] {
        guard try store.corpus(corpus.id).chunkCount > 0 else { return [] }
        let known = try store.spaces(of: corpus.id).filter {
            !$0.specification.isEmpty && !$0.specification.hasPrefix("file:")
        }
        var wanted: [VectorSpaceSettings] = []
        if let embedder {
            wanted = [settings.embedding(with: embedder)]
        } else if known.isEmpty {
            wanted = [settings.embedding(with: "hashed")]
        } else {
            // What is searched now stays what is searched.
            wanted = known.map { space in
                let isAlone = known.count { $0.digest == space.digest } == 1
                let grows = isAlone && space.parameters.isEmpty && ["flat", "hnsw"].contains(space.index)
                return VectorSpaceSettings(
                    specification: space.specification, metric: space.metric,
                    index: grows ? "automatic" : space.index, parameters: space.parameters, threads: settings.threads,
                    activates: space.isActive)
            }
        }
        return try wanted.map { one in
            let space = try store.embedAsJob(
                corpus.id, specification: try EmbedderSpecification(one.specification), settings: one,
                cancellation: cancellation, progress: progress)
            return "\(space.vectorCount) vectors of \(space.embedder) in an index of kind \(space.index)"
        }
    }
}

extension VectorSpaceSettings {
    /// The same settings for an embedder.
    fileprivate func embedding(with specification: String) -> VectorSpaceSettings {
        var settings = self
        settings.specification = specification
        return settings
    }
}
