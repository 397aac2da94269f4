internal import LanguageModels

/// What a model reads: it grows by turns and observations.
struct Dialogue {
    /// How a model is spoken to.
    enum Form {
        case text, messages, tools
    }

    /// One text of the form that orrery-mini is trained on.
    private var text = ""
    private var messages: [Message] = []
    private let tools: [ToolDefinition]
    let form: Form

    init(_ form: Form, question: String, documents: [String], tools: ToolBox) {
        self.form = form
        self.tools = form == .tools ? tools.definitions : []
        let given = documents.map { "Document: \($0.onOneLine)\n" }.joined()
        switch form {
        case .text:
            text = given + (tools.isEmpty ? "" : "Tools: \(tools.signatures)\n") + "Question: \(question.onOneLine)\n"
        case .messages, .tools:
            let instructions = form == .tools ? Self.plainInstructions : Self.instructions(tools)
            messages = [
                Message(.system, [.text(instructions)]),
                Message(.user, [.text(given + (given.isEmpty ? "" : "\n") + question)]),
            ]
        }
    }

    var input: ModelRequest.Input {
        switch form {
        case .text: .text(text)
        case .messages, .tools: .messages(messages, tools: tools)
        }
    }

    /// Where a turn ends: what follows is for the loop to say.
    var stop: [String] { form == .tools ? [] : ["\nObservation:"] }

    /// Adds a turn in the text form, and what is observed after it.
    mutating func add(turn: String, observation: AgentObservation) {
        switch form {
        case .text:
            var end = turn[...]
            while end.last?.isNewline == true { end.removeLast() }
            text += "\(end)\(end.isEmpty ? "" : "\n")Observation: \(observation.text.onOneLine)\n"
        case .messages, .tools:
            // Some endpoints refuse a message without text.
            messages.append(Message(.assistant, [.text(turn.isEmpty ? "(nothing)" : turn)]))
            messages.append(Message(.user, [.text("Observation: \(observation.text.onOneLine)")]))
        }
    }

    /// Adds a turn with the model's own tool calls, and a result for every one.
    mutating func add(answer: Message, results: [ToolResult]) {
        messages.append(answer)
        for result in results { messages.append(Message(.tool, [.toolResult(result)])) }
    }

    private static let plainInstructions = """
        Answer the question. Call tools where they help, one step at a time, and never guess what a tool would say. \
        When you know the answer, write it alone, without explanation. If neither the question nor a tool gives the \
        answer, write: I do not know.
        """

    private static func instructions(_ tools: ToolBox) -> String {
        guard !tools.isEmpty else {
            return """
                Answer the question in this form and no other:
                Thought: one sentence
                Answer: the answer alone, without explanation
                """
        }
        let list = tools.definitions.map { "- \($0.name): \($0.description) Arguments: \($0.parameters)" }
        return """
            Answer the question step by step with these tools:
            \(list.joined(separator: "\n"))
            The tools are \(tools.signatures).

            Each of your turns has one of two forms and nothing else. To use a tool:
            Thought: one sentence
            Action: {"tool": "calculator", "arguments": {"expression": "12 * 7"}}
            Stop there: the next message contains the observation. When you know the answer:
            Thought: one sentence
            Answer: the answer alone, without explanation
            If neither the question nor an observation gives the answer:
            Answer: I do not know
            """
    }
}
