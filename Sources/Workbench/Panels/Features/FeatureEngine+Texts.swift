internal import FeatureLab
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

    /// The text round an example, as the indexed texts have it.
    func text(of example: FeatureCard.Example, in dictionary: FeatureDictionary) throws -> FeaturePrompt {
        guard let position = example.position else { return FeaturePrompt(example.texts.joined()) }
        let context = try store.context(of: dictionary.id, around: position)
        var prompt = FeaturePrompt(try desk.model(of: dictionary).tokenizer.decode(context.tokens))
        prompt.tokens = context.tokens
        return prompt
    }

    /// A kept answer with its prompt, and the dictionary to look at it with: one of the model that answered, where there
    /// is one.
    ///
    /// - Throws: Where the answer is gone.
    func answer(
        _ id: Int64, step: Int?, among dictionaries: [FeatureDictionary], preferring shown: Int64?
    ) throws -> AnswerBox {
        guard let answer = try answers.generation(id) else { throw Problem.gone("answer \(id)") }
        let entry = try registry.entries().first {
            $0.file != nil && ($0.name == answer.document.model || $0.name == answer.model)
        }
        // A model may have been registered by another path than its dictionary, through a link.
        let path = ModelPath.absolute(entry?.specification ?? answer.document.model)
        let ofModel = dictionaries.filter { $0.modelPath.map(ModelPath.absolute) == path }
        let dictionary = ofModel.first { $0.id == shown } ?? ofModel.first
        var prompt = FeaturePrompt(answer.prompt.map(\.text).joined() + answer.steps.map(\.text).joined())
        let ids = answer.prompt.map(\.id) + answer.steps.compactMap(\.id)
        // Tokens mean something to the model alone that made them.
        if dictionary != nil, !answer.prompt.isEmpty, ids.count == answer.prompt.count + answer.steps.count {
            let tokens = ids.compactMap { TokenID(exactly: $0) }
            if tokens.count == ids.count {
                prompt.tokens = tokens
                prompt.answer = FeaturePrompt.KeptAnswer(
                    id: id, promptCount: answer.prompt.count, stepCount: answer.steps.count)
                return AnswerBox(
                    prompt: prompt, place: step.map { .token(answer.prompt.count + $0) }, dictionary: dictionary?.id)
            }
        }
        let before = (answer.prompt.map(\.text) + answer.steps.prefix(max(0, step ?? 0)).map(\.text)).joined()
        return AnswerBox(
            prompt: prompt, place: step.map { _ in .byte(before.utf8.count) }, dictionary: dictionary?.id ?? shown)
    }
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
