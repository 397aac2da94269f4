public import LanguageModels

/// All that a log holds of one sample.
public struct EvalSampleRecord: Hashable, Sendable {
    public var row: EvalRow
    /// What the model read and said, in order.
    public var messages: [Message]
    /// What was asked, whole.
    public var input: String
    /// Full generation; `nil` if there is none.
    public var answer: String?
    public var targets: [String]
    public var choices: [String]
    public var scores: [EvalScore]
    /// Other data of the sample in the log, as JSON text; `nil` if there is none.
    public var metadata: String?
    /// What was done for it, in order: calls of models, tools, searches.
    public var steps: [EvalStep]
    /// Step at which the sample failed, if it failed and the step is known.
    public var failingStep: Int?
    /// The trace of this workspace that shows the sample, by its external id; `nil` until it is made.
    public var trace: String?
    /// Output on stderr of a program supplied by the user.
    public var standardError: String?

    public init(
        row: EvalRow, messages: [Message] = [], input: String, answer: String? = nil, targets: [String] = [],
        choices: [String] = [], scores: [EvalScore] = [], metadata: String? = nil, steps: [EvalStep] = [],
        failingStep: Int? = nil, trace: String? = nil, standardError: String? = nil
    ) {
        self.row = row
        self.messages = messages
        self.input = input
        self.answer = answer
        self.targets = targets
        self.choices = choices
        self.scores = scores
        self.metadata = metadata
        self.steps = steps
        self.failingStep = failingStep
        self.trace = trace
        self.standardError = standardError
    }
}

extension EvalRow {
    /// Returns the step at which the sample failed: the first with a problem, or the last model call; `nil` if the
    /// sample did not fail.
    package func failingStep(among steps: [EvalStep]) -> Int? {
        let problem = steps.firstIndex { $0.problem != nil }
        switch outcome {
        case .failed, .error: return problem ?? steps.lastIndex { $0.kind == .model }
        case .unscored: return problem
        case .passed, .scored: return nil
        }
    }
}

/// One score of one sample.
public struct EvalScore: Hashable, Sendable {
    public var name: String
    /// Value; `nil` if it could not be computed, as explained in `problem`.
    public var value: Double?
    /// A word instead of a number: a class, a verdict.
    public var label: String?
    /// What the scorer took for the answer.
    public var answer: String?
    /// Why it is so: the scorer's reason or the judge's own words.
    public var explanation: String?
    /// Why there is no value.
    public var problem: String?
    /// Confidence of the answer, in [0, 1]; `nil` if not reported.
    public var confidence: Double?
    /// Additional parts of a metric of the whole run: sums and counts.
    public var parts: [Double]

    public init(
        _ name: String, value: Double?, label: String? = nil, answer: String? = nil, explanation: String? = nil,
        problem: String? = nil, confidence: Double? = nil, parts: [Double] = []
    ) {
        self.confidence = confidence
        self.parts = parts
        self.name = name
        self.value = value
        self.label = label
        self.answer = answer
        self.explanation = explanation
        self.problem = problem
    }
}

/// One thing that was done for a sample.
public struct EvalStep: Hashable, Sendable {
    public var kind: SpanKind
    public var name: String
    public var seconds: Double?
    public var problem: String?

    public init(kind: SpanKind, name: String, seconds: Double? = nil, problem: String? = nil) {
        self.kind = kind
        self.name = name
        self.seconds = seconds
        self.problem = problem
    }
}
