/// What an endpoint was found to take: learned from its refusals and remembered as long as the model lives.
struct OpenAIDialect: Hashable, Sendable {
    /// The name of the parameter that limits an answer: OpenAI's newer models refuse the old one, and most other
    /// servers ignore the new one.
    enum TokenLimit: String, Sendable {
        case old = "max_tokens"
        case new = "max_completion_tokens"

        var other: TokenLimit { self == .old ? .new : .old }
    }

    var tokenLimit: TokenLimit
    /// Whether streams report usage on request.
    var takesStreamOptions = true
    /// Maximum number of alternatives in chat completions; `nil` if not even the token's own probability is available.
    var chatAlternatives: Int? = 20
    /// The same of plain completions.
    var textAlternatives: Int? = 20

    init(_ preset: Endpoint.Preset?) { tokenLimit = preset == .openAI ? .new : .old }

    /// What a request had that may be done without.
    struct Trial {
        var isChat: Bool
        var hasTokenLimit: Bool
        var alternatives: Int
        var streams: Bool
        var triedOtherLimit = false
    }

    /// Changes what a refusal complains about.
    ///
    /// - Returns: whether the request is worth another try.
    mutating func learn(from refusal: Refusal, _ trial: inout Trial) -> Bool {
        guard [400, 404, 422, 500, 501].contains(refusal.status) else { return false }
        if trial.streams, takesStreamOptions, refusal.mentions("stream_options", "include_usage") {
            takesStreamOptions = false
            return true
        }
        if trial.alternatives > 0, refusal.mentions("logprob", "log prob"), learnAlternatives(trial) { return true }
        let isUnknown = refusal.mentions(
            "unsupported", "not supported", "unrecognized", "unknown", "extra", "not permitted", "unexpected",
            "not allowed")
        if trial.isChat, trial.hasTokenLimit, !trial.triedOtherLimit, isUnknown, refusal.mentions(tokenLimit.rawValue) {
            trial.triedOtherLimit = true
            tokenLimit = tokenLimit.other
            return true
        }
        return false
    }

    /// 20, then 5 where more were wanted, then none.
    private mutating func learnAlternatives(_ trial: Trial) -> Bool {
        let most = trial.isChat ? chatAlternatives : textAlternatives
        guard let most else { return false }
        let fewer = min(most, trial.alternatives) > 5 ? 5 : nil
        if trial.isChat { chatAlternatives = fewer } else { textAlternatives = fewer }
        return true
    }
}
