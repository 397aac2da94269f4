public import LanguageModels
internal import Synchronization
public import System

/// An answer that is known beforehand.
public struct ScriptedAnswer: Sendable {
    /// What comes, and how many seconds after what came before.
    public struct Step: Sendable {
        public var delay: Double
        public var event: ModelEvent

        public init(after delay: Double = 0, _ event: ModelEvent) {
            self.delay = delay
            self.event = event
        }
    }

    public var steps: [Step]
    public var finish: ModelResponse.FinishReason
    /// nil counts the tokens of the answer.
    public var usage: Usage?
    /// Thrown after the steps.
    public var error: LanguageModelError?

    public init(
        _ steps: [Step], finish: ModelResponse.FinishReason = .stop, usage: Usage? = nil,
        error: LanguageModelError? = nil
    ) {
        self.steps = steps
        self.finish = finish
        self.usage = usage
        self.error = error
    }

    /// A text, word by word: every step begins with the spaces before its word.
    ///
    /// - Parameters:
    ///   - first: seconds until the first word.
    ///   - delay: seconds between two words.
    public static func text(_ text: String, first: Double = 0, delay: Double = 0) -> ScriptedAnswer {
        var words: [String] = []
        var inWord = true
        for character in text {
            let isSpace = character.isWhitespace
            if words.isEmpty || (isSpace && inWord) { words.append("") }
            inWord = !isSpace
            words[words.count - 1].append(character)
        }
        return ScriptedAnswer(
            words.enumerated().map { index, word in
                Step(after: index == 0 ? first : delay, .token(TokenStep(text: word)))
            })
    }

    /// No answer but a failure.
    public static func failure(_ error: LanguageModelError) -> ScriptedAnswer { ScriptedAnswer([], error: error) }
}

/// A model that produces scripted events at scripted times, for tests and trials.
public final class ScriptedModel: LanguageModel {
    private struct State {
        var next = 0
        var requests: [ModelRequest] = []
    }

    public let name: String
    public let provider = "scripted"
    public let capabilities: ModelCapabilities
    private let answers: [ScriptedAnswer]
    private let repeats: Bool
    private let clock: Clock
    private let state = Mutex(State())

    /// - Parameters:
    ///   - repeats: after the last answer it begins again; otherwise one more request is an error.
    ///   - clock: what its delays pass on.
    public init(
        _ answers: [ScriptedAnswer], repeats: Bool = false, name: String = "scripted",
        capabilities: ModelCapabilities = ModelCapabilities(acceptsText: true, acceptsTools: true),
        clock: Clock = .system
    ) {
        self.answers = answers
        self.repeats = repeats
        self.name = name
        self.capabilities = capabilities
        self.clock = clock
    }

    /// What it was asked so far.
    public var requests: [ModelRequest] { state.withLock { $0.requests } }

    public func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        let turn = state.withLock { state in
            state.requests.append(request)
            state.next += 1
            return state.next - 1
        }
        guard !answers.isEmpty, repeats || turn < answers.count else {
            throw LanguageModelError(
                .local, model: "scripted",
                problem: "the script has no reply for request \(turn + 1) (replies: \(answers.count))")
        }
        let answer = answers[turn % answers.count]
        var builder = AnswerBuilder(clock: clock)
        func response(_ finish: ModelResponse.FinishReason) -> ModelResponse {
            let usage = answer.usage ?? Usage(output: builder.pieces)
            return builder.response(finish: finish, usage: usage, model: name)
        }
        for step in answer.steps {
            if step.delay > 0 { clock.sleep(step.delay, isCancelled) }
            if isCancelled() { return response(.cancelled) }
            if let most = request.sampling.maximumTokens, builder.pieces >= most { return response(.length) }
            builder.take(step.event, receive)
        }
        if let error = answer.error { throw error }
        return response(builder.hasToolCalls && answer.finish == .stop ? .toolCalls : answer.finish)
    }
}

extension AnswerBuilder {
    /// Adds an event of another model; its step gets a new time.
    mutating func take(_ event: ModelEvent, _ receive: (ModelEvent) -> Void) {
        switch event {
        case .prompt: receive(event)
        case .token(let step): token(step, receive)
        case .reasoning(let text): reasoning(text, receive)
        case .toolCall(let call): toolCall(call, receive)
        }
    }
}
