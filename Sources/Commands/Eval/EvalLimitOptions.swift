import ArgumentParser
import Evals
import Traces

/// Options that select the samples of a run.
struct EvalSampleOptions: ParsableArguments {
    @Option(help: "Run only the first N samples.")
    var limit: Int?

    @Option(name: .long, parsing: .singleValue, help: "Run only the sample with this name; repeatable.")
    var only: [String] = []

    @Option(help: "Repetitions of each sample (default: from the task).")
    var epochs: Int?

    @Option(help: "Seed for all random choices.")
    var seed: UInt64?

    func validate() throws {
        guard (limit ?? 1) > 0 else { throw ValidationError("--limit must be at least 1.") }
        guard (1...10_000).contains(epochs ?? 1) else { throw ValidationError("--epochs must be 1 to 10000.") }
    }

    /// Names of the options that were given.
    var given: [String] {
        [(limit != nil, "--limit"), (!only.isEmpty, "--only"), (epochs != nil, "--epochs"), (seed != nil, "--seed")]
            .filter(\.0).map(\.1)
    }

    func applied(to options: EvalOptions) -> EvalOptions {
        var options = options
        options.limit = limit ?? options.limit
        if !only.isEmpty { options.only = Set(only) }
        options.epochs = epochs ?? options.epochs
        options.seed = seed ?? options.seed
        return options
    }
}

/// Options for speed and budgets.
struct EvalLimitOptions: ParsableArguments {
    @Option(help: "Maximum number of samples in flight.")
    var concurrency: Int?

    @Flag(inversion: .prefixedNo, help: "Reduce concurrency while the server refuses or fails.")
    var adaptive = true

    @Flag(inversion: .prefixedNo, help: "Reuse cached answers to identical requests.")
    var cache = true

    @Option(help: "Maximum retries after a temporary failure.")
    var retries: Int?

    @Option(help: "Budget in requests; none removes the budget.")
    var maxRequests: BudgetWord<Int>?

    @Option(help: "Budget in input and output tokens; none removes the budget.")
    var maxTokens: BudgetWord<Int>?

    @Option(help: "Budget in dollars; none removes the budget.")
    var maxCost: BudgetWord<Double>?

    @Option(help: "Budget in seconds; none removes the budget.")
    var maxSeconds: BudgetWord<Double>?

    @Option(
        help: "Seconds per sample for a program (default: task, else 60).")
    var programSeconds: Double?

    func validate() throws {
        let programMost = ProgramLimits.mostSeconds
        let checks: [(Bool, String)] = [
            ((1...512).contains(concurrency ?? 1), "--concurrency must be 1 to 512."),
            ((0...100).contains(retries ?? 0), "--retries must be 0 to 100."),
            (
                (programSeconds ?? 1) > 0 && (programSeconds ?? 1) <= programMost,
                "--program-seconds must be above 0 and at most 86400."
            ),
            (
                [maxRequests, maxTokens].allSatisfy { ($0?.most ?? 1) > 0 },
                "--max-requests and --max-tokens must be at least 1, or none."
            ),
            (
                [maxCost, maxSeconds].allSatisfy { ($0?.most ?? 1) > 0 && ($0?.most ?? 1).isFinite },
                "--max-cost and --max-seconds must be above 0, or none."
            ),
        ]
        for (isFine, sentence) in checks where !isFine { throw ValidationError(sentence) }
    }

    func applied(to options: EvalOptions) -> EvalOptions {
        var options = options
        options.concurrency = concurrency ?? options.concurrency
        options.isAdaptive = adaptive && options.isAdaptive
        options.usesCache = cache && options.usesCache
        options.retries = retries ?? options.retries
        let budget = options.budget
        options.budget = EvalBudget(
            requests: maxRequests.map(\.most) ?? budget.requests, tokens: maxTokens.map(\.most) ?? budget.tokens,
            cost: maxCost.map(\.most) ?? budget.cost, seconds: maxSeconds.map(\.most) ?? budget.seconds)
        return options
    }
}

/// A budget on the command line: a number, or `none`.
struct BudgetWord<Number: LosslessStringConvertible>: ExpressibleByArgument {
    /// The limit; `nil` for no budget.
    var most: Number?

    init?(argument: String) {
        guard argument != "none" else { return }
        guard let number = Number(argument) else { return nil }
        most = number
    }
}
