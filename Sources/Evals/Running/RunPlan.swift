internal import Configuration
internal import EvalLogs
internal import LanguageModels
internal import System
internal import Traces

/// The plan of a run: samples, epochs, and scorers.
struct RunPlan: Sendable {
    let samples: [TaskSample]
    let epochs: Int
    let scorers: [any Scorer]
    /// Kinds of the scores of all scorers, in order.
    let kinds: [EvalScoreKind]
    let digest: String

    var total: Int { samples.count * epochs }

    init(_ order: EvalOrder) throws {
        let task = order.task
        let options = order.options
        try Self.checkNames(options.only, of: task)
        let chosen = options.only.isEmpty ? task.samples : task.samples.filter { options.only.contains($0.id) }
        samples = options.limit.map { Array(chosen.prefix(max(0, $0))) } ?? chosen
        epochs = max(1, options.epochs ?? task.epochs)
        guard !samples.isEmpty else { throw Problem(.missing, "", "No sample of \(task.name) is selected") }
        guard samples.count.multipliedReportingOverflow(by: epochs).overflow == false, samples.count * epochs < 1 << 32
        else { throw Problem(.limit, "", "\(task.name) with \(epochs) epochs has more than 4,294,967,295 requests") }
        if order.room.judge == nil, let scorer = Self.judge(of: task, samples) {
            throw Problem(.invalid, "", "\(scorer) needs a judge", remedy: "Choose a model with --judge.")
        }
        var scorers: [any Scorer] = []
        for choice in task.scorers { scorers.append(try Scorers.make(choice)) }
        self.scorers = scorers
        kinds = scorers.flatMap(\.scores)
        // Report unknown metrics and settings before the first request.
        _ = try Metrics.figures(of: task.metrics, scores: kinds) { _ in [] }
        digest = task.digest(of: samples)
    }

    /// Checks that a budget in dollars can be enforced: every model in use has a price.
    func checkPrices(_ order: EvalOrder, _ prices: PriceTable) throws(Problem) {
        guard order.options.budget.cost != nil else { return }
        let judge = Self.judge(of: order.task, samples).flatMap { _ in order.room.judge?.name }
        for name in [order.solver.pricedName, judge].compactMap(\.self) where prices.price(of: name) == nil {
            throw Problem(
                .limit, "", "\(name) has no price, so a budget in dollars cannot be enforced",
                remedy: "Add its price to the file named by ORRERY_PRICES or the setting prices, or leave the "
                    + "budget out (--max-cost none for a run that has a budget).")
        }
    }

    /// Checks that every named sample exists.
    private static func checkNames(_ names: Set<String>, of task: EvalTask) throws(Problem) {
        guard !names.isEmpty else { return }
        let ids = task.samples.map(\.id)
        let missing = names.subtracting(ids).sorted()
        guard let first = missing.first else { return }
        let others = missing.count > 1 ? ", nor \(missing.count - 1) other chosen samples" : ""
        throw Problem(
            .missing, "", "\(task.name) has no sample \(first)\(others)",
            remedy: NearestName.remedy(first, among: ids, none: "The task has no samples."))
    }

    /// Returns a scorer that needs a judge; `nil` if there is none.
    private static func judge(of task: EvalTask, _ samples: [TaskSample]) -> String? {
        let judging = Set(Scorers.kinds.filter(\.needsJudge).map(\.name))
        let own = task.scorers.first { judging.contains($0.kind) }
        return (own ?? samples.lazy.flatMap(\.checks).first { judging.contains($0.kind) })?.kind
    }

    func sample(at place: Int) -> TaskSample { samples[place / epochs] }

    /// Returns the epoch, starting at 1.
    func epoch(at place: Int) -> Int { place % epochs + 1 }
}
