internal import System

extension Investigation {
    /// Explains what the fusion did with the chunk, or would have done.
    func fused(_ stage: Stage, _ arrived: Bool, _ standing: Standing?) -> StageExplanation {
        let keep = definition.fusion.keep
        let kept = kept(by: stage)
        var told = StageExplanation(
            stage: stage.name, kind: .fused, cause: .kept, scoreNeeded: kept.count >= keep ? kept.last?.score : nil)
        guard arrived else {
            told.cause = .neverArrived
            told.isHypothetical = true
            told.rank = standing?.rank
            told.score = standing?.score
            told.parts = standing?.parts ?? []
            told.findings = standing.map { ["would be rank \($0.rank)"] } ?? ["no search stage ranks it"]
            return told
        }
        let lists = self.lists
        let fusion = definition.rankFusion
        let all = fusion.fuse(lists)
        told.parts = fusion.parts(of: chunk, in: lists).map { part in
            StageExplanation.Part(stage: lists[part.list].stage, rank: part.rank, value: part.value)
        }
        guard let index = all.firstIndex(where: { $0.chunk == chunk }) else {
            told.cause = .fusion
            told.findings = ["not among the first \(definition.fusion.depth) of any ranking"]
            return told
        }
        told.rank = index + 1
        told.score = all[index].score
        if index < keep {
            told.findings = ["rank \(index + 1) of \(kept.count)"]
        } else {
            told.cause = .fusion
            let score = Stage.Kind.fused.text(all[index].score)
            told.findings = ["rank \(index + 1) (\(kept.count) kept): \(score)" + Self.enough(told)]
        }
        return told
    }

    /// Explains what the reranker did with the chunk, or would have done, by reranking it with the others.
    func reranked(_ stage: Stage, _ arrived: Bool, _ standing: Standing?) throws(Problem) -> StageExplanation {
        let settings = definition.rerank
        let kept = kept(by: stage)
        var told = StageExplanation(
            stage: stage.name, kind: .reranked, cause: .kept,
            scoreNeeded: kept.count >= settings.keep ? stage.entries.last { $0.verdict.isKept }?.score : nil)
        if arrived, let entry = entry(in: stage) {
            told.rank = entry.rank
            told.score = entry.score
            if entry.verdict.isKept {
                told.findings = ["rank \(entry.rank) of \(kept.count)"]
                return told
            }
            told.cause = .reranker
            if let before = place(before: stage), before > settings.depth {
                told.findings = ["not reranked: it arrived at rank \(before), and depth is \(settings.depth)"]
            } else {
                let score = entry.score.map { Stage.Kind.reranked.text($0) } ?? "no score"
                told.findings = ["rank \(entry.rank) (\(kept.count) kept): \(score)" + Self.enough(told)]
            }
            return told
        }
        told.cause = .neverArrived
        told.isHypothetical = true
        guard let standing else {
            told.findings = ["no earlier stage ranks it"]
            return told
        }
        if run.leavesModelsOut, settings.callsModel {
            told.findings = ["rank unknown: not scored by the reranker"]
            return told
        }
        guard let reranker = try asker.reranker(record.query) else { return told }
        let candidates = try asker.contents(guests(before: stage, standing.rank, settings.depth))
        let order = try reranker.rank(record.query, candidates, isCancelled: asker.isCancelled)
        if let index = order.places.firstIndex(where: { candidates[$0.candidate].id == chunk }) {
            told.rank = index + 1
            told.score = order.places[index].score
            let score = told.score.map { " (\(Stage.Kind.reranked.text($0)))" } ?? ""
            told.findings = ["would be rank \(index + 1)" + score]
        }
        return told
    }

    /// Explains what the context did with the chunk, or would have done.
    func inContext(_ stage: Stage, _ arrived: Bool, _ standing: Standing?) throws(Problem) -> StageExplanation {
        var told = StageExplanation(stage: stage.name, kind: .context, cause: .kept)
        let unit = definition.context.unit.rawValue
        if arrived, let entry = entry(in: stage) {
            told.rank = entry.rank
            switch entry.verdict {
            case .dropped(.duplicate(let other)):
                told.cause = .duplicate
                told.findings = ["\(record[other].label) has the same text and is in the context"]
            case .dropped, .cut:
                told.cause = .budget
                let filled = try asker.filled(arrivals(at: stage))
                let size = entry.rank <= filled.decisions.count ? filled.decisions[entry.rank - 1] : .kept
                if case .overBudget(let missing) = size {
                    told.findings = [
                        "over the budget of \(definition.context.budget) \(unit) by \(missing)"
                    ]
                }
            case .kept:
                let piece = record.context?.passages.first { piece in
                    ([piece.passage] + piece.merged).contains { record[$0].chunk == chunk }
                }
                told.findings = [piece.map { "in the context as \($0.mark), \($0.size) \(unit)" } ?? "in the context"]
            }
            return told
        }
        told.cause = .neverArrived
        told.isHypothetical = true
        guard let standing else {
            told.findings = ["no earlier stage ranks it"]
            return told
        }
        told.rank = standing.rank
        let chunks = guests(before: stage, standing.rank, .max)
        let filled = try asker.filled(chunks)
        if let index = chunks.firstIndex(of: chunk) {
            switch filled.decisions[index] {
            case .kept: told.findings = ["would fit"]
            case .overBudget(let missing): told.findings = ["would be over the budget by \(missing) \(unit)"]
            case .duplicate: told.findings = ["would be left out: another chunk has the same text"]
            }
        }
        return told
    }

    /// Returns `, but 0.0161 was needed`; empty unless the stage kept its maximum number of chunks.
    private static func enough(_ told: StageExplanation) -> String {
        told.scoreNeeded.map { ", but \(told.kind.text($0)) was needed" } ?? ""
    }

    /// Returns the input of a stage, best first.
    func arrivals(at stage: Stage) -> [Int64] {
        guard let input = stage.inputs.first.flatMap({ self.stage($0) }) else { return [] }
        // A reranker follows all rankings of one question where nothing was fused.
        return stage.kind == .context || stage.inputs.count == 1 ? kept(by: input).map(\.chunk) : []
    }

    /// Returns the rank with which the chunk came to a stage.
    func place(before stage: Stage) -> Int? { arrivals(at: stage).firstIndex(of: chunk).map { $0 + 1 } }

    /// Returns the input of a stage with the chunk inserted at a rank: at most `depth` chunks, including the chunk.
    private func guests(before stage: Stage, _ rank: Int, _ depth: Int) -> [Int64] {
        var chunks = arrivals(at: stage).filter { $0 != chunk }
        chunks.insert(chunk, at: max(0, min(rank - 1, chunks.count)))
        guard chunks.count > depth else { return chunks }
        let isWithin = rank <= depth
        return isWithin ? Array(chunks.prefix(depth)) : chunks.prefix(depth - 1) + [chunk]
    }
}
