internal import LanguageModels

/// The consequences of a failure for a run.
struct EvalFailure: Sendable {
    var sentence: String
    /// Problem without the name of the model and the remedy.
    private var problem: String
    /// Cause of the wait before the next attempt; `nil` if a retry would not help.
    var cause: EvalProgress.Wait.Cause?
    /// Seconds that the other side wants to be left alone.
    var retryAfter: Double?
    /// Every sample would fail like this: the run ends with the sentence.
    var concernsAll: Bool
    /// Whether its sample ends in an error though the run ends with it: the last of several in a row, like those before.
    var isKept: Bool
    /// Whether nothing was reached at all.
    var isUnreachable: Bool
    /// Whether it says something about the request or the address, and the same may be true of every sample.
    var isRefusal: Bool
    /// Maximum number of retries, if the error states one.
    var mostRetries: Int?
    /// Whether a limit of time cut it off: then the time that it took is one that requests take.
    var isCutOff: Bool

    init(_ error: LanguageModelError, endsRun: Bool = false, isKept: Bool = false) {
        sentence = error.sentence
        problem = error.problem
        retryAfter = error.retryAfter
        // An account without credit fails for every sample.
        let isForGood = error.mostRetries == 0
        concernsAll = endsRun || error.kind == .authorization || isForGood && error.kind == .rateLimit
        mostRetries = error.mostRetries
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
        let tenths = Int((retryAfter * 10).rounded())
        return "\(problem), Retry-After \(tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)") s"
    }
}
