internal import LanguageModels
internal import System

/// Builds a response from its pieces, and reports each piece as it arrives.
struct AnswerBuilder {
    private let clock: Clock
    private let start: Double
    private var last: Double
    private var secondsToFirst: Double?
    private var parts: [Message.Part] = []
    /// The part that grows, apart from the others so that it is not copied with every piece.
    private var growing = ""
    private var growsReasoning = false
    /// Pieces of text that came.
    private(set) var pieces = 0
    /// Bytes of text and thoughts that came.
    private(set) var bytes = 0
    private(set) var hasToolCalls = false

    /// Begins at the request.
    init(clock: Clock) {
        self.clock = clock
        start = clock.seconds()
        last = start
    }

    /// Notes that something of the answer has come.
    mutating func arrived() {
        if secondsToFirst == nil { secondsToFirst = clock.seconds() - start }
    }

    mutating func token(_ step: TokenStep, _ receive: (ModelEvent) -> Void) {
        arrived()
        var step = step
        let now = clock.seconds()
        step.seconds = now - last
        last = now
        pieces += 1
        bytes += step.text.utf8.count
        if growsReasoning { endGrowing() }
        growing += step.text
        receive(.token(step))
    }

    mutating func reasoning(_ text: String, _ receive: (ModelEvent) -> Void) {
        guard !text.isEmpty else { return }
        arrived()
        if !growsReasoning { endGrowing() }
        growsReasoning = true
        growing += text
        bytes += text.utf8.count
        receive(.reasoning(text))
    }

    mutating func toolCall(_ call: ToolCall, _ receive: (ModelEvent) -> Void) {
        arrived()
        hasToolCalls = true
        endGrowing()
        parts.append(.toolCall(call))
        receive(.toolCall(call))
    }

    /// Adds a part that is stored but not reported: the signature of a thinking block.
    mutating func part(_ part: Message.Part) {
        endGrowing()
        parts.append(part)
    }

    private mutating func endGrowing() {
        if !growing.isEmpty { parts.append(growsReasoning ? .reasoning(growing) : .text(growing)) }
        growing = ""
        growsReasoning = false
    }

    /// The whole answer, as far as it came.
    func response(
        finish: ModelResponse.FinishReason, usage: Usage?, model: String, retries: Int = 0
    ) -> ModelResponse {
        var whole = self
        whole.endGrowing()
        return ModelResponse(
            message: Message(.assistant, whole.parts), finish: finish, usage: usage, model: model,
            secondsToFirstToken: secondsToFirst, seconds: clock.seconds() - start, retries: retries)
    }
}
