/// Why a model gave no answer, in one sentence that shows no key and no prompt.
public struct LanguageModelError: Error, Equatable, CustomStringConvertible {
    /// What sort of failure it is: what a caller decides by.
    public enum Kind: Hashable, Sendable {
        /// The request cannot be fulfilled by this model: too long, tools where it knows none.
        case request
        /// A key is missing or refused.
        case authorization
        /// Too many requests, after every retry.
        case rateLimit
        case timeout
        /// No connection, or it broke.
        case connection
        /// The other side failed.
        case server
        /// What came back cannot be read.
        case protocolViolation
        /// Memory, a file, a program that does not start.
        case local
    }

    public var kind: Kind
    /// Who was asked: the provider and model, or the address without its query.
    public var model: String
    /// What happened, without a full stop.
    public var problem: String
    /// What to do about it, a whole sentence; empty where nothing helps.
    public var remedy: String
    /// Seconds that the other side wants to be left alone; nil where it does not say.
    public var retryAfter: Double?
    /// How often the same request is worth another try: 0 where the other side says that none helps, few where each takes
    /// minutes; nil leaves it to who asks.
    public var mostRetries: Int?
    /// Whether it was cut off because it took too long, whoever set the limit.
    public var isCutOff: Bool

    public init(
        _ kind: Kind, model: String, problem: String, remedy: String = "", retryAfter: Double? = nil,
        mostRetries: Int? = nil
    ) {
        self.kind = kind
        self.model = model
        self.problem = problem
        self.remedy = remedy
        self.retryAfter = retryAfter
        self.mostRetries = mostRetries
        isCutOff = kind == .timeout
    }

    public var sentence: String { "\(model): \(problem)." + (remedy.isEmpty ? "" : " \(remedy)") }
    public var description: String { sentence }
}
