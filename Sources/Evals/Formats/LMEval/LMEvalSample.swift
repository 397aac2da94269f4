internal import JSON
internal import LanguageModels
internal import System
internal import Tokenizers

/// Makes the samples of a task.
struct LMEvalSample {
    private let task: LMEvalDefinition
    /// Whether targets are lists, as in the first row.
    private let isMultiple: Bool
    private let sampling: Sampling
    private let alone: Bool

    init(_ task: LMEvalDefinition, isMultiple: Bool) {
        self.task = task
        self.isMultiple = isMultiple
        let options = task.generation
        let until = options?["until"]
        // The defaults of the harness's `local-completions`: greedy, its seed, its answer length.
        sampling = Sampling(
            temperature: options?["temperature"]?.double ?? 0, topK: options?["top_k"]?.int,
            topP: options?["top_p"]?.double, minP: options?["min_p"]?.double,
            repetitionPenalty: options?["repetition_penalty"]?.double,
            presencePenalty: options?["presence_penalty"]?.double,
            frequencyPenalty: options?["frequency_penalty"]?.double,
            stop: until?.string.map { [$0] } ?? until?.elements?.compactMap(\.string) ?? [], seed: 1234,
            maximumTokens: options?["max_tokens"]?.int ?? options?["max_gen_toks"]?.int ?? 256)
        alone = task.metrics.contains { $0.name == "acc_mutual_info" }
    }

    func sample(_ index: Int, _ row: JSONValue, _ prompt: inout LMEvalPrompt) throws(Problem) -> TaskSample {
        let context = try prompt.context(row)
        let target = try prompt.own.target(row)
        let choices = try prompt.own.choices(row)
        let node = prompt.own.target?.node
        func text() throws(Problem) -> String {
            guard let text = target.string else {
                let problem = "the target of row \(index) must be a string, not \(PythonLiteral.printed(target))"
                throw node?.error(problem) ?? Problem(.failed, task.path, problem)
            }
            return text
        }
        let request: EvalRequest
        switch task.output {
        case .generation: request = .generation(ModelRequest(.text(context), sampling: sampling))
        case .likelihood: request = .likelihood(context: context, continuation: try text())
        case .rolling: request = .rolling(try text())
        case .choice:
            request = .choice(
                context: context, continuations: choices.map { task.targetDelimiter + $0 }, alone: alone)
        }
        let gold = LMEvalGold(target, choices: choices, isMultiple: isMultiple, output: task.output)
        var sample = TaskSample(
            id: String(index), request: request, targets: gold.texts, choices: choices,
            rightChoice: gold.places.first.flatMap { choices.indices.contains($0) ? $0 : nil }, fields: row)
        sample.repeats = task.repeats
        sample.details = .object([
            .init(key: "target", value: target), .init(key: "multiple", value: .bool(isMultiple)),
            .init(key: "generation", value: task.generation ?? .null),
        ])
        return sample
    }
}

/// The correct answer: indices of choices, or texts.
struct LMEvalGold {
    /// Indices of the correct choices; -100 if the target is not one of the choices.
    var places: [Int] = []
    var texts: [String] = []

    init(_ target: JSONValue, choices: [String], isMultiple: Bool, output: LMEvalDefinition.Output) {
        if output == .choice {
            let elements = target.elements ?? [target]
            places = elements.map { element in
                if let place = element.int ?? element.bool.map({ $0 ? 1 : 0 }) {
                    return place < choices.count ? place : -100
                }
                return element.string.flatMap { choices.firstIndex(of: $0) } ?? -100
            }
            texts = places.compactMap { choices.indices.contains($0) ? choices[$0] : nil }
        } else if !choices.isEmpty, let place = target.int {
            let place = place < 0 ? choices.count + place : place
            texts = choices.indices.contains(place) ? [choices[place]] : []
        } else if isMultiple {
            // A single text among lists is split into its characters, as in the harness.
            texts = AnswerFilters.elements(target).map { PythonLiteral.printed($0) }
        } else {
            texts = [PythonLiteral.printed(target)]
        }
    }
}
