public import JSON
public import LanguageModels

/// The request of a sample.
public enum EvalRequest: Hashable, Sendable {
    /// An answer to a text or a conversation.
    case generation(ModelRequest)
    /// The probability of a text after another.
    case likelihood(context: String, continuation: String)
    /// The probability of a whole text.
    case rolling(String)
    /// The probability of each of several texts after another.
    ///
    /// - `continuations`: Choices with the delimiter after the question.
    /// - `alone`: Whether each choice is scored without the context too, for mutual information.
    case choice(context: String, continuations: [String], alone: Bool)
    /// A conversation with given user turns: each is sent after the answer to the previous one.
    case turns(system: String?, user: [String], sampling: Sampling)
    /// A question for a retrieval pipeline, and optionally for a model with the passages.
    case retrieval(RetrievalQuestion)
    /// A question for an agent.
    case agent(AgentQuestion)
    /// An object for a user's program.
    case program(JSONValue)
    /// No request: the answer is in the data.
    case recorded(RecordedAnswer)
}

/// A recorded answer with its confidence.
public struct RecordedAnswer: Hashable, Sendable {
    /// Question as text for people.
    public var question: String
    /// The whole answer.
    public var answer: String
    /// Confidence from 0 to 1; `nil` if not reported.
    public var confidence: Double?

    public init(question: String = "", answer: String, confidence: Double? = nil) {
        self.question = question
        self.answer = answer
        self.confidence = confidence
    }
}

/// A question for a retrieval pipeline of the workspace.
public struct RetrievalQuestion: Hashable, Sendable {
    public var question: String
    /// Name of the corpus in the workspace.
    public var corpus: String
    /// Pipeline of the workspace (default: the corpus's default).
    public var pipeline: String?
    /// Number of passages to retrieve.
    public var depth: Int
    /// Template of the model request, with `{context}` and `{question}`; `nil` for no model request.
    public var prompt: String?
    public var sampling: Sampling

    public init(
        question: String, corpus: String, pipeline: String? = nil, depth: Int = 10, prompt: String? = nil,
        sampling: Sampling = .greedy
    ) {
        self.question = question
        self.corpus = corpus
        self.pipeline = pipeline
        self.depth = depth
        self.prompt = prompt
        self.sampling = sampling
    }
}

/// A question for the agent of `Agents`.
public struct AgentQuestion: Hashable, Sendable {
    public var question: String
    /// Documents that the agent can search.
    public var documents: [String]
    /// Tools: `calculator`, `lookup`, `search`.
    public var tools: [String]
    /// Facts for `lookup`: keys and values.
    public var facts: [Fact]
    /// Maximum number of turns.
    public var maximumSteps: Int
    public var sampling: Sampling

    /// An answer of `lookup` for a key.
    public struct Fact: Hashable, Sendable {
        public var key: String
        public var value: String

        public init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    public init(
        question: String, documents: [String] = [], tools: [String] = ["calculator"], facts: [Fact] = [],
        maximumSteps: Int = 8, sampling: Sampling = .greedy
    ) {
        self.question = question
        self.documents = documents
        self.tools = tools
        self.facts = facts
        self.maximumSteps = maximumSteps
        self.sampling = sampling
    }
}
