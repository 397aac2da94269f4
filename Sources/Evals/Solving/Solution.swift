public import LanguageModels

/// The result of one attempt at a sample, which scorers judge and the run stores.
public struct Solution: Hashable, Sendable {
    /// Answer before the task's filters; several if a task repeats a request.
    public var answers: [String]
    /// One likelihood per choice of a multiple choice, a single one for a likelihood or a rolling request.
    public var likelihoods: [Likelihood]
    /// Likelihoods without the context, if requested.
    public var alone: [Likelihood]
    /// Passages found, best first.
    public var passages: [SolutionPassage]
    /// Steps in order.
    public var steps: [SolutionStep]
    /// Usage of all calls together; `nil` if none was reported.
    public var usage: Usage?
    /// Seconds from the start of the first request to the end of the last.
    public var seconds: Double
    /// Number of retries after failures.
    public var retries: Int
    /// Standard error of a user's program.
    public var standardError: String?

    public init(
        answers: [String] = [], likelihoods: [Likelihood] = [], alone: [Likelihood] = [],
        passages: [SolutionPassage] = [], steps: [SolutionStep] = [], usage: Usage? = nil, seconds: Double = 0,
        retries: Int = 0, standardError: String? = nil
    ) {
        self.answers = answers
        self.likelihoods = likelihoods
        self.alone = alone
        self.passages = passages
        self.steps = steps
        self.usage = usage
        self.seconds = seconds
        self.retries = retries
        self.standardError = standardError
    }

    /// The first answer, or an empty string.
    public var answer: String { answers.first ?? "" }
}

/// A passage found by a search.
public struct SolutionPassage: Hashable, Sendable {
    /// Name of the document in its corpus.
    public var document: String
    /// The passage's row in the workspace; `nil` if it has none.
    public var chunk: Int64?
    public var text: String
    /// Score on the scale of the pipeline; higher is better.
    public var score: Double
    /// Whether the passage was in the model's context.
    public var isInContext: Bool

    public init(document: String, chunk: Int64? = nil, text: String, score: Double, isInContext: Bool = true) {
        self.document = document
        self.chunk = chunk
        self.text = text
        self.score = score
        self.isInContext = isInContext
    }
}

/// A step of the work on a sample, with all data for its trace.
public enum SolutionStep: Hashable, Sendable {
    case model(CallRecord)
    case tool(ToolRun)
    case search(SearchRecord)

    /// A model call. A likelihood is recorded as a call with an empty answer and `likelihood` set.
    public struct CallRecord: Hashable, Sendable {
        /// Provider: `openai`, `anthropic`, `in-process`, `exec`.
        public var provider: String
        /// Name in the request; the response has the name that the model reports.
        public var model: String
        /// Specification that opens the model again: a path or a command line word.
        public var specification: String?
        /// Request to the model.
        public var request: ModelRequest
        /// Response; `nil` if there was none.
        public var response: ModelResponse?
        /// Likelihood of a given text, if requested; `nil` for a generation.
        public var likelihood: Likelihood?
        /// Reason for a missing response.
        public var problem: String?
        /// Purpose of the call: `nil` for the sample itself, `judge` for a scorer.
        public var purpose: String?
        /// Start in nanoseconds since 1970.
        public var start: Int64
        public var end: Int64
        /// Tokens of the answer with their probabilities, if requested.
        public var answered: [TokenStep]

        public init(
            provider: String, model: String, specification: String? = nil, request: ModelRequest,
            response: ModelResponse?, likelihood: Likelihood? = nil, problem: String? = nil, purpose: String? = nil,
            start: Int64, end: Int64, answered: [TokenStep] = []
        ) {
            self.provider = provider
            self.model = model
            self.specification = specification
            self.request = request
            self.response = response
            self.likelihood = likelihood
            self.problem = problem
            self.purpose = purpose
            self.start = start
            self.end = end
            self.answered = answered
        }
    }

    /// A search in a corpus.
    public struct SearchRecord: Hashable, Sendable {
        /// Names of corpus and pipeline in the workspace.
        public var corpus: String
        public var pipeline: String
        public var question: String
        /// Passages, best first.
        public var passages: [SolutionPassage]
        /// Start in nanoseconds since 1970.
        public var start: Int64
        public var end: Int64
        /// Reason why the search failed; `nil` if it succeeded.
        public var problem: String?

        public init(
            corpus: String, pipeline: String, question: String, passages: [SolutionPassage], start: Int64, end: Int64,
            problem: String? = nil
        ) {
            self.corpus = corpus
            self.pipeline = pipeline
            self.question = question
            self.passages = passages
            self.start = start
            self.end = end
            self.problem = problem
        }
    }
}
