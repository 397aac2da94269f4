import System

/// One question on its way through a pipeline.
struct PipelineWork {
    let run: PipelineRun
    let calls: CallList
    let isCancelled: @Sendable () -> Bool
    private(set) var record: RetrievalRecord
    /// Start time of each stage, in nanoseconds since 1970.
    private(set) var times: [String: Int64] = [:]
    private var places: [Int64: PassageID] = [:]
    /// Output of the search stages, in order.
    private(set) var lists: [RankedList] = []
    /// Output of the last stage, best first.
    private(set) var current: [ChunkHit] = []
    private var filter: ChunkFilter?

    var definition: PipelineDefinition { run.definition }
    var source: any RetrievalSource { run.source }
    var query: String { record.query }

    init(
        _ run: PipelineRun, _ query: String, calls: CallList, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.run = run
        self.calls = calls
        self.isCancelled = isCancelled
        record = RetrievalRecord(
            query: query,
            origin: .pipeline(name: run.definition.name, version: run.version, corpus: run.source.corpus))
    }

    mutating func run(_ listener: (RetrievalRecord) -> Void) throws(Problem) {
        let start = Clock.now(.monotonic)
        let asker = Asker(self)
        filter = try asker.filter()
        let waits = run.leavesModelsOut
        if definition.rewrite.isNeeded, !waits {
            let written = try asker.rewrites()
            record.rewrites = written.rewrites
            record.notes += written.notes
            listener(record)
        }
        let questions = try asker.questions(record.rewrites, notes: &record.notes)
        for question in questions {
            try goOn()
            if waits, definition.rewrite.hypothetical > 0, case .dense = question.kind {
                leave(question.stage, .dense)
                continue
            }
            times[question.stage] = Clock.nanoseconds(.wall)
            let (stage, list) = try asker.search(question, filter)
            lists.append(list)
            try keep(stage, list.hits + stage.behind)
            listener(record)
        }
        current = lists.first?.hits ?? []
        // More query variants mean more rankings, and so another fusion, ranking, and context.
        var isPending = waits && definition.rewrite.isNeeded
        if questions.count > 1 || isPending && definition.rewrite.queries > 0 {
            if isPending { leave("fused", .fused) } else { try fuse() }
            listener(record)
        }
        if definition.rerank.method != .none {
            try goOn()
            isPending = isPending || waits && definition.rerank.callsModel
            if isPending { leave("reranked", .reranked) } else { try rerank(asker) }
            listener(record)
        }
        if isPending { leave("context", .context) } else { try fillContext(asker) }
        listener(record)
        if !definition.answer.model.isEmpty, !waits {
            try goOn()
            try answer(asker)
        }
        record.seconds = Clock.now(.monotonic) - start
        listener(record)
    }

    private func goOn() throws(Problem) { if isCancelled() { throw .cancelled(definition.name) } }

    /// Records a stage as pending.
    private mutating func leave(_ name: String, _ kind: Stage.Kind) {
        var stage = Stage(name: name, kind: kind)
        stage.isPending = true
        record.stages.append(stage)
    }

    /// Adds a stage of searching to the record.
    private mutating func keep(_ found: Asker.Found, _ hits: [ChunkHit]) throws(Problem) {
        var stage = found.stage
        let ids = try passages(of: hits.map(\.chunk))
        stage.entries = zip(hits, ids).enumerated().map { index, pair in
            Stage.Entry(
                passage: pair.1, rank: index + 1, score: pair.0.score,
                verdict: index < (stage.kept ?? .max) ? .kept : .cut)
        }
        record.stages.append(stage)
    }

    /// Returns the places of chunks among the record's passages; new ones are added.
    private mutating func passages(of chunks: [Int64]) throws(Problem) -> [PassageID] {
        let open = chunks.filter { places[$0] == nil }
        for content in try contents(open) where places[content.id] == nil {
            places[content.id] = PassageID(record.passages.count)
            record.passages.append(content.passage)
        }
        // An index may know a chunk that was removed since.
        for chunk in open where places[chunk] == nil {
            places[chunk] = PassageID(record.passages.count)
            record.passages.append(Passage(chunk: chunk, document: "", label: "chunk \(chunk) (removed)"))
        }
        return chunks.compactMap { places[$0] }
    }

    func contents(_ chunks: [Int64]) throws(Problem) -> [ChunkContent] {
        try run.memory.chunks(chunks) { ids throws(Problem) in try source.chunks(ids) }
    }

    private mutating func fuse() throws(Problem) {
        let settings = definition.fusion
        let start = Clock.now(.monotonic)
        times["fused"] = Clock.nanoseconds(.wall)
        let fused = definition.rankFusion.fuse(lists)
        let shown = Array(fused.prefix(settings.keep + run.shownBehind))
        let ids = try passages(of: shown.map(\.chunk))
        current = Array(fused.prefix(settings.keep))
        record.stages.append(
            Stage(
                name: "fused", kind: .fused,
                entries: zip(shown, ids).enumerated().map { index, pair in
                    Stage.Entry(
                        passage: pair.1, rank: index + 1, score: pair.0.score,
                        verdict: index < settings.keep ? .kept : .cut)
                }, kept: min(settings.keep, fused.count), inputs: lists.map(\.stage),
                parameters: definition.fusionParameters, seconds: Clock.now(.monotonic) - start))
    }

    private mutating func rerank(_ asker: Asker) throws(Problem) {
        let settings = definition.rerank
        times["reranked"] = Clock.nanoseconds(.wall)
        let start = Clock.now(.monotonic)
        let input = record.stages.last.map { [$0.name] } ?? []
        guard let reranker = try asker.reranker(query) else {
            record.notes.append("\(settings.method.rawValue) did not rerank: the corpus has no vectors yet.")
            return
        }
        let looked = try contents(current.prefix(settings.depth).map(\.chunk))
        let order = try reranker.rank(query, looked, isCancelled: isCancelled)
        var ranked = order.places.map { (chunk: looked[$0.candidate].id, score: $0.score) }
        // What the reranker did not look at follows in its old order.
        let known = Set(ranked.map(\.chunk))
        ranked += current.filter { !known.contains($0.chunk) }.map { ($0.chunk, nil) }
        let ids = try passages(of: ranked.map(\.chunk))
        current = ranked.prefix(settings.keep).map { ChunkHit(chunk: $0.chunk, score: $0.score ?? 0) }
        record.stages.append(
            Stage(
                name: "reranked", kind: .reranked,
                entries: zip(ranked, ids).enumerated().map { index, pair in
                    Stage.Entry(
                        passage: pair.1, rank: index + 1, score: pair.0.score,
                        verdict: index < settings.keep ? .kept : .cut)
                }, kept: min(settings.keep, ranked.count), inputs: input,
                parameters: [Stage.Parameter("method", settings.method.rawValue)] + reranker.parameters
                    + [Stage.Parameter("depth", "\(settings.depth)")],
                seconds: Clock.now(.monotonic) - start, note: order.note))
    }

    private mutating func fillContext(_ asker: Asker) throws(Problem) {
        times["context"] = Clock.nanoseconds(.wall)
        let start = Clock.now(.monotonic)
        let settings = definition.context
        let ids = try passages(of: current.map(\.chunk))
        let filled = try asker.filled(current.map(\.chunk))
        let input = record.stages.last.map { [$0.name] } ?? []
        let entries = zip(ids, filled.decisions).enumerated().map { index, pair in
            let verdict: Verdict =
                switch pair.1 {
                case .kept: .kept
                case .overBudget: .dropped(.budget)
                case .duplicate(let other): .dropped(.duplicate(of: ids[other]))
                }
            return Stage.Entry(passage: pair.0, rank: index + 1, score: nil, verdict: verdict)
        }
        record.context = ContextRecord(
            passages: filled.pieces.map { piece in
                ContextRecord.Piece(
                    passage: ids[piece.candidates[0]], mark: piece.mark, size: piece.size,
                    text: piece.isOwn ? nil : piece.text, merged: piece.candidates.dropFirst().map { ids[$0] })
            }, budget: settings.budget == 0 ? nil : settings.budget, used: filled.used, unit: settings.unit.rawValue)
        var parameters = [Stage.Parameter("budget", settings.budget == 0 ? "unlimited" : "\(settings.budget)")]
        parameters.append(Stage.Parameter("unit", settings.unit.rawValue))
        parameters.append(Stage.Parameter("order", settings.order.rawValue))
        let isEstimated = settings.unit == .tokens && run.resources.countTokens == nil
        record.stages.append(
            Stage(
                name: "context", kind: .context, entries: entries, kept: entries.count { $0.verdict.isKept },
                inputs: input, parameters: parameters, seconds: Clock.now(.monotonic) - start,
                note: isEstimated ? "Token counts are estimated at four bytes per token." : nil))
    }

    private mutating func answer(_ asker: Asker) throws(Problem) {
        guard let context = record.context else { return }
        times["answer"] = Clock.nanoseconds(.wall)
        let pieces = context.passages.map { piece in
            (mark: piece.mark, passage: piece.passage, text: piece.text ?? record[piece.passage].text ?? "")
        }
        let blocks = pieces.map { (mark: $0.mark, label: record[$0.passage].label, text: $0.text) }
        let settings = definition.answer
        let standard = settings.citations ? AnswerPrompt.marked : AnswerPrompt.plain
        let prompt = AnswerPrompt.filled(
            settings.prompt.isEmpty ? standard : settings.prompt, context: AnswerPrompt.context(blocks),
            question: query)
        let model = try asker.languageModel(settings.model, "answer")
        switch try model.ask(prompt, tokens: settings.tokens, isCancelled: isCancelled) {
        case .failure(let error): record.notes.append("No answer: \(error.sentence)")
        case .success(let text):
            record.answer = AnswerRecord(text: text, model: model.name, citations: Citations.of(text, passages: pieces))
        }
    }
}

extension PipelineDefinition {
    var rankFusion: RankFusion {
        RankFusion(method: fusion.method, k: fusion.k, depth: fusion.depth == 0 ? nil : fusion.depth)
    }

    fileprivate var fusionParameters: [Stage.Parameter] {
        var parameters = [Stage.Parameter("method", fusion.method.rawValue)]
        if fusion.method == .reciprocalRank { parameters.append(Stage.Parameter("k", "\(fusion.k)")) }
        if fusion.depth > 0 { parameters.append(Stage.Parameter("depth", "\(fusion.depth)")) }
        let weights = lexical.map { ($0.name, $0.weight) } + dense.map { ($0.name, $0.weight) }
        for (name, weight) in weights where weight != 1 {
            parameters.append(Stage.Parameter("weight of \(name)", "\(weight)"))
        }
        return parameters
    }
}
