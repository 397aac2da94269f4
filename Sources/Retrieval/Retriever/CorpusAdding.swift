public import Workspace

/// Brings files into a corpus and its vectors up to date: what `corpus add` and the panel do.
public struct CorpusAdding: Sendable {
    private let store: CorpusStore

    public init(_ store: CorpusStore) { self.store = store }

    // MARK: Where to

    /// Returns the corpora that can take the documents of some paths. The proposed one comes first: the current corpus,
    /// or else one named after the first path. Sample data comes last and is never proposed.
    ///
    /// - Parameter current: Row of the shown corpus; `nil` stands for the only corpus that is not sample data.
    public func targets(for paths: [String], current: Int64? = nil) throws -> [AddTarget] {
        let all = try store.corpora()
        let own = all.filter { !$0.isSample }
        let name = Self.name(of: paths.first ?? "")
        // A corpus of this name was probably made for the same folder.
        let same = own.first { $0.name == name }
        let proposed = current.map { id in own.first { $0.id == id } ?? same } ?? (own.only ?? same)
        let new = AddTarget.new(Self.freeName(name, among: all))
        let others = own.filter { $0.id != proposed?.id }.map(AddTarget.corpus)
        let samples = all.filter(\.isSample).map(AddTarget.corpus)
        return proposed.map { [.corpus($0), new] + others + samples } ?? [new] + others + samples
    }

    /// Returns the target's corpus, and creates it if it is new.
    public func corpus(_ target: AddTarget, settings: CorpusSettings = CorpusSettings()) throws -> Corpus {
        switch target {
        case .corpus(let corpus): corpus
        case .new(let name): try corpus(named: name, for: [], settings: settings)
        }
    }

    /// Returns the corpus of a name, and creates it if it is missing. Without a name, it is the first of
    /// ``targets(for:current:)``.
    public func corpus(named name: String?, for paths: [String], settings: CorpusSettings = CorpusSettings()) throws
        -> Corpus
    {
        guard let name else { return try corpus(targets(for: paths)[0], settings: settings) }
        if let known = try store.corpora().first(where: { $0.name == name }) { return known }
        do {
            return try store.create(name, settings: settings)
        } catch {
            // Another program may have made it just now.
            if let made = try store.corpora().first(where: { $0.name == name }) { return made }
            throw error
        }
    }

    private static func name(of path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return last == "." || last == ".." || last.isEmpty ? "documents" : last
    }

    /// Returns the name, with a number after it if a corpus has that name, so a new corpus never merges into an
    /// existing one.
    private static func freeName(_ name: String, among corpora: [Corpus]) -> String {
        let taken = Set(corpora.map(\.name))
        guard taken.contains(name) else { return name }
        return (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name
    }

    // MARK: Adding

    /// Adds files and brings vectors up to date, as a job that is under way.
    ///
    /// - Returns: A sentence about the result, and the row of the edit for undo.
    public func add(
        _ paths: [String], to corpus: Corpus, options: AddOptions = AddOptions(), job: JobHandle
    ) throws -> (sentence: String, edit: Int64?) {
        let report = try store.add(paths, to: corpus.id, options: options, job: job)
        if report.isCancelled { throw CancellationError() }
        _ = try embed(corpus, until: job.cancellation)
        let counts = [
            (report.added, "added"), (report.changed, "changed"), (report.unchanged, "unchanged"),
            (report.skippedCount, "skipped"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return ("\(corpus.name): " + (counts.isEmpty ? "nothing to add" : counts.joined(separator: ", ")), report.edit)
    }

    /// Undoes the last change as ``CorpusStore/undoChange(only:until:)`` does, and brings vectors up to date.
    ///
    /// - Returns: A sentence about the undone change; `nil` if there is nothing to undo.
    public func undo(only row: Int64? = nil, until cancellation: Cancellation? = nil) throws -> String? {
        guard let undone = try store.undoChange(only: row, until: cancellation) else { return nil }
        if let id = undone.corpus, try !store.spaces(of: id).isEmpty {
            _ = try embed(store.corpus(id), until: cancellation)
        }
        return undone.sentence
    }

    /// Embeds new chunks in every vector space; only in the space of `embedder` if it is given, and in a new space of
    /// hashed words if there are no spaces.
    ///
    /// - Returns: A sentence for each space.
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
                let grows = isAlone && space.parameters.isEmpty && IndexRecipe.isAutomatic(space.index)
                return VectorSpaceSettings(
                    specification: space.specification, metric: space.metric,
                    index: grows ? IndexRecipe.automatic : space.index, parameters: space.parameters,
                    threads: settings.threads,
                    activates: space.isActive)
            }
        }
        return try wanted.map { one in
            let space = try store.embedAsJob(
                corpus.id, specification: try EmbedderSpecification(one.specification), settings: one,
                cancellation: cancellation, progress: progress)
            return "\(space.vectorCount) vectors from \(space.embedder) in a \(space.index) index"
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
