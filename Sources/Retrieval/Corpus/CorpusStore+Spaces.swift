internal import GRDB
internal import JSON
internal import SearchIndexes
internal import System
public import Workspace

extension CorpusStore {
    /// The kind under which an embedding is taken up again.
    public static let embedJob = "retrieval.embed"

    /// Returns the vector spaces of a corpus, the active one first.
    public func spaces(of corpus: Int64) throws -> [VectorSpace] {
        try workspace.read { db in try Self.spaces("corpus = ?", [corpus], db) }
    }

    static func spaces(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws -> [VectorSpace] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, corpus, embedder, specification, digest, dimension, metric, kind, parameters, active, state,
                    vectors, created
                FROM retrieval_index WHERE embedder IS NOT NULL AND \(condition) ORDER BY active DESC, id
                """,
            arguments: arguments
        ).map { row in
            VectorSpace(
                id: row[0], corpus: row[1], embedder: row[2], specification: row[3] ?? "", digest: row[4] ?? "",
                dimension: row[5] ?? 0, metric: Metric(rawValue: row[6] ?? "") ?? .cosine, index: row[7],
                parameters: row[8], isActive: row[9], isReady: (row[10] as String) == "ready", vectorCount: row[11],
                created: row[12])
        }
    }

    /// Embeds every chunk of a corpus that has no vector yet, and builds or extends the index over the vectors.
    ///
    /// A space with another embedder or index is built while the old one is still searched, and replaces it when it is
    /// complete. Equal texts are embedded once, even across corpora. An interrupted call can be repeated and resumes.
    /// - Returns: The space as it is now.
    /// - Throws: `CancellationError` if the call was canceled; vectors computed so far are stored.
    @discardableResult
    public func embed(
        _ corpus: Int64, with embedder: any Embedder, settings: VectorSpaceSettings = VectorSpaceSettings(),
        job: JobHandle? = nil, cancellation: Cancellation? = nil, progress: (EmbedProgress) -> Void = { _ in }
    ) throws -> VectorSpace {
        let recipe = try IndexRecipe(settings.index, settings.parameters, indexes)
        let found = try self.corpus(corpus)
        let isCancelled: @Sendable () -> Bool = {
            job?.isCancelled == true || cancellation?.isCancelled == true
        }
        var settings = settings
        let space = try workspace.write { db in
            let same = try Self.spaces("corpus = ? AND digest = ?", [corpus, embedder.digest], db)
                .first { $0.metric == settings.metric && recipe.canExtend($0) }
            if let same { return same }
            let made = try Self.makeSpace(corpus, embedder, settings, db)
            // Each space keeps what its embedder learned: another one may be removed.
            if let hashed = embedder as? HashedEmbedder {
                var segments = try WorkspaceSegments(db, index: made.id)
                try hashed.save(to: &segments)
            }
            return made
        }
        if settings.specification.isEmpty { settings.specification = space.specification }
        if settings.parameters.isEmpty { settings.parameters = space.parameters }
        let filling = try VectorFilling(self, found, space, embedder, settings)
        var counted = 0
        let report = { (state: EmbedProgress) throws in
            progress(state)
            guard state.phase == .embedding, state.done > counted else { return }
            try job?.advance(by: Int64(state.done - counted), of: Int64(state.total), unit: "chunks")
            counted = state.done
        }
        try filling.embed(isCancelled: isCancelled, progress: report)
        try filling.finish(isCancelled: isCancelled, progress: report)
        return try workspace.read { db in
            guard let space = try Self.spaces("id = ?", [space.id], db).first else {
                throw Problem(
                    .busy, "corpus \(found.name)", "another process removed the vector space", remedy: "Embed again.")
            }
            return space
        }
    }

    /// Embeds as the other, by an embedder that a specification names: `hashed`, `hashed-256`, `model:PATH`,
    /// `https://host/v1#MODEL`, `file:PATH`.
    ///
    /// `hashed` learns from the corpus as it is when the space is made and keeps what it learned.
    @discardableResult
    public func embed(
        _ corpus: Int64, specification: EmbedderSpecification, settings: VectorSpaceSettings = VectorSpaceSettings(),
        job: JobHandle? = nil, cancellation: Cancellation? = nil, progress: (EmbedProgress) -> Void = { _ in }
    ) throws -> VectorSpace {
        var settings = settings
        settings.specification = specification.text
        guard case .hashed(let dimension) = specification.kind else {
            return try embed(
                corpus, with: specification.open(), settings: settings, job: job, cancellation: cancellation,
                progress: progress)
        }
        let isCancelled = { job?.isCancelled == true || cancellation?.isCancelled == true }
        var learned: HashedEmbedder?
        for known in try spaces(of: corpus) where known.specification == specification.text && learned == nil {
            learned = try HashedSpace.embedder(workspace, space: known.id)
        }
        if learned == nil {
            learned = try HashedSpace.fit(
                self, corpus: corpus, dimension: dimension, isCancelled: isCancelled, progress: { progress($0) })
        }
        guard let learned else {
            throw Problem(.invalid, specification.text, "there are too few texts to fit the embedder")
        }
        return try embed(
            corpus, with: learned, settings: settings, job: job, cancellation: cancellation, progress: progress)
    }

    /// Embeds as a job of the workspace: cut off by kill -9, it shows in the list and can be taken up again.
    @discardableResult
    public func embedAsJob(
        _ corpus: Int64, specification: EmbedderSpecification, settings: VectorSpaceSettings = VectorSpaceSettings(),
        cancellation: Cancellation? = nil, progress: (EmbedProgress) -> Void = { _ in }
    ) throws -> VectorSpace {
        var settings = settings
        settings.specification = specification.text
        let name = try self.corpus(corpus).name
        var space: VectorSpace?
        let arguments = Self.embedArguments(corpus, settings)
        try workspace.jobs.run(
            Self.embedJob, title: "embed \(name) with \(specification.text)", unit: "chunks", arguments: arguments
        ) { handle in
            space = try embed(
                corpus, specification: specification, settings: settings, job: handle, cancellation: cancellation,
                progress: progress)
            return nil
        }
        return space!
    }

    static func makeSpace(
        _ corpus: Int64, _ embedder: any Embedder, _ settings: VectorSpaceSettings, _ db: Database
    ) throws -> VectorSpace {
        guard (1...VectorRows.maximumDimension).contains(embedder.dimension) else {
            throw Problem(
                .invalid, embedder.name, "dimension \(embedder.dimension) is out of range",
                remedy: "Use 1 to \(VectorRows.maximumDimension).")
        }
        try db.execute(
            sql: """
                INSERT INTO retrieval_index
                    (corpus, kind, embedder, specification, digest, dimension, metric, parameters, state, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'building', ?)
                """,
            arguments: [
                corpus, settings.index, embedder.name, settings.specification, embedder.digest, embedder.dimension,
                settings.metric.rawValue, settings.parameters, Clock.nanoseconds(.wall),
            ])
        guard let made = try spaces("id = ?", [db.lastInsertedRowID], db).first else {
            throw Problem(.invalid, "", "the vector space was not saved")
        }
        return made
    }

    /// Makes a space the default for searches that do not name one.
    ///
    /// - Throws: `Problem` if the space is still incomplete.
    public func activate(_ space: Int64) throws {
        try workspace.write { db in
            guard let found = try Self.spaces("id = ?", [space], db).first else {
                throw Problem(.unknown, "", "unknown vector space \(space)")
            }
            guard found.isReady else {
                throw Problem(.corrupt, found.embedder, "the vectors are incomplete", remedy: "Embed the corpus first.")
            }
            try db.execute(
                sql: "UPDATE retrieval_index SET active = (id = ?) WHERE corpus = ? AND embedder IS NOT NULL",
                arguments: [space, found.corpus])
            try db.execute(
                sql: "UPDATE retrieval_corpus SET revision = revision + 1 WHERE id = ?", arguments: [found.corpus])
        }
    }

    /// Removes a space with its vectors.
    public func remove(space: Int64) throws {
        try workspace.bulkWrite { db in
            guard let found = try Self.spaces("id = ?", [space], db).first else { return }
            try WorkspaceSegments.removeIndex(space, db)
            try WorkspaceSegments.removeIndex(VectorFilling.staging(space), db)
            try db.execute(sql: "DELETE FROM retrieval_retired WHERE index_id = ?", arguments: [space])
            try db.execute(sql: "DELETE FROM retrieval_index WHERE id = ?", arguments: [space])
            try db.execute(
                sql: "UPDATE retrieval_corpus SET revision = revision + 1 WHERE id = ?", arguments: [found.corpus])
        }
    }

    // MARK: Jobs

    static func embedArguments(_ corpus: Int64, _ settings: VectorSpaceSettings) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("corpus", corpus)
            json.member("specification", settings.specification)
            json.member("metric", settings.metric.rawValue)
            json.member("index", settings.index)
            json.member("parameters", settings.parameters)
            json.member("threads", settings.threads)
            json.member("activates", settings.activates)
        }
        return json.text
    }

    static func embedRequest(_ arguments: String?) -> (corpus: Int64, settings: VectorSpaceSettings)? {
        guard let arguments, let document = try? JSONDocument(parsing: arguments) else { return nil }
        return document.withRoot { root in
            guard let corpus = root["corpus"]?.int, let specification = root["specification"]?.string else {
                return nil
            }
            let settings = VectorSpaceSettings(
                specification: specification, metric: Metric(rawValue: root["metric"]?.string ?? "") ?? .cosine,
                index: root["index"]?.string ?? IndexRecipe.automatic, parameters: root["parameters"]?.string ?? "",
                threads: root["threads"]?.int.map { Int(clamping: $0) } ?? 2,
                activates: root["activates"]?.bool ?? true)
            return (corpus, settings)
        }
    }
}
