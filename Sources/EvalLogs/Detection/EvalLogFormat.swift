public import Traces

/// A kind of evaluation log: how to recognize one, and how to open it.
public protocol EvalLogFormat: Sendable {
    /// `inspect`, `lm-eval`, `promptfoo`, `garak`, `openai-evals`.
    static var format: String { get }
    /// Name in sentences, such as `an Inspect log`.
    static var title: String { get }
    /// The kind of file, which is recognized by its first bytes.
    static var kind: EvalLogKind { get }
    /// The runs that a file holds.
    static func open(_ path: String, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [any EvalLog]
}
