internal import System

/// Requests about statements and their support, shared by the retrieval judges.
enum Statements {
    /// Returns the statements of a text, each understandable by itself.
    static func of(_ text: String, question: String, in room: ScoringRoom) throws(Problem) -> [String] {
        guard !text.trimmed.isEmpty else { return [] }
        let prompt = JudgePrompt(
            "statements",
            task: "Break the text, which answers the question, into statements that each say one thing and are "
                + "understandable alone, without pronouns. A text that claims nothing gives an empty list.",
            material: [("question", question), ("text", text)],
            form: "\"reason\": \"...\", \"statements\": [\"...\"]", seed: room.seed)
        return try room.ask(prompt).texts("statements")
    }

    /// Returns for each statement whether a text supports it.
    static func supported(
        _ statements: [String], by text: String, in room: ScoringRoom
    ) throws(Problem) -> [Bool] {
        guard !statements.isEmpty else { return [] }
        let prompt = JudgePrompt(
            "support",
            task: "For each of the \(statements.count) numbered statements, say whether it can be inferred directly "
                + "from the context: true or false, in their order.",
            material: [("context", text), ("statements", numbered(statements))],
            form: "\"reason\": \"...\", \"supported\": [true, false, ...]", seed: room.seed)
        return try room.ask(prompt).truths("supported", count: statements.count)
    }

    static func numbered(_ texts: [String]) -> String {
        texts.enumerated().map { "\($0 + 1). \($1.split(whereSeparator: \.isNewline).joined(separator: " "))" }
            .joined(separator: "\n")
    }
}
