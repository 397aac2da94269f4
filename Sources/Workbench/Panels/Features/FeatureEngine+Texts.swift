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
    func carryOut(
        _ order: SteeringOrder, until cancellation: Cancellation, tell: (SteeringReading) -> Void
    ) throws {
        var pace = TellingPace()
        func follow(always: Bool) {
            if pace.isDue || always, let reading = desk.reading { tell(reading) }
        }
        let isCancelled = { cancellation.isCancelled }
        let run = try desk.run(order.prompt, with: order.dictionary) { try weights(of: order.dictionary) }
        try run.read(isCancelled: isCancelled) { _, _ in follow(always: false) }
        if order.changes.isEmpty {
            desk.dropPair()
            let written = run.snapshot.tokens.count - run.snapshot.promptCount
            var left = order.length.tokens(after: written)
            while left > 0, !cancellation.isCancelled, try run.step(isCancelled: isCancelled) != nil {
                left -= 1
                follow(always: false)
            }
        } else {
            let pair = try desk.pair(run, order.changes)
            try pair.read(isCancelled: isCancelled)
            let snapshot = pair.changed.snapshot
            var left = order.length.tokens(after: snapshot.tokens.count - snapshot.promptCount)
            while left > 0, !cancellation.isCancelled, try pair.step(isCancelled: isCancelled) != nil {
                left -= 1
                follow(always: false)
            }
        }
        follow(always: true)
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
        let entry = try registry.entries().first {
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

extension SteeringOrder.Length {
    func tokens(after written: Int) -> Int {
        switch self {
        case .upTo(let count): max(0, count - written)
        case .more(let count): count
        case .all: .max
        }
    }
}

/// Limits screen updates to 50 per second.
private struct TellingPace {
    private var last: ContinuousClock.Instant?

    var isDue: Bool {
        mutating get {
            let now = ContinuousClock.now
            if let last, now - last < .milliseconds(20) { return false }
            last = now
            return true
        }
    }
}
