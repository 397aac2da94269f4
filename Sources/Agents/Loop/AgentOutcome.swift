internal import Formatting

/// How a run ended.
public enum AgentOutcome: Hashable, Sendable {
    case answered(String)
    case stepLimit(Int)
    case tokenLimit(Int)
    case timeLimit(seconds: Double)
    /// The same call came again so often.
    case repeated(tool: String, times: Int)
    /// Consecutive turns were neither an action nor an answer; with the problem of the last one.
    case malformed(String, times: Int)
    case cancelled
    case modelFailed(String)

    public var answer: String? { if case .answered(let text) = self { text } else { nil } }

    /// The word by which figures and traces count it.
    public var name: String {
        switch self {
        case .answered: "answered"
        case .stepLimit: "step limit"
        case .tokenLimit: "token limit"
        case .timeLimit: "time limit"
        case .repeated: "repeated"
        case .malformed: "malformed"
        case .cancelled: "cancelled"
        case .modelFailed: "model failed"
        }
    }

    /// Why there is no answer, as a sentence; `nil` if there is one.
    public var problem: String? {
        switch self {
        case .answered: nil
        case .stepLimit(let steps): "no answer within the limit of \(steps) model calls."
        case .tokenLimit(let tokens): "no answer within the limit of \(tokens) tokens."
        case .timeLimit(let seconds): "no answer within the limit of \(Format.plain(seconds)) seconds."
        case .repeated(let tool, let times):
            "the model called \(tool) with the same arguments \(times) times."
        case .malformed(let problem, let times):
            "\(times) turns in a row were malformed; problem with the last turn: \(problem)."
        case .cancelled: "canceled."
        case .modelFailed(let sentence): sentence
        }
    }
}
