public import LanguageModels

/// The result of one attempt at a sample, which scorers judge and the run stores.
public struct Solution: Hashable, Sendable {
    /// The answer; several where a task repeats a request. Filters of the task have not been at them.
    public var answers: [String]
    /// One for each choice of a multiple choice, one for a likelihood or a rolling request.
    public var likelihoods: [Likelihood]
    /// Likelihoods without the context, if requested.
    public var alone: [Likelihood]
    /// Passages that were found, best first.
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

    /// The first answer, or nothing.
    public var answer: String { answers.first ?? "" }
}

/// A passage that a search found.
public struct SolutionPassage: Hashable, Sendable {
    /// The document's name in its corpus.
    public var document: String
    /// The passage's row in the workspace; `nil` if it has none.
    public var chunk: Int64?
    public var text: String
    /// Higher is nearer; on the scale of the pipeline that found it.
    public var score: Double
    /// Whether it was put before the model.
    public var isInContext: Bool

    public init(document: String, chunk: Int64? = nil, text: String, score: Double, isInContext: Bool = true) {
        self.document = document
        self.chunk = chunk
        self.text = text
        self.score = score
        self.isInContext = isInContext
    }
}

/// One thing that was done for a sample, whole: what its trace is made of.
public enum SolutionStep: Hashable, Sendable {
    case model(CallRecord)
    case tool(ToolRun)
    case search(SearchRecord)

    /// A model call. A likelihood is recorded as a call with an empty answer and `likelihood` set.
    public struct CallRecord: Hashable, Sendable {
        /// Provider: `openai`, `anthropic`, `in-process`, `exec`.
        public var provider: String
        /// As it was asked by; what it calls itself stands in the response.
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
        /// Nanoseconds since 1970.
        public var start: Int64
        public var end: Int64
        /// The answer's tokens with their probabilities, where they were asked for.
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
        /// The names of corpus and pipeline in the workspace.
        public var corpus: String
        public var pipeline: String
        public var question: String
        /// Best first.
        public var passages: [SolutionPassage]
        /// Nanoseconds since 1970.
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
