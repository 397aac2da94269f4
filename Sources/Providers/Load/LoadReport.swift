public import JSON

/// How an endpoint stood a load. Times are seconds.
public struct LoadReport: Hashable, Sendable {
    /// One sort of failure.
    public struct Failure: Hashable, Sendable {
        /// `timeout`, `rate_limit`, `connection`, ...
        public var kind: String
        public var count: Int
        /// The first of them, as a sentence.
        public var example: String
    }

    public var provider: String
    public var model: String
    public var concurrency: Int
    /// Scheduled requests per second; `nil` if each request started when the previous one ended.
    public var arrivalsPerSecond: Double?
    /// Requests that were counted, whatever became of them, and those before that were not.
    public var requests: Int
    public var warmUp: Int
    public var succeeded: Int
    public var failures: [Failure]
    public var retries: Int
    /// It was ended before its time; requests that were under way are not counted.
    public var isCancelled: Bool
    /// From the first counted request to the end of the last.
    public var seconds: Double

    // Values of successful requests; `nil` if nothing is reported.

    /// Time from when a request was due to its first token, or to its first piece if tokens are not reported.
    public var timeToFirstToken: Distribution?
    /// From the first token to the last, divided by the tokens after the first.
    public var timePerOutputToken: Distribution?
    /// From when a request was due to the end of its answer.
    public var endToEnd: Distribution?
    /// From when a request was due until it was sent: it waited for an earlier one. Only with a rate of arrivals.
    public var queueing: Distribution?
    /// Output tokens of a request divided by the seconds from its sending to its end.
    public var tokensPerSecond: Distribution?

    public var inputTokens: Int
    public var outputTokens: Int
    /// Whether the endpoint counted the tokens of every answer; otherwise pieces of the stream stand for them.
    public var tokensAreCounted: Bool
    /// All output tokens divided by `seconds`.
    public var outputTokensPerSecond: Double
    /// Successful requests divided by `seconds`.
    public var requestsPerSecond: Double
}

extension LoadReport: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("provider", provider)
            json.member("model", model)
            json.member("loop", arrivalsPerSecond == nil ? "closed" : "open")
            json.member("concurrency", concurrency)
            json.member("arrivals_per_second", ifPresent: arrivalsPerSecond)
            json.member("requests", requests)
            json.member("warm_up", warmUp)
            json.member("succeeded", succeeded)
            json.member("failures", failures)
            json.member("retries", retries)
            json.member("cancelled", isCancelled)
            json.member("seconds", seconds)
            json.member("time_to_first_token_s", timeToFirstToken)
            json.member("time_per_output_token_s", timePerOutputToken)
            json.member("end_to_end_s", endToEnd)
            json.member("queueing_s", queueing)
            json.member("tokens_per_second", tokensPerSecond)
            json.member("input_tokens", inputTokens)
            json.member("output_tokens", outputTokens)
            json.member("tokens_are_counted", tokensAreCounted)
            json.member("output_tokens_per_second", outputTokensPerSecond)
            json.member("requests_per_second", requestsPerSecond)
        }
    }
}

extension LoadReport.Failure: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", kind)
            $0.member("count", count)
            $0.member("example", example)
        }
    }
}

/// How far a load has come.
public struct LoadProgress: Hashable, Sendable {
    /// Counted requests that are over.
    public var finished: Int
    public var failed: Int
    public var underWay: Int
    public var isWarmingUp: Bool
    /// Since the first counted request.
    public var seconds: Double
    public var outputTokens: Int
}
