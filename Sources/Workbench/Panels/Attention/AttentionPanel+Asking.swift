internal import Console
internal import Formatting

/// Questions to the user: texts to read, and the token whose rank the lens shows.
extension AttentionPanel {
    /// Asks for the text that the model reads.
    func askText() -> [Effect<AttentionAnswer>] {
        [.fill(FormRequest(text: "Text for the model", verb: "read", order.text ?? "") { .line(.prompt, $0) })]
    }

    /// Asks for the text to compare with; the model stays.
    func askOtherText() -> [Effect<AttentionAnswer>] {
        let text = order.text ?? run?.tokens.joined() ?? ""
        return [.fill(FormRequest(text: "Compare with another text", verb: "compare", text) { .line(.other, $0) })]
    }

    /// Asks for the token whose rank the lens shows: the token that follows, a token that the model found likely at the
    /// cursor, a token of the text, or any token by its text.
    func askTarget() -> [Effect<AttentionAnswer>] {
        let next = Choice(
            "the next token", detail: "At each position, the token that follows.", isCurrent: request.target == nil,
            value: "")
        var seen: Set<String> = []
        var tokens: [Choice<String>] = []
        for other in look?.facts?.alternatives ?? [] where seen.insert(other.text).inserted {
            tokens.append(target(other.text, facts: [Format.probability(Double(other.probability))]))
        }
        for text in shownRun?.tokens ?? [] where seen.insert(text).inserted {
            tokens.append(target(text, facts: ["in the text"]))
        }
        return [
            .choose(
                ChoiceRequest(
                    "Rank of", [next] + tokens, typed: "Show the rank of", cancelled: .lineCancelled(.target)
                ) { .line(.target, $0) })
        ]
    }

    private func target(_ text: String, facts: [String]) -> Choice<String> {
        Choice(AlternativesTable.visible(text), facts: facts, isCurrent: request.target == text, value: text)
    }
}
