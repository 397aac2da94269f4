internal import JSON

/// A question that is answered with tools, step by step, with what the tools know.
public struct Episode: Hashable, Sendable {
    /// What an episode asks for.
    public enum Kind: String, CaseIterable, Sendable {
        /// One calculation.
        case calculate
        /// One entry of the table.
        case lookup
        /// One document that is searched for.
        case search
        /// The table has no entry; the documents tell.
        case fallback
        /// A search, then a look-up of what was found.
        case chain
        /// Two look-ups and a calculation.
        case total
        /// Documents in the prompt tell; no tool is needed.
        case read
        /// Documents in the prompt tell two numbers; one calculation.
        case readTotal = "read-total"
        /// A first action that fails, and its repair.
        case repair
    }

    public struct Step: Hashable, Sendable {
        public var thought: String
        public var tool: String
        public var argument: String
        public var value: String
        public var observation: String
        /// An action that a model shall not learn, only what to do after it.
        public var isMistake = false

        /// `{"tool": "calculator", "arguments": {"expression": "12 * 7"}}`
        public var action: String {
            "{\"tool\": \(Self.quoted(tool)), \"arguments\": {\(Self.quoted(argument)): \(Self.quoted(value))}}"
        }

        private static func quoted(_ text: String) -> String {
            var json = JSONWriter()
            json.string(text)
            return json.text
        }
    }

    /// The line that tells a model its tools.
    public static let tools = "Tools: calculator(expression), lookup(key), search(query)\n"

    public var kind: Kind
    /// Documents of the prompt.
    public var documents: [String] = []
    public var question: String
    public var steps: [Step] = []
    public var thought: String
    public var answer: String
    public var world = EpisodeWorld()

    /// What a model is given: it goes on from here.
    public var prompt: String {
        documents.map { "Document: \($0)\n" }.joined() + Self.tools + "Question: \(question)\n"
    }

    func document(_ weights: LossWeights) -> SyntheticDocument {
        var segments = documents.map { SyntheticDocument.Segment("Document: \($0)\n", weight: weights.prompt) }
        segments.append(.init(Self.tools, weight: 0))
        segments.append(.init("Question: \(question)\n", weight: weights.prompt))
        for step in steps {
            segments.append(.init("Thought: \(step.thought)\n", weight: weights.answer))
            segments.append(.init("Action: \(step.action)\n", weight: step.isMistake ? 0 : weights.answer))
            segments.append(.init("Observation:", weight: weights.answer))
            segments.append(.init(" \(step.observation)\n", weight: weights.observation))
        }
        segments.append(.init("Thought: \(thought)\nAnswer: \(answer)\n", weight: weights.answer))
        let template = TextHash.mixed(TextHash.of(kind.rawValue.utf8))
        return SyntheticDocument(segments: segments, template: template)
    }
}
