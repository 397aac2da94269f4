internal import GRDB
internal import SearchIndexes
internal import System
internal import Workspace

/// A running embedding of a corpus: vectors for chunks without one, then the index, then the switch.
///
/// Vectors are on the disk every few seconds, apart from the index that is searched meanwhile: ended at any moment, the
/// same call goes on behind the last of them. The index is written, and the space switched to, in one transaction.
final class VectorFilling {
    private let store: CorpusStore
    private let corpus: Corpus
    private let embedder: any Embedder
    private let settings: VectorSpaceSettings
    private let recipe: IndexRecipe
    private let needs: EmbeddingNeeds
    private let space: Int64
    private let wasReady: Bool
    /// Index that is searched now and extended.
    private var opened: OpenedIndex?
    private let fresh: VectorRows
    private var seal: UInt64
    /// Links over the vectors that are supplied, in their order: the index is not built then.
    var graph: ImportedGraph?
    private var written = Clock.now(.monotonic)

    /// Seconds between two writings.
    private static let pause = 3.0
    /// Texts that are looked at together.
    private static let batch = 512

    /// Where vectors wait for their index: a number of its own beside that of the space.
    static func staging(_ space: Int64) -> Int64 { space | 1 << 29 }

    init(
        _ store: CorpusStore, _ corpus: Corpus, _ space: VectorSpace, _ embedder: any Embedder,
        _ settings: VectorSpaceSettings
    ) throws {
        self.store = store
        self.corpus = corpus
        self.embedder = embedder
        self.settings = settings
        self.space = space.id
        wasReady = space.isReady
        recipe = try IndexRecipe(settings.index, settings.parameters, store.indexes)
        needs = EmbeddingNeeds(store.workspace, corpus: corpus.id)
        if wasReady { opened = try OpenedIndex(store.workspace, space, store.indexes) }
        let waiting = try LiveSegments(store.workspace, index: Self.staging(space.id))
        fresh =
            waiting.isEmpty
            ? try VectorRows(dimension: embedder.dimension, metric: space.metric) : try VectorRows(from: waiting)
        seal = waiting.seal
    }

    // MARK: Vectors

    /// Embeds what is pending.
    func embed(isCancelled: @escaping @Sendable () -> Bool, progress: (EmbedProgress) throws -> Void) throws {
        let pending = try needs.pending { chunk in
            opened?.rows.slot(of: chunk) != nil || fresh.slot(of: chunk) != nil
        }
        let known = (opened?.rows.liveCount ?? 0) + fresh.liveCount
        let twins = try TwinVectors(
            store.workspace, digest: embedder.digest, metric: fresh.metric, besides: space)
        var done = 0
        func report() throws {
            try progress(EmbedProgress(phase: .embedding, done: known + done, total: known + pending.count))
        }
        try report()
        for start in stride(from: 0, to: pending.count, by: Self.batch) {
            let some = pending[start..<min(pending.count, start + Self.batch)]
            let batch = try needs.needs(some)
            let missing = try copyTwins(batch, twins)
            // Texts of about the same length are best embedded together.
            let order = missing.sorted { $0.text.utf8.count < $1.text.utf8.count }
            for first in stride(from: 0, to: order.count, by: max(1, embedder.batchSize)) {
                if isCancelled() { throw CancellationError() }
                try embed(Array(order[first..<min(order.count, first + max(1, embedder.batchSize))]), isCancelled)
                if Clock.now(.monotonic) - written > Self.pause { try write() }
            }
            done += some.count
            try report()
        }
        try write()
    }

    /// Gives chunks the vectors that others with the same content have, and returns the rest, one of each content.
    private func copyTwins(_ batch: [EmbeddingNeed], _ other: TwinVectors) throws -> [EmbeddingNeed] {
        let twins = try needs.twins(of: Set(batch.map(\.digest)))
        var missing: [EmbeddingNeed] = []
        var waiting: [ContentDigest: [Int64]] = [:]
        for need in batch {
            if waiting[need.digest] != nil {
                waiting[need.digest]?.append(need.chunk)
                continue
            }
            var vector: [Float]?
            for twin in twins[need.digest] ?? [] where vector == nil && twin.chunk != need.chunk {
                if twin.corpus == corpus.id {
                    for rows in [opened?.rows, fresh] {
                        guard let rows, let slot = rows.slot(of: twin.chunk) else { continue }
                        vector = Array(UnsafeBufferPointer(start: rows.row(slot), count: rows.dimension))
                    }
                } else if let found = other.vector(of: twin.chunk, in: twin.corpus) {
                    vector = Array(found)
                }
            }
            if let vector {
                try fresh.append(vector, label: need.chunk)
            } else {
                waiting[need.digest] = []
                missing.append(need)
            }
        }
        doubles = waiting.filter { !$0.value.isEmpty }
        return missing
    }

    /// Chunks of the batch at hand that say the same as one that is embedded.
    private var doubles: [ContentDigest: [Int64]] = [:]

    private func embed(_ needs: [EmbeddingNeed], _ isCancelled: @Sendable () -> Bool) throws {
        let width = embedder.dimension
        let vectors: [Float]
        do throws(RetrievalError) {
            vectors = try embedder.embed(needs.map(\.text), as: .passage, isCancelled: isCancelled)
        } catch {
            if error.isCancellation || isCancelled() { throw CancellationError() }
            throw error
        }
        guard vectors.count == needs.count * width else {
            throw RetrievalError(
                embedder.name,
                problem:
                    "the embedder returned \(vectors.count) numbers for \(needs.count) texts, not \(width) per text")
        }
        try vectors.withUnsafeBufferPointer { vectors in
            guard let base = vectors.baseAddress else { return }
            for (place, need) in needs.enumerated() {
                let row = base + place * width
                try fresh.append(row, label: need.chunk)
                for chunk in doubles[need.digest] ?? [] { try fresh.append(row, label: chunk) }
            }
        }
    }

    /// Takes vectors that are there already: the i-th is of the i-th chunk.
    func supply(_ chunks: [Int64], _ vector: (Int) throws -> [Float]) throws {
        for (row, chunk) in chunks.enumerated() {
            try fresh.append(try vector(row), label: chunk)
            if Clock.now(.monotonic) - written > Self.pause { try write() }
        }
        try write()
    }

    private func write() throws {
        written = Clock.now(.monotonic)
        guard fresh.count > 0 else { return }
        try store.workspace.write { db in
            _ = try CorpusStore.corpus(corpus.id, db)
            var segments = try WorkspaceSegments(db, index: Self.staging(space))
            guard segments.seal == seal else {
                throw RetrievalError(
                    "corpus \(corpus.name)",
                    problem: "another process is already embedding the corpus with \(embedder.name)",
                    remedy: "Wait until the other process finishes.")
            }
            try fresh.save(to: &segments)
            seal = segments.seal
            try db.execute(
                sql: "UPDATE retrieval_index SET vectors = ? WHERE id = ? AND state = 'building'",
                arguments: [fresh.liveCount, space])
        }
    }

    // MARK: The index

    /// Brings vectors into the index, writes it, and switches to it.
    func finish(isCancelled: () -> Bool, progress: (EmbedProgress) throws -> Void) throws {
        let retired = try retiredChunks()
        let live = (opened?.rows.liveCount ?? 0) + fresh.liveCount - retired.count
        let kind = try recipe.kind(for: live, current: opened?.kind)
        let total = max(live, 0)
        try progress(EmbedProgress(phase: .indexing, done: 0, total: total))
        var index = opened.flatMap { opened in opened.kind == kind.kind && !isWorn(opened) ? opened : nil }
        let isNew = index == nil
        if let index {
            try remove(retired, from: index)
            let first = index.rows.count
            try Self.copy(fresh, to: index.rows)
            try add(first..<index.rows.count, to: index, isCancelled, progress)
        } else {
            let rows = try VectorRows(dimension: fresh.dimension, metric: fresh.metric)
            if let old = opened?.rows { try Self.copy(old, to: rows, besides: retired) }
            try Self.copy(fresh, to: rows, besides: retired)
            if let graph, graph.levels.count == rows.count, let adopted = try recipe.adopt(graph, rows) {
                index = OpenedIndex(index: adopted, seal: 0)
            } else {
                let made = OpenedIndex(index: try recipe.make(kind, rows), seal: 0)
                try add(0..<rows.count, to: made, isCancelled, progress)
                index = made
            }
        }
        guard let index else { return }
        if isCancelled() { throw CancellationError() }
        try store.workspace.bulkWrite { db in
            guard try WorkspaceSegments(db, index: Self.staging(space)).seal == seal else {
                throw RetrievalError(
                    "corpus \(corpus.name)",
                    problem: "another process is already embedding the corpus with \(embedder.name)",
                    remedy: "Wait until the other process finishes.")
            }
            if isNew {
                try removeIndexParts(db)
            } else if let opened, try WorkspaceSegments(db, index: space).seal != opened.seal {
                throw RetrievalError(
                    "corpus \(corpus.name)", problem: "another process changed the vectors in the meantime",
                    remedy: "Embed again.")
            }
            try index.save(space, db)
            try WorkspaceSegments.removeIndex(Self.staging(space), db)
            try settle(retired, kind.kind, index.rows, db)
        }
        try progress(EmbedProgress(phase: .indexing, done: total, total: total))
    }

    private func retiredChunks() throws -> Set<Int64> {
        try store.workspace.read { db in
            let ids = try Int64.fetchAll(
                db, sql: "SELECT chunk FROM retrieval_retired WHERE index_id = ?", arguments: [space])
            return Set(ids.filter { opened?.rows.slot(of: $0) != nil || fresh.slot(of: $0) != nil })
        }
    }

    /// Whether more than half of the slots belong to removed vectors, so that rebuilding the index is better.
    private func isWorn(_ index: OpenedIndex) -> Bool {
        index.rows.count > 1_000 && index.rows.removed.count * 2 > index.rows.count
    }

    private func remove(_ retired: Set<Int64>, from index: OpenedIndex) throws {
        let slots = retired.sorted().compactMap { index.rows.remove($0) }
        for chunk in retired { fresh.remove(chunk) }
        if !slots.isEmpty { try index.repair(removed: slots) }
    }

    private func add(
        _ slots: Range<Int>, to index: OpenedIndex, _ isCancelled: () -> Bool,
        _ progress: (EmbedProgress) throws -> Void
    ) throws {
        var failure: (any Error)?
        try index.add(slots: slots, threads: max(1, settings.threads)) { done in
            do {
                if isCancelled() { throw CancellationError() }
                try progress(EmbedProgress(phase: .indexing, done: done, total: slots.count))
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    private static func copy(_ from: VectorRows, to rows: VectorRows, besides left: Set<Int64> = []) throws {
        for slot in 0..<from.count where !from.removed.contains(slot) && !left.contains(from.labels[slot]) {
            try rows.append(from.row(slot), label: from.labels[slot])
        }
    }

    /// The segments of the index go; an embedder that is kept with them stays.
    private func removeIndexParts(_ db: Database) throws {
        var segments = try WorkspaceSegments(db, index: space)
        for key in segments.keys where key.part != HashedSpace.part { try segments.remove(key) }
        for key in try segments.keys(of: VamanaIndex.nodePart) { try segments.remove(key) }
    }

    private func settle(_ retired: Set<Int64>, _ kind: String, _ rows: VectorRows, _ db: Database) throws {
        let remove = try Workspace.Statement(db, "DELETE FROM retrieval_retired WHERE index_id = ? AND chunk = ?")
        // Those that came meanwhile stay where their vectors are in the index.
        let all = try Int64.fetchAll(
            db, sql: "SELECT chunk FROM retrieval_retired WHERE index_id = ?", arguments: [space])
        for chunk in all where retired.contains(chunk) || rows.slot(of: chunk) == nil {
            remove.bind(1, space)
            remove.bind(2, chunk)
            try remove.run()
        }
        if settings.activates {
            try db.execute(
                sql: "UPDATE retrieval_index SET active = 0 WHERE corpus = ? AND id <> ?",
                arguments: [corpus.id, space])
        }
        try db.execute(
            sql: """
                UPDATE retrieval_index
                SET state = 'ready', kind = ?, parameters = ?, vectors = ?, revision = revision + 1,
                    active = max(active, ?)
                WHERE id = ?
                """,
            arguments: [kind, settings.parameters, rows.liveCount, settings.activates, space])
        try db.execute(sql: "UPDATE retrieval_corpus SET revision = revision + 1 WHERE id = ?", arguments: [corpus.id])
    }
}
