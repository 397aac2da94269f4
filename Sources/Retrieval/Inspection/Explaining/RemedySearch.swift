internal import System

/// Looks for changes of a pipeline that bring a chunk into the context, and tries every one of them.
struct RemedySearch {
    private let first: Investigation
    /// Changes that are tried alone, and steps of a change of several keys.
    private static let mostTrials = 48
    private static let mostSteps = 4

    init(_ investigation: Investigation) { first = investigation }

    /// The result of a changed pipeline.
    private struct Trial {
        var investigation: Investigation
        var isIn: Bool
    }

    /// - Returns: Single changes that are enough, the smallest first; otherwise at most one change of several keys, or
    ///   the change that brings the chunk furthest.
    func remedies(_ explanation: Explanation) throws(Problem) -> [Remedy] {
        var found: [(changes: [Remedy.Change], cost: Double)] = []
        var tried: Set<[Remedy.Change]> = []
        for changes in try Proposals(first, explanation).all where tried.insert(changes).inserted {
            guard tried.count <= Self.mostTrials else { break }
            guard let trial = try trial(changes), trial.isIn else { continue }
            found.append((changes, Self.cost(of: changes)))
        }
        let single = found.filter { $0.changes.count == 1 }
        let chosen = single.isEmpty ? found : single
        if !chosen.isEmpty {
            let sorted = chosen.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
            return sorted.map { remedy($0.element.changes, " includes the chunk", " include the chunk") }
        }
        return try steps(explanation).map { [$0] } ?? []
    }

    /// Goes on from the change that brings the chunk furthest, until it is in; then leaves out what was not needed.
    private func steps(_ explanation: Explanation) throws(Problem) -> Remedy? {
        var changes: [Remedy.Change] = []
        var told = explanation
        var investigation = first
        for _ in 0..<Self.mostSteps {
            var best: (changes: [Remedy.Change], trial: Trial, told: Explanation, progress: Double)?
            for step in try Proposals(investigation, told).all.prefix(Self.mostTrials) {
                let together = Self.merged(changes, step)
                guard let trial = try trial(together) else { continue }
                let after = try trial.investigation.explanation()
                let progress =
                    trial.isIn ? .infinity : Self.progress(after, trial.investigation.definition)
                if progress > best?.progress ?? Self.progress(told, investigation.definition) {
                    best = (together, trial, after, progress)
                }
                if trial.isIn { break }
            }
            guard let best else { break }
            changes = best.changes
            told = best.told
            investigation = best.trial.investigation
            if best.trial.isIn { return remedy(try needed(changes), " includes the chunk", " include the chunk") }
        }
        guard !changes.isEmpty, let stage = told.droppedBy else { return nil }
        let words = " the chunk as far as \(stage), which drops it"
        return remedy(changes, " brings" + words, " bring" + words)
    }

    /// Without the changes that it is in without.
    private func needed(_ changes: [Remedy.Change]) throws(Problem) -> [Remedy.Change] {
        var needed = changes
        for change in changes where needed.count > 1 {
            let fewer = needed.filter { $0 != change }
            if let trial = try trial(fewer), trial.isIn { needed = fewer }
        }
        return needed
    }

    /// Makes the changes and runs the pipeline again, up to the context; `nil` if the changed pipeline is invalid.
    private func trial(_ changes: [Remedy.Change]) throws(Problem) -> Trial? {
        try first.goOn()
        guard var run = try? first.run.changing(changes),
            let silent = try? run.definition.changing("answer.model", to: "")
        else { return nil }
        run.definition = silent
        let record = try run(first.record.query, isCancelled: first.asker.isCancelled)
        let investigation = try Investigation(run, record, first.chunk, first.asker.isCancelled)
        let context = record.stages.first { $0.kind == .context }
        let entry = context.flatMap(investigation.entry)
        return Trial(investigation: investigation, isIn: entry?.verdict.isKept ?? false)
    }

    /// Returns how far a chunk came: one for each stage that kept it, with all searches counted as one, and for the
    /// stage that dropped it, how near it was to being kept.
    private static func progress(_ told: Explanation, _ definition: PipelineDefinition) -> Double {
        func nearness(_ stage: StageExplanation) -> Double {
            switch stage.cause {
            case .kept: return 1
            case .filter, .neverArrived: return 0
            case .analysis: return 0.1
            case .missedBySearch: return stage.rank == nil ? 0.1 : 0.9
            case .k, .fusion, .reranker:
                let lexical = definition.lexical.first { stage.stage.hasPrefix($0.name) }?.k
                let dense = definition.dense.first { stage.stage.hasPrefix($0.name) }?.k
                let kept = [.fused: definition.fusion.keep, .reranked: definition.rerank.keep][stage.kind]
                let most = kept ?? lexical ?? dense ?? 1
                return 0.2 + 0.6 * Double(min(most, stage.rank ?? .max)) / Double(max(1, stage.rank ?? .max))
            case .budget, .duplicate: return 0.5
            }
        }
        let searching = told.stages.filter { $0.kind == .lexical || $0.kind == .dense }.map(nearness).max() ?? 0
        guard searching == 1 else { return searching }
        var progress = 1.0
        for stage in told.stages where stage.kind != .lexical && stage.kind != .dense {
            progress += nearness(stage)
            if stage.cause != .kept { break }
        }
        return progress
    }

    /// Later changes of a key count.
    private static func merged(_ changes: [Remedy.Change], _ step: [Remedy.Change]) -> [Remedy.Change] {
        var merged = changes
        for change in step {
            if let index = merged.firstIndex(where: { $0.key == change.key }) {
                merged[index].after = change.after
            } else {
                merged.append(change)
            }
        }
        return merged
    }

    /// Returns the relative size of changes; switches and words count more than numbers.
    private static func cost(of changes: [Remedy.Change]) -> Double {
        changes.reduce(0) { sum, change in
            guard let before = change.before.flatMap(Double.init), let after = Double(change.after) else {
                return sum + (change.key == "filter.expression" ? 1 : 100)
            }
            return sum + abs(after - before) / max(abs(before), 1)
        }
    }

    private func remedy(_ changes: [Remedy.Change], _ one: String, _ several: String) -> Remedy {
        let said = changes.map { change in
            change.key == "filter.expression" && change.after.isEmpty
                ? "removing the filter" : "\(change.key) = \(change.after)"
        }
        let first = changes[0]
        let outcome = changes.count == 1 ? one : several
        return Remedy(
            key: first.key, before: first.before, after: first.after,
            sentence: said.joined(separator: " and ") + outcome, outcome: String(outcome.dropFirst()),
            further: Array(changes.dropFirst()))
    }
}
