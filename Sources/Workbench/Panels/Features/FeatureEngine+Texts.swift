internal import FeatureLab
internal import Formatting
internal import Interpretability
internal import LanguageModels
internal import ModelLab
internal import System
internal import Tokenizers
internal import Workspace

extension FeatureEngine {
    /// Reads a text and generates tokens, both without and with the changes.
    ///
    /// - Parameter tell: Called with the reading after each chunk and token, at most 50 times per second.
    func read(
        _ prompt: FeaturePrompt, with dictionary: FeatureDictionary, _ changes: FeatureChanges,
        _ length: SteeringLength, until cancellation: Cancellation, tell: (SteeringReading) -> Void
    ) throws {
        var pace = TellingPace(.milliseconds(20))
        let isCancelled = { cancellation.isCancelled }
        let run = try desk.run(prompt, with: dictionary) { try weights(of: dictionary) }
        try run.read(isCancelled: isCancelled) { _, _ in
            if pace.isDue, let reading = desk.reading { tell(reading) }
        }
        let pair = changes.isEmpty ? nil : try desk.pair(run, changes)
        if pair == nil { desk.dropPair() }
        try pair?.read(isCancelled: isCancelled)
        let snapshot = (pair?.changed ?? run).snapshot
        var left = length.tokens(after: snapshot.tokens.count - snapshot.promptCount)
        while left > 0, !cancellation.isCancelled {
            let isOver = try pair.map { try $0.step(isCancelled: isCancelled) == nil }
            guard try !(isOver ?? (run.step(isCancelled: isCancelled) == nil)) else { break }
            left -= 1
            if pace.isDue, let reading = desk.reading { tell(reading) }
        }
        if let reading = desk.reading { tell(reading) }
    }

    /// Returns the text around an example, as it was indexed.
    func text(of example: FeatureCard.Example, in dictionary: FeatureDictionary) throws -> FeaturePrompt {
        guard let position = example.position else { return FeaturePrompt(example.texts.joined()) }
        let context = try store.context(of: dictionary.id, around: position)
        var prompt = FeaturePrompt(try desk.model(of: dictionary).tokenizer.decode(context.tokens))
        prompt.tokens = context.tokens
        return prompt
    }

    /// Returns a recorded generation with its prompt and a dictionary: one of the model that generated it, if possible.
    ///
    /// - Parameter shown: The open dictionary.
    /// - Throws: `Problem` if the generation was deleted.
    func answer(_ id: Int64, step: Int?, preferring shown: Int64?) throws -> OpenedAnswer {
        guard let answer = try answers.generation(id) else { throw Problem.gone("answer \(id)") }
        let entry = try house.registry.entries().first {
            $0.file != nil && ($0.name == answer.document.model || $0.name == answer.model)
        }
        // The model and the dictionary may have different paths to one file, through a link.
        let path = ModelPath.absolute(entry?.specification ?? answer.document.model)
        let ofModel = try dictionaries().dictionaries.filter { $0.modelPath.map(ModelPath.absolute) == path }
        let dictionary = ofModel.first { $0.id == shown } ?? ofModel.first
        var prompt = FeaturePrompt(answer.prompt.map(\.text).joined() + answer.steps.map(\.text).joined())
        let ids = answer.prompt.map(\.id) + answer.steps.compactMap(\.id)
        // Tokens belong to the model that generated them.
        if dictionary != nil, !answer.prompt.isEmpty, ids.count == answer.prompt.count + answer.steps.count {
            let tokens = ids.compactMap { TokenID(exactly: $0) }
            if tokens.count == ids.count {
                prompt.tokens = tokens
                prompt.answer = FeaturePrompt.KeptAnswer(
                    id: id, promptCount: answer.prompt.count, stepCount: answer.steps.count)
                return OpenedAnswer(
                    prompt: prompt, place: step.map { .token(answer.prompt.count + $0) }, dictionary: dictionary?.id)
            }
        }
        let before = (answer.prompt.map(\.text) + answer.steps.prefix(max(0, step ?? 0)).map(\.text)).joined()
        return OpenedAnswer(
            prompt: prompt, place: step.map { _ in .byte(before.utf8.count) }, dictionary: dictionary?.id ?? shown)
    }

    // MARK: Previews

    /// Returns what the page shows of an object.
    ///
    /// - Throws: The error of opening it.
    func preview(of reference: Reference, preferring shown: Int64?) throws -> Preview {
        guard let number = reference.path.first else { return .unplaced }
        let dictionaries = try dictionaries().dictionaries
        guard reference.kind != .feature else {
            let name = dictionaries.first { $0.id == number }?.name
            return name.map { .shows("the feature's activations in \($0)") }
                ?? .nothing("the dictionary is no longer in the workspace")
        }
        guard let first = dictionaries.first else { return .nothing("the workspace has no feature dictionary") }
        let answer = try answer(number, step: nil, preferring: shown)
        let dictionary = dictionaries.first { $0.id == answer.dictionary } ?? first
        guard dictionary.modelPath != nil else { return .nothing("the model of \(dictionary.name) is unknown") }
        let what = answer.prompt.tokens.map { Format.count($0.count, "token") } ?? "its text"
        return .shows("features of \(dictionary.name) on \(what)")
    }
}

/// A recorded generation as a text.
struct OpenedAnswer: Sendable {
    var prompt: FeaturePrompt
    /// Position of the step that was opened.
    var place: FeaturePrompt.Place?
    /// Dictionary that fits the generation.
    var dictionary: Int64?
}

/// Number of tokens to generate.
enum SteeringLength: Hashable, Sendable {
    /// Until the generation has this many tokens.
    case upTo(Int)
    case more(Int)
    /// Until the text ends or the user stops it.
    case all

    func tokens(after count: Int) -> Int {
        switch self {
        case .upTo(let limit): max(0, limit - count)
        case .more(let count): count
        case .all: .max
        }
    }
}

/// Limits screen updates.
struct TellingPace {
    private let interval: Duration
    private var last: ContinuousClock.Instant?

    init(_ interval: Duration) { self.interval = interval }

    /// Whether the interval has passed since the last update, which then starts again.
    var isDue: Bool {
        mutating get {
            let now = ContinuousClock.now
            if let last, now - last < interval { return false }
            last = now
            return true
        }
    }
}
