internal import Glibc
internal import LanguageModels

extension Generation {
    /// Returns why the generation has no text, as a clause without a period; `nil` if it has text or tool calls, while
    /// it runs, or after it failed.
    ///
    /// `the model ended its reply at once: <|endoftext|> was the most likely token, p 97.45 %`
    ///
    /// - Parameter probability: Formats a probability.
    public func silence(_ probability: (Double) -> String) -> String? {
        guard outcome.state == .done || outcome.state == .recorded, toolCalls.isEmpty else { return nil }
        guard text.allSatisfy(\.isWhitespace) else { return nil }
        if outcome.finish == ModelResponse.FinishReason.cancelled.name {
            return "the generation was canceled before its first word"
        }
        if outcome.state == .recorded, steps.isEmpty, reasoning.isEmpty { return "no text of the reply was recorded" }
        if !reasoning.isEmpty { return "the model wrote only its reasoning and no reply (\(outcome.finish))" }
        if !text.isEmpty { return "the model wrote only whitespace (\(outcome.finish))" }
        switch outcome.finish {
        case ModelResponse.FinishReason.stop.name: return silenceOfStop(probability)
        case ModelResponse.FinishReason.length.name:
            return steps.isEmpty
                ? "the prompt leaves no room for a reply in the model's context"
                : "the token limit was reached before the first whole character"
        case "": return "the provider returned no text"
        default: return "the provider returned no text (\(outcome.finish))"
        }
    }

    /// Explains a generation that ended, or reached a stop text, before any visible text.
    private func silenceOfStop(_ probability: (Double) -> String) -> String {
        guard let end = steps.last else { return "the provider returned no text (stop)" }
        guard steps.count == 1 else { return "the reply began with a stop string" }
        let name = end.alternatives?.first { $0.isSame(as: end) }?.text
        if let name, document.sampling.stop.contains(where: { name.contains($0) }) {
            return "the reply began with a stop string"
        }
        guard let log = end.logProbability else { return "the model ended its reply at once" }
        let isLikeliest = end.alternatives?.first.map { $0.isSame(as: end) } ?? (exp(log) > 0.5)
        let token = name.map { $0.isEmpty ? "end-of-text" : $0 } ?? "end-of-text"
        let likelihood = isLikeliest ? "was the most likely token" : "was drawn"
        return "the model ended its reply at once: \(token) \(likelihood), p \(probability(exp(log)))"
    }
}
