import ArgumentParser
import Evals
import Traces

/// What a run is made of, and keeps.
struct EvalSampleOptions: ParsableArguments {
    @Option(help: "Only the first so many samples.")
    var limit: Int?

    @Option(name: .long, parsing: .singleValue, help: "Only the sample of this name; several times for several.")
    var only: [String] = []

    @Option(help: "How often each sample is asked, instead of the task's own count.")
    var epochs: Int?

    @Option(help: "Decides every choice by lot.")
    var seed: UInt64?

    func validate() throws {
        guard (limit ?? 1) > 0 else { throw ValidationError("--limit takes 1 or more.") }
        guard (1...10_000).contains(epochs ?? 1) else { throw ValidationError("--epochs takes 1 to 10000.") }
    }

    /// The options that were given.
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

/// How fast is asked, and where a run stops.
struct EvalLimitOptions: ParsableArguments {
    @Option(help: "Maximum number of samples in flight.")
    var concurrency: Int?

    @Flag(inversion: .prefixedNo, help: "Ask fewer at once while the other side refuses or fails.")
    var adaptive = true

    @Flag(inversion: .prefixedNo, help: "Take answers to the same question from earlier runs.")
    var cache = true

    @Option(help: "How often a sample is asked again after a failure that may pass.")
    var retries: Int?

    @Option(help: "Stop after so many requests; none for no such budget.")
    var maxRequests: BudgetWord<Int>?

    @Option(help: "Stop after so many tokens, read and written; none for no such budget.")
    var maxTokens: BudgetWord<Int>?

    @Option(help: "Stop when it has cost so many dollars; none for no such budget.")
    var maxCost: BudgetWord<Double>?

    @Option(help: "Stop after so many seconds; none for no such budget.")
    var maxSeconds: BudgetWord<Double>?

    @Option(
        help: """
            How many seconds a program may take for a sample: exec: models and scorers of kind exec; else what the task \
            says, or 60.
            """)
    var programSeconds: Double?

    func validate() throws {
        let programMost = ProgramLimits.mostSeconds
        let checks: [(Bool, String)] = [
            ((1...512).contains(concurrency ?? 1), "--concurrency takes 1 to 512."),
            ((0...100).contains(retries ?? 0), "--retries takes 0 to 100."),
            (
                (programSeconds ?? 1) > 0 && (programSeconds ?? 1) <= programMost,
                "--program-seconds takes more than 0, and 86400 at most."
            ),
            ([maxRequests, maxTokens].allSatisfy { ($0?.most ?? 1) > 0 }, "budgets take 1 or more."),
            (
                [maxCost, maxSeconds].allSatisfy { ($0?.most ?? 1) > 0 && ($0?.most ?? 1).isFinite },
                "budgets take more than 0."
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
    /// nil where there is to be none.
    var most: Number?

    init?(argument: String) {
        guard argument != "none" else { return }
        guard let number = Number(argument) else { return nil }
        most = number
    }
}
