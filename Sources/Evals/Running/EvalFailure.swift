internal import Formatting
internal import LanguageModels

/// The consequences of a failure for a run.
struct EvalFailure: Sendable {
    var sentence: String
    /// Problem without the name of the model and the remedy.
    private var problem: String
    /// Cause of the wait before the next attempt; `nil` if a retry would not help.
    var cause: EvalProgress.Wait.Cause?
    /// Seconds that the server asks to wait.
    var retryAfter: Double?
    /// Whether every sample would fail like this, so that the run ends with the error.
    var concernsAll: Bool
    /// Whether the sample ends in an error although the run ends: the last of several failures in a row.
    var isKept: Bool
    /// Whether the server was unreachable.
    var isUnreachable: Bool
    /// Whether the failure concerns the request or the address, and may affect every sample.
    var isRefusal: Bool
    /// Maximum number of retries, if the error states one.
    var maximumRetries: Int?
    /// Whether a time limit cut off the request, so that its time counts in the latency.
    var isCutOff: Bool

    init(_ error: LanguageModelError, endsRun: Bool = false, isKept: Bool = false) {
        sentence = error.sentence
        problem = error.problem
        retryAfter = error.retryAfter
        // An account without credit fails for every sample.
        let isForGood = error.maximumRetries == 0
        concernsAll = endsRun || error.kind == .authorization || isForGood && error.kind == .rateLimit
        maximumRetries = error.maximumRetries
        isRefusal = error.kind == .request || error.kind == .protocolViolation
        self.isKept = isKept
        isUnreachable = error.kind == .connection
        isCutOff = error.isCutOff
        switch error.kind {
        case .rateLimit: cause = .rateLimit
        case .timeout, .connection, .server: cause = .retry
        case .request, .authorization, .protocolViolation, .local: cause = nil
        }
        if endsRun || isForGood { cause = nil }
    }

    /// Text next to the wait on screens: `too many requests (429), Retry-After 1 s`.
    var detail: String {
        guard let retryAfter, retryAfter < 1e6 else { return problem }
        return "\(problem), Retry-After \(Format.trimmed(retryAfter, digits: 1)) s"
    }
}
