package import Evals
package import System

/// Settings of a run as words: `judge=openai:gpt-5 limit=50 epochs=3 temperature=0,0.7 budget=$2`.
package struct EvalStartWords: Hashable, Sendable {
    var judge: String?
    var embedder: String?
    var prompts: [String] = []
    var fewShot: Int?
    var parameters: [EvalParameter] = []
    package var options = EvalOptions()

    package init(_ typed: String) throws(Problem) {
        for word in typed.split(separator: " ").map(String.init) { try take(word) }
    }

    private mutating func take(_ word: String) throws(Problem) {
        let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard halves.count == 2, !halves[1].isEmpty else {
            throw Problem(.missing, word, "missing value", remedy: "Write settings as limit=50.")
        }
        let (name, value) = (halves[0], halves[1])
        func whole(_ range: ClosedRange<Int>) throws(Problem) -> Int {
            guard let number = Int(value), range.contains(number) else {
                throw Problem(.invalid, "", "\(name)=\(value): use \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        switch name {
        case "judge": judge = value
        case "embedder": embedder = value
        case "prompt": prompts += value.split(separator: ",").map(String.init)
        case "few_shot": fewShot = try whole(0...1_000)
        case "limit": options.limit = try whole(1...1 << 31)
        case "epochs": options.epochs = try whole(1...10_000)
        case "seed": options.seed = UInt64(try whole(0...1 << 53))
        case "concurrency": options.concurrency = try whole(1...512)
        case "retries": options.retries = try whole(0...100)
        case "cache":
            guard ["yes", "no"].contains(value) else { throw Problem(.invalid, "", "cache=\(value): use yes or no") }
            options.usesCache = value == "yes"
        case "name": options.name = value.replacing("_", with: " ")
        case "budget": try takeBudget(value)
        default: try takeParameter(name, value)
        }
    }

    /// Takes a budget: `$2`, `500requests`, `90s`, or `2000tokens`.
    private mutating func takeBudget(_ value: String) throws(Problem) {
        let units = ["requests", "tokens", "s"]
        let unit = units.first { value.hasSuffix($0) }
        let digits = value.hasPrefix("$") ? String(value.dropFirst()) : String(value.dropLast(unit?.count ?? 0))
        guard let number = Double(digits), number.isFinite, number > 0, number <= 1e15 else {
            throw Problem(.limit, "", "budget=\(value): use a limit such as $2, 500requests, 200000tokens, or 90s")
        }
        switch unit {
        case _ where value.hasPrefix("$"): options.budget.cost = number
        case "requests": options.budget.requests = max(1, Int(number))
        case "tokens": options.budget.tokens = max(1, Int(number))
        case "s": options.budget.seconds = number
        default: options.budget.cost = number
        }
    }

    private mutating func takeParameter(_ name: String, _ value: String) throws(Problem) {
        guard let parameter = EvalParameter.Name(rawValue: name) else {
            let names = Self.choices.map(\.name).joined(separator: ", ")
            throw Problem(.unknown, "", "unknown setting \(name)", remedy: "Settings: \(names).")
        }
        let isWhole = parameter == .maximumTokens || parameter == .seed
        var values: [Double] = []
        for text in value.split(separator: ",") {
            guard let number = Double(text), number.isFinite, number >= 0, number <= 9_007_199_254_740_992,
                !isWhole || number == number.rounded()
            else {
                throw Problem(.invalid, "", "\(name)=\(text): use \(isWhole ? "whole " : "")numbers of at least 0")
            }
            values.append(number)
        }
        guard !values.isEmpty else {
            throw Problem(.missing, "", "\(name) has no value", remedy: "Example: \(name)=0,0.7.")
        }
        parameters.append(EvalParameter(parameter, values))
    }

    package func setup(task: String, model: String) -> EvalSetup {
        EvalSetup(
            task: task, models: model.isEmpty ? [] : [model], judge: judge, embedder: embedder,
            prompts: prompts, fewShot: fewShot, parameters: parameters, options: options)
    }

    /// A setting of a run other than task and model.
    package struct Choosable: Sendable {
        package var name: String
        /// The default in a few words.
        package var standard: String
        package var values: [String] = []
        package var allowed = ""
        package var help: String
    }

    private static let standard = EvalOptions()

    /// Everything that can be chosen, the usual first.
    package static let choices = common + parameters

    private static let common: [Choosable] = [
        Choosable(
            name: "limit", standard: "all samples", allowed: "1 or more", help: "Run only the first N samples."),
        Choosable(
            name: "epochs", standard: "from the task", allowed: "1 to 10,000", help: "Number of attempts per sample."),
        Choosable(
            name: "budget", standard: "none", allowed: "$2, 500requests, 90s",
            help: "Stop the run at this cost, count, or time."),
        Choosable(
            name: "concurrency", standard: "\(standard.concurrency)", allowed: "1 to 512",
            help: "Maximum number of samples in flight."),
        Choosable(
            name: "judge", standard: "from the task", allowed: "a model", help: "Model that grades answers."),
        Choosable(
            name: "cache", standard: standard.usesCache ? "yes" : "no", values: ["", "yes", "no"],
            help: "Reuse cached answers to identical requests."),
        Choosable(
            name: "few_shot", standard: "from the task", allowed: "0 to 1,000", help: "Examples before each question."),
        Choosable(
            name: "seed", standard: "\(standard.seed)", allowed: "0 or more",
            help: "Seed for sampling and for choosing examples."),
        Choosable(
            name: "retries", standard: "\(standard.retries)", allowed: "0 to 100",
            help: "Retries after a failed request."),
        Choosable(
            name: "prompt", standard: "from the task", allowed: "names: v1,v2",
            help: "Prompt versions of the task."),
        Choosable(
            name: "embedder", standard: "from the task", allowed: "a model", help: "Encoder for similarity scorers."
        ),
        Choosable(name: "name", standard: "task and model", allowed: "text", help: "Name of the run."),
    ]

    private static let parameters = EvalParameter.Name.allCases.filter { $0 != .seed }.map {
        Choosable(
            name: $0.rawValue, standard: "from the task", allowed: "numbers: 0,0.7",
            help: "Multiple values create a matrix of runs.")
    }

    /// Returns the error in a value; `nil` if the value is valid.
    package static func problem(_ name: String, _ value: String) -> String? {
        guard !value.isEmpty else { return nil }
        do throws(Problem) { _ = try EvalStartWords("\(name)=\(value.replacing(" ", with: "_"))") } catch {
            return error.sentence
        }
        return nil
    }
}
