internal import Glibc
internal import LanguageModels
internal import System
internal import Tokenizers

/// One answer while it grows: the completion, the text that its tokens make, and whether it is over.
struct Continuation {
    let completion: Completion
    let options: GenerationOptions
    let texts: any TokenTexts
    private(set) var history: TokenHistory
    private(set) var finish: ModelResponse.FinishReason?
    private var stream: any TokenTextStream
    private var stops: StopTexts
    private let endTokens: Set<TokenID>
    private let start: Double
    private var last: Double
    private var first: Double?
    private var text = ""
    private var tail = ""
    private let inputCount: Int
    /// Tokens that were read when it began.
    private var cachedCount: Int
    /// Tokens that this answer may have.
    private let most: Int

    /// Tokens whose text the first token of an answer may depend on.
    private static let contextOfText = 8

    init(
        _ completion: Completion, _ options: GenerationOptions, _ texts: any TokenTexts, contextLength: Int,
        start: Double
    ) {
        self.completion = completion
        self.options = options
        self.texts = texts
        self.start = start
        last = start
        inputCount = completion.tokens.count
        cachedCount = completion.cache.length
        endTokens = options.endTokens ?? texts.endOfGeneration
        history = TokenHistory(prompt: completion.tokens[..<completion.promptCount], answer: completion.answer)
        stream = texts.stream()
        // The text of a token may start inside a character, or lose a space at the start of a text: decode it in context.
        for id in completion.tokens.suffix(Self.contextOfText) { _ = stream.append(id) }
        stops = StopTexts(options.stop)
        most = min(options.maximumTokens ?? .max, contextLength - inputCount)
        if most <= 0 { finish = .length }
    }

    /// Tokens of this answer so far.
    private var count: Int { completion.tokens.count - inputCount }

    /// Takes over the state of a generation that has read the same text.
    mutating func adopt(_ twin: Completion) {
        completion.adopt(twin)
        cachedCount = max(cachedCount, completion.cache.length)
    }

    /// Ends the generation before its next token.
    mutating func end(_ reason: ModelResponse.FinishReason) {
        guard finish == nil else { return }
        finish = reason
        last = Clock.now(.monotonic)
        tail = flush()
        text += tail
    }

    /// Adds one token.
    mutating func accept(_ choice: TokenChooser.Choice) -> TokenStep {
        completion.tokens.append(choice.id)
        history.append(choice.id)
        var piece = ""
        if endTokens.contains(choice.id) {
            finish = .stop
            piece = flush()
        } else {
            piece = stops.append(stream.append(choice.id))
            if stops.isStopped {
                finish = .stop
            } else if count >= most {
                finish = .length
                piece += flush()
            }
        }
        text += piece
        let now = Clock.now(.monotonic)
        let step = TokenStep(
            text: piece, id: Int(choice.id), logProbability: choice.logProbability, entropy: choice.entropy,
            seconds: now - last, alternatives: options.alternatives > 0 ? choice.alternatives.map(alternative) : nil,
            stages: options.showsStages ? choice.stages : nil)
        first = first ?? now
        last = now
        completion.steps.append(step)
        return step
    }

    private func alternative(_ candidate: TokenChooser.Candidate) -> Alternative {
        Alternative(
            id: Int(candidate.id), text: texts.text(of: candidate.id), logProbability: candidate.logProbability,
            afterStages: candidate.afterStages)
    }

    /// Returns the pending bytes and texts at the end of the generation.
    private mutating func flush() -> String {
        let rest = stops.append(stream.finish())
        return rest + stops.finish()
    }

    var answer: Answer {
        Answer(
            finish: finish ?? .cancelled, text: text, tail: tail,
            usage: Usage(input: inputCount, cacheRead: min(cachedCount, inputCount), output: count),
            secondsToFirstToken: first.map { $0 - start }, seconds: last - start)
    }
}
