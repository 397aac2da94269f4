internal import System

/// One chunk, followed through one finished run.
struct Investigation {
    let run: PipelineRun
    let record: RetrievalRecord
    let chunk: Int64
    let content: ChunkContent
    let asker: PipelineWork.Asker
    let filter: ChunkFilter?
    let questions: [PipelineWork.Asker.Question]
    let exclusions: [FilterExclusion]

    var definition: PipelineDefinition { run.definition }
    var source: any RetrievalSource { run.source }

    init(
        _ run: PipelineRun, _ record: RetrievalRecord, _ chunk: Int64, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(Problem) {
        self.run = run
        self.record = record
        self.chunk = chunk
        asker = PipelineWork.Asker(run, record.query, calls: CallList(), isCancelled: isCancelled)
        guard let content = try asker.contents([chunk]).first else {
            throw Problem(
                .invalid, "chunk \(chunk)", "\(run.source.corpus) does not contain the chunk",
                remedy: "It may have been removed. Search again.")
        }
        self.content = content
        filter = try asker.filter()
        var notes: [String] = []
        let all = try asker.questions(record.rewrites, notes: &notes)
        questions = all.filter { question in
            record.stages.contains { $0.name == question.stage && !$0.isPending }
        }
        // A source may exclude it without a filter, too: by its namespace.
        var told = try run.source.exclusions(of: chunk, by: run.definition.filter)
        if told.isEmpty, let filter, !filter.contains(chunk) {
            told = [FilterExclusion(clause: filter.expression, actual: "the chunk does not match", without: "")]
        }
        exclusions = told
    }

    func goOn() throws(Problem) { if asker.isCancelled() { throw .cancelled("explanation") } }

    func stage(_ name: String) -> Stage? { record.stages.first { $0.name == name && !$0.isPending } }

    /// Returns the stage of a kind that occurs once in a pipeline; `nil` if it is absent or has not run.
    private func stage(_ kind: Stage.Kind) -> Stage? { record.stages.first { $0.kind == kind && !$0.isPending } }

    /// Returns the chunk's entry in a stage, if it has one.
    func entry(in stage: Stage) -> Stage.Entry? { stage.entries.first { record[$0.passage].chunk == chunk } }

    /// Returns the chunks that a stage kept, best first.
    func kept(by stage: Stage) -> [ChunkHit] {
        stage.entries.filter(\.verdict.isKept).compactMap { entry in
            record[entry.passage].chunk.map { ChunkHit(chunk: $0, score: entry.score ?? 0) }
        }
    }

    /// Output of each search stage, as the fusion receives it.
    var lists: [RankedList] {
        questions.compactMap { question in
            stage(question.stage).map { stage in
                RankedList(
                    stage: stage.name, hits: kept(by: stage), weight: question.weight,
                    higherIsBetter: question.higherIsBetter)
            }
        }
    }

    /// Returns the explanation of every stage, without the remedies of ``RemedySearch``.
    func explanation() throws(Problem) -> Explanation {
        var explanation = Explanation(query: record.query, passage: content.passage)
        var guests: [Guest?] = []
        for question in questions {
            try goOn()
            guard let stage = stage(question.stage) else { continue }
            let (told, guest) = try searched(question, stage)
            explanation.stages.append(told)
            guests.append(guest)
        }
        var arrived = explanation.stages.contains { $0.cause == .kept }
        var place = try standing(explanation.stages, guests)
        if let stage = stage(.fused) {
            let told = fused(stage, arrived, place)
            explanation.stages.append(told)
            arrived = arrived && told.cause == .kept
        }
        if let stage = stage(.reranked) {
            try goOn()
            let told = try reranked(stage, arrived, place)
            explanation.stages.append(told)
            arrived = arrived && told.cause == .kept
            place = told.rank.map { Standing(rank: $0, score: told.score ?? 0, parts: []) }
            if !arrived, place == nil, run.leavesModelsOut {
                explanation.droppedBy = droppedBy(explanation.stages)
                return explanation
            }
        }
        if let stage = stage(.context) {
            explanation.stages.append(try inContext(stage, arrived, place))
        }
        explanation.droppedBy = droppedBy(explanation.stages)
        return explanation
    }

    /// Where a chunk would stand in a ranking that it did not get into.
    struct Guest {
        var rank: Int
        var score: Double
        /// Whether the ranking had room for it: then those behind it stand one place further back.
        var isWithin: Bool
    }

    /// Where it stands, or would stand, in what goes on from the searching stages.
    struct Standing {
        var rank: Int
        var score: Double
        var parts: [StageExplanation.Part]
    }

    /// Works out the place in the fused ranking (or in the only one) by putting the chunk in.
    private func standing(
        _ searched: [StageExplanation], _ guests: [Guest?]
    ) throws(Problem) -> Standing? {
        var lists = self.lists
        var behind: [(list: Int, guest: Guest)] = []
        for (index, guest) in guests.enumerated() where index < lists.count {
            guard let guest else { continue }
            let hit = ChunkHit(chunk: chunk, score: guest.score)
            if guest.isWithin {
                lists[index].hits.insert(hit, at: min(guest.rank - 1, lists[index].hits.count))
            } else {
                behind.append((index, guest))
            }
        }
        guard lists.count > 1 else {
            if let index = lists.first?.hits.firstIndex(where: { $0.chunk == chunk }), let list = lists.first {
                return Standing(rank: index + 1, score: list.hits[index].score, parts: [])
            }
            return behind.first.map { Standing(rank: $0.guest.rank, score: $0.guest.score, parts: []) }
        }
        // What did come in somewhere is judged as it came in; places behind the ends count where it came in nowhere.
        let isIn = lists.contains { $0.hits.contains { $0.chunk == chunk } }
        let fusion = definition.rankFusion
        if !isIn {
            for (index, guest) in behind { lists[index].hits.append(ChunkHit(chunk: chunk, score: guest.score)) }
        }
        var parts = fusion.parts(of: chunk, in: lists).map { part in
            StageExplanation.Part(stage: lists[part.list].stage, rank: part.rank, value: part.value)
        }
        var fused = fusion.fuse(lists)
        if !isIn {
            // By ranks, a place behind the end is worth what its true rank is.
            parts = behind.map { index, guest in
                StageExplanation.Part(
                    stage: lists[index].stage, rank: guest.rank,
                    value: fusion.value(
                        guest.rank, guest.score, lists[index], RankFusion.Scale(lists[index], fusion.depth)))
            }
            fused.removeAll { $0.chunk == chunk }
        }
        guard !parts.isEmpty else { return nil }
        let score = parts.reduce(0) { $0 + $1.value }
        let better = fused.count {
            $0.chunk != chunk && ($0.score > score || ($0.score == score && $0.chunk < chunk))
        }
        return Standing(rank: better + 1, score: score, parts: parts)
    }

    /// Returns the first stage that dropped the chunk on every path; of several searches without it, the nearest miss.
    private func droppedBy(_ stages: [StageExplanation]) -> String? {
        let searching = stages.filter { $0.kind == .lexical || $0.kind == .dense }
        if searching.contains(where: { $0.cause == .kept }) {
            return stages.first {
                $0.kind != .lexical && $0.kind != .dense && $0.cause != .kept && $0.cause != .neverArrived
            }?.stage
        }
        func distance(_ told: StageExplanation) -> Double {
            switch told.cause {
            case .missedBySearch where told.rank != nil: 0
            case .k:
                Double(told.rank ?? .max) / Double(max(1, questions.first { $0.stage == told.stage }?.k ?? 1))
            case .filter: 1e12
            default: 1e15
            }
        }
        return searching.min { distance($0) < distance($1) }?.stage
    }
}
