/// Why a tokenizer cannot be made: the part that is at fault, what is wrong, and what to do.
public struct TokenizerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file or the part of it: `tokenizer.json, model`, `tokenizer.ggml.merges`.
    public var subject: String
    /// Problem, without a final period.
    public var problem: String
    /// Remedy as a complete sentence; empty if there is none.
    public var remedy: String

    public init(_ subject: String, problem: String, remedy: String = "") {
        self.subject = subject
        self.problem = problem
        self.remedy = remedy
    }

    public var sentence: String { "\(subject): \(problem)." + (remedy.isEmpty ? "" : " \(remedy)") }
    public var description: String { sentence }
}
