public import LanguageModels

/// What came of asking a sample once: what scorers look at, and what the run keeps.
public struct Solution: Hashable, Sendable {
    /// The answer; several where a task repeats a request. Filters of the task have not been at them.
    public var answers: [String]
    /// One for each choice of a multiple choice, one for a likelihood or a rolling request.
    public var likelihoods: [Likelihood]
    /// The same without the context, where that was asked for.
    public var alone: [Likelihood]
    /// Passages that were found, best first.
    public var passages: [SolutionPassage]
    /// What was done, in order.
    public var steps: [SolutionStep]
    /// Usage of all calls together; `nil` if none was reported.
    public var usage: Usage?
    /// From the first request to the end of the last.
    public var seconds: Double
    /// How often something was asked again after a failure.
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
        /// Who runs the model: `openai`, `anthropic`, `in-process`, `exec`.
        public var provider: String
        /// As it was asked by; what it calls itself stands in the response.
        public var model: String
        /// What opens the model again: a path or what a command line takes.
        public var specification: String?
        /// What it was asked.
        public var request: ModelRequest
        /// Response; `nil` if there was none.
        public var response: ModelResponse?
        /// How probable a given text was, where that was asked; nil of a generation.
        public var likelihood: Likelihood?
        /// Why nothing came back.
        public var problem: String?
        /// Whose call it was: nil is the sample's own, `judge` a scorer's.
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
        /// Why the search failed; `nil` if it succeeded.
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
