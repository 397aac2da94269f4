internal import System

/// Changes of a pipeline that may bring a chunk in, made from what each stage did with it. Whether they do is for
/// ``RemedySearch`` to see.
struct Proposals {
    private let investigation: Investigation
    /// Each a change of one key, or of several that belong together; the likeliest first.
    private(set) var all: [[Remedy.Change]] = []

    init(_ investigation: Investigation, _ told: Explanation) throws(Problem) {
        self.investigation = investigation
        let searching = told.stages.filter { $0.kind == .lexical || $0.kind == .dense }
        let isFound = searching.contains { $0.cause == .kept }
        let dropping = told.stages.first { $0.stage == told.droppedBy }
        if isFound, let dropping { try propose(for: dropping) }
        // A second stage that finds it lifts it in the fusion, too.
        for stage in searching where stage.cause != .kept { try propose(forSearching: stage) }
        if !isFound { proposeOtherSearches() }
    }

    private var definition: PipelineDefinition { investigation.definition }

    private mutating func add(_ key: String, _ after: String) {
        let before = definition.value(key)
        guard before != after, before != "\"\(after)\"" else { return }
        all.append([change(key, after)])
    }

    private func change(_ key: String, _ after: String) -> Remedy.Change {
        Remedy.Change(key: key, before: definition.value(key), after: after)
    }

    private mutating func propose(for stage: StageExplanation) throws(Problem) {
        switch stage.kind {
        case .fused: proposeForFusion(stage)
        case .reranked: proposeForReranker(stage)
        case .context: try proposeForContext(stage)
        default: break
        }
    }

    private mutating func propose(forSearching told: StageExplanation) throws(Problem) {
        guard let question = investigation.questions.first(where: { $0.stage == told.stage }) else { return }
        let section = question.section
        switch told.cause {
        case .filter:
            for exclusion in investigation.exclusions {
                if let without = exclusion.without { add("filter.expression", without) }
            }
            // What a namespace excludes, no filter brings back.
            if investigation.exclusions.allSatisfy({ $0.without != nil }) { add("filter.expression", "") }
        case .k:
            guard let rank = told.rank, rank <= PipelineKeys.mostKept else { return }
            add("\(section).k", "\(rank)")
            try proposeEffort(question, k: rank)
        case .missedBySearch:
            try proposeEffort(question, k: question.k)
        case .analysis:
            guard case .lexical(let settings) = question.kind else { return }
            if settings.phrases == .required, investigation.record.query.contains("\"") {
                add("\(section).phrases", "ignored")
            }
            if !settings.fields.isEmpty { add("\(section).fields", "[]") }
        default: break
        }
    }

    /// More effort, alone where k stays, together with k where that grows.
    private mutating func proposeEffort(
        _ question: PipelineWork.Asker.Question, k: Int
    ) throws(Problem) {
        guard case .dense(let settings, let space) = question.kind, !settings.isExact, let key = space.effortKey,
            var request = try investigation.asker.denseRequest(question, investigation.filter)
        else { return }
        let more = k == question.k ? [] : [change("\(settings.name).k", "\(k)")]
        request.k = k
        if !more.isEmpty {
            // With the larger k alone the search may find it already.
            let hits = try investigation.source.searchDensely(request, isCancelled: investigation.asker.isCancelled)
                .hits
            if hits.prefix(k).contains(where: { $0.chunk == investigation.chunk }) { return }
        }
        if let effort = try investigation.smallestEffort(request, space) {
            all.append(more + [change("\(settings.name).\(key)", "\(effort)")])
        }
        if space.isCompressed {
            let usual = settings.rescored ?? 0
            for factor in [4, 16] where k * factor > usual && k * factor <= PipelineKeys.mostKept {
                all.append(more + [change("\(settings.name).rescore", "\(k * factor)")])
            }
        }
        all.append(more + [change("\(settings.name).exact", "true")])
    }

    /// Where nothing finds it, a way of searching that is switched off may.
    private mutating func proposeOtherSearches() {
        let source = investigation.source
        if definition.dense.isEmpty, !source.spaces.isEmpty { add("dense.enabled", "true") }
        if definition.lexical.isEmpty, source.isLexical { add("lexical.enabled", "true") }
    }

    private mutating func proposeForFusion(_ told: StageExplanation) {
        let settings = definition.fusion
        guard let rank = told.rank else {
            if settings.depth > 0 { add("fusion.depth", "0") }
            return
        }
        if rank <= PipelineKeys.mostKept { add("fusion.keep", "\(rank)") }
        // More weight for a ranking that has it further up, as little as is enough.
        let lists = investigation.lists
        for part in told.parts {
            guard let index = lists.firstIndex(where: { $0.stage == part.stage }),
                let question = investigation.questions.first(where: { $0.stage == part.stage })
            else { continue }
            var heavier = lists
            for factor in [1.5, 2, 3, 5, 10] {
                heavier[index].weight = lists[index].weight * factor
                let fused = definition.rankFusion.fuse(heavier).prefix(settings.keep)
                guard fused.contains(where: { $0.chunk == investigation.chunk }) else { continue }
                add("\(question.section).weight", "\(heavier[index].weight)")
                break
            }
        }
    }

    private mutating func proposeForReranker(_ told: StageExplanation) {
        let settings = definition.rerank
        if let stage = investigation.stage(told.stage), let before = investigation.place(before: stage),
            before > settings.depth
        {
            add("rerank.depth", "\(before)")
        }
        if let rank = told.rank { add("rerank.keep", "\(rank)") }
        if settings.method == .marginalRelevance {
            for lambda in ["0.8", "0.9", "1.0"] { add("rerank.lambda", lambda) }
        }
        add("rerank.method", "none")
    }

    private mutating func proposeForContext(_ told: StageExplanation) throws(Problem) {
        let settings = definition.context
        switch told.cause {
        case .duplicate: add("context.deduplicate", "false")
        case .budget:
            if let budget = try smallestBudget() { add("context.budget", "\(budget)") }
            if settings.expandsToParent { add("context.expand", "none") }
        default: break
        }
    }

    /// Returns the smallest budget with which the context includes the chunk; `nil` if none does.
    private func smallestBudget() throws(Problem) -> Int? {
        guard let stage = investigation.stage("context") else { return nil }
        let arrivals = investigation.arrivals(at: stage)
        guard let place = arrivals.firstIndex(of: investigation.chunk) else { return nil }
        // What comes behind it takes no room from it.
        let chunks = Array(arrivals[...place])
        func missing(_ budget: Int) throws(Problem) -> Int? {
            var asker = investigation.asker
            asker.run = try investigation.run.changing([
                Remedy.Change(key: "context.budget", before: nil, after: "\(budget)")
            ])
            switch try asker.filled(chunks).decisions[place] {
            case .overBudget(let missing): return missing
            case .kept: return 0
            case .duplicate: return nil
            }
        }
        // With less than what is missing now it can never fit; room that grows may be taken by others before it.
        var budget = definition.context.budget
        for _ in 0..<256 {
            guard let more = try missing(budget) else { return nil }
            if more == 0 { return budget }
            budget += more
        }
        return nil
    }
}
