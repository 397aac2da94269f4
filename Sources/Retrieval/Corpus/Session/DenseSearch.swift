internal import SearchIndexes
internal import Workspace

/// One question to the vectors of a space, within what may be seen.
struct DenseSearch {
    private let snapshot: CorpusSnapshot
    private let part: CorpusSnapshot.SpacePart
    private let request: DenseRequest
    private let allowed: ResolvedFilter?
    private let reader: SpaceReader

    init(
        _ snapshot: CorpusSnapshot, _ part: CorpusSnapshot.SpacePart, _ request: DenseRequest,
        _ allowed: ResolvedFilter?
    ) throws {
        (self.snapshot, self.part, self.request, self.allowed) = (snapshot, part, request, allowed)
        reader = try part.reader()
        guard request.vector.count == reader.dimension else {
            throw RetrievalError(
                part.name,
                problem: "the query vector has \(request.vector.count) dimensions, the index has \(reader.dimension)",
                remedy: "Embed the query with \(part.space.embedder).")
        }
        guard request.vector.allSatisfy(\.isFinite) else {
            throw RetrievalError(part.name, problem: "the query vector contains a number that is not finite")
        }
    }

    /// The slots that may be found; `nil` for all.
    private var slots: SlotSet? {
        if let allowed { return allowed.slots(in: reader, part) }
        guard !part.retired.isEmpty else { return nil }
        var set = SlotSet(capacity: reader.slotCount)
        for slot in 0..<reader.slotCount { set.insert(slot) }
        switch reader {
        case .memory(let index):
            index.rows.removed.forEach { set.remove($0) }
            for chunk in part.retired { if let slot = index.rows.slot(of: chunk) { set.remove(slot) } }
        case .file(let file, _, _):
            file.removed.forEach { set.remove($0) }
            for (slot, label) in file.labels.enumerated() where part.retired.contains(label) { set.remove(slot) }
        }
        return set
    }

    /// Searches with the index, and with a filter as planned.
    func approximately() throws -> ChunkHits {
        let slots = slots
        let kept = slots?.count ?? reader.count
        guard kept > 0, request.k > 0 else { return ChunkHits([], parameters: parameters(exact: false), note: nil) }
        let query = VectorRequest(
            k: min(request.k, kept), effort: request.effort, reranked: request.reranked, allowed: slots)
        let isExact = reader.kind.effort == .exact
        if slots != nil, case .memory(let index) = reader, !isExact {
            let result = try index.search(request.vector, query, planner: FilterPlanner())
            let isExact = result.plan.strategy == .exact || result.plan.fellBack
            return ChunkHits(
                hits(result.neighbors), parameters: parameters(exact: isExact),
                note: result.plan.reason)
        }
        let found = try reader.search(request.vector, query, snapshot.workspace)
        return ChunkHits(
            hits(found), parameters: parameters(exact: isExact),
            note: slots.map { "the filter keeps \($0.count) of \(reader.count) vectors" })
    }

    /// Searches by comparing every vector.
    func exactly() throws -> ChunkHits {
        ChunkHits(try exact(slots), parameters: parameters(exact: true), note: nil)
    }

    private func exact(_ slots: SlotSet?) throws -> [ChunkHit] {
        let kept = slots?.count ?? reader.count
        guard kept > 0, request.k > 0 else { return [] }
        var query = VectorRequest(k: min(request.k, kept), allowed: slots)
        switch reader {
        case .memory(let index):
            return hits(try index.searchExactly(request.vector, query))
        case .file(let file, _, _):
            // A walk that keeps everything reads every node.
            query.effort = file.count
            return hits(try reader.search(request.vector, query, snapshot.workspace))
        }
    }

    /// Returns the rank of a chunk when every vector is compared.
    func place(of chunk: Int64, _ isCancelled: () -> Bool) throws -> ChunkPlace? {
        guard !part.retired.contains(chunk) else { return nil }
        guard case .memory(let index) = reader else {
            var all = request
            all.k = reader.count
            let hits = try DenseSearch(snapshot, part, all, allowed).exactly().hits
            guard let place = hits.firstIndex(where: { $0.chunk == chunk }) else { return nil }
            return ChunkPlace(rank: place + 1, score: hits[place].score)
        }
        let rows = index.rows
        guard let slot = rows.slot(of: chunk) else { return nil }
        let slots = slots
        var query = [Float](repeating: 0, count: rows.dimension)
        try rows.prepare(request.vector, into: &query)
        var own = Float.infinity
        var ownSlot = UInt32(slot)
        rows.distances(to: query, slots: &ownSlot, count: 1, into: &own)
        var rank = 1
        let block = 1_024
        var places = [UInt32](repeating: 0, count: block)
        var distances = [Float](repeating: 0, count: block)
        var filled = 0
        func count() {
            rows.distances(to: query, slots: places, count: filled, into: &distances)
            for place in 0..<filled {
                let label = rows.labels[Int(places[place])]
                if distances[place] < own || distances[place] == own && label < chunk { rank += 1 }
            }
            filled = 0
        }
        for other in 0..<rows.count
        where other != slot && !rows.removed.contains(other) && slots?.contains(other) != false {
            places[filled] = UInt32(other)
            filled += 1
            if filled == block {
                if isCancelled() { throw CancellationError() }
                count()
            }
        }
        count()
        return ChunkPlace(rank: rank, score: rows.metric.score(own))
    }

    private func hits(_ neighbors: [Neighbor]) -> [ChunkHit] {
        neighbors.map { ChunkHit(chunk: $0.label, score: reader.metric.score($0.distance)) }
    }

    /// Settings in effect.
    private func parameters(exact: Bool) -> [Stage.Parameter] {
        var shown = [Stage.Parameter("index", reader.kind.kind), Stage.Parameter("metric", reader.metric.rawValue)]
        if exact {
            shown.append(Stage.Parameter("search", "exact"))
        } else if let effort = request.effort ?? reader.defaultEffort(k: request.k) {
            shown.append(Stage.Parameter(reader.kind.effort.key ?? "ef", "\(effort)"))
        }
        return shown
    }
}

extension SpaceReader {
    func search(_ vector: [Float], _ request: VectorRequest, _ workspace: Workspace) throws -> [Neighbor] {
        switch self {
        case .memory(let index): return try index.search(vector, request)
        case .file(let file, let segments, _):
            return try workspace.read { db in try file.search(vector, request, in: segments.bound(to: db)) }
        }
    }

    /// Returns the vector with a label; `nil` if there is no such vector.
    func vector(of label: Int64, _ workspace: Workspace) throws -> [Float]? {
        switch self {
        case .memory(let index):
            guard let slot = index.rows.slot(of: label) else { return nil }
            return Array(UnsafeBufferPointer(start: index.rows.row(slot), count: index.rows.dimension))
        case .file(let file, let segments, _):
            guard let slot = file.labels.lastIndex(of: label), !file.removed.contains(slot) else { return nil }
            return try file.vector(in: slot, of: segments)
        }
    }

    /// Returns the effort that the index uses by default.
    func defaultEffort(k: Int) -> Int? {
        switch self {
        case .memory(let index): index.defaultEffort(k: k)
        case .file(let file, _, _): file.defaultEffort(k: k)
        }
    }
}
