/// An error for a request without a response; its message contains no keys and no prompts.
public struct LanguageModelError: Error, Equatable, CustomStringConvertible {
    /// Kinds of failures, which callers use to decide what to do.
    public enum Kind: Hashable, Sendable {
        /// The model does not support the request, for example because the request is too long or has tools.
        case request
        /// A key is missing or was rejected.
        case authorization
        /// The rate limit was exceeded, even after all retries.
        case rateLimit
        /// The request exceeded a time limit.
        case timeout
        /// The connection failed or was lost.
        case connection
        /// The server failed.
        case server
        /// The response cannot be parsed.
        case protocolViolation
        /// A local failure, such as too little memory, a missing file, or a program that does not start.
        case local
    }

    /// Kind of failure.
    public var kind: Kind
    /// Provider and model, or the URL without its query.
    public var model: String
    /// Description of the failure, without a period.
    public var problem: String
    /// Remedy as a complete sentence; empty if there is none.
    public var remedy: String
    /// Number of seconds to wait before a retry; `nil` if the server does not report it.
    public var retryAfter: Double?
    /// Maximum number of useful retries of the request; `nil` if the caller decides.
    ///
    /// The maximum is 0 if the server reports that retries do not help, and small if each retry takes minutes.
    public var maximumRetries: Int?
    /// Whether the request exceeded a time limit, no matter which side set it.
    public var isCutOff: Bool

    /// Creates an error; `isCutOff` is true if the kind is `.timeout`.
    public init(
        _ kind: Kind, model: String, problem: String, remedy: String = "", retryAfter: Double? = nil,
        maximumRetries: Int? = nil
    ) {
        self.kind = kind
        self.model = model
        self.problem = problem
        self.remedy = remedy
        self.retryAfter = retryAfter
        self.maximumRetries = maximumRetries
        isCutOff = kind == .timeout
    }

    /// Message for the user: model, problem, and remedy.
    public var sentence: String { "\(model): \(problem)." + (remedy.isEmpty ? "" : " \(remedy)") }
    public var description: String { sentence }
}
