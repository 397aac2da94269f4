internal import LanguageModels

/// What was measured of one request; times are those of the load's clock.
struct LoadSample: Sendable {
    /// When it should have been sent.
    var due: Double
    var sent: Double
    var ended: Double
    /// From sending.
    var secondsToFirst: Double?
    /// When the last piece came.
    var lastPiece: Double?
    var pieces = 0
    var usage: Usage?
    var retries = 0
    var error: LanguageModelError?

    /// Output tokens as the endpoint counted them, else pieces.
    var tokens: Int { usage.map(\.output) ?? pieces }

    /// Waiting counts: a request that was late because another one took long is as late for who waits for it.
    var timeToFirst: Double? { secondsToFirst.map { sent + $0 - due } }

    /// Seconds per output token after the first; `nil` with fewer than two pieces or tokens.
    var timePerToken: Double? {
        guard let secondsToFirst, let lastPiece, pieces > 1, tokens > 1 else { return nil }
        return (lastPiece - sent - secondsToFirst) / Double(tokens - 1)
    }
}

extension LoadReport {
    /// Sums samples up.
    init(_ load: EndpointLoad, _ samples: [LoadSample], warmUp: Int, start: Double, isCancelled: Bool) {
        let good = samples.filter { $0.error == nil }
        var kinds: [String: Failure] = [:]
        for sample in samples {
            guard let error = sample.error else { continue }
            let word = ErrorJSON.word(error.kind)
            kinds[word, default: Failure(kind: word, count: 0, example: error.sentence)].count += 1
        }
        provider = load.model.provider
        model = load.model.name
        concurrency = load.concurrency
        arrivalsPerSecond = load.arrivalsPerSecond
        requests = samples.count
        self.warmUp = warmUp
        succeeded = good.count
        failures = kinds.values.sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
        retries = samples.map(\.retries).reduce(0, +)
        self.isCancelled = isCancelled
        let end = samples.map(\.ended).max() ?? start
        seconds = max(0, end - start)
        timeToFirstToken = Distribution(good.compactMap(\.timeToFirst))
        timePerOutputToken = Distribution(good.compactMap(\.timePerToken))
        endToEnd = Distribution(good.map { $0.ended - $0.due })
        queueing = load.arrivalsPerSecond == nil ? nil : Distribution(good.map { max(0, $0.sent - $0.due) })
        tokensPerSecond = Distribution(
            good.compactMap { sample in
                sample.ended > sample.sent && sample.tokens > 0
                    ? Double(sample.tokens) / (sample.ended - sample.sent) : nil
            })
        inputTokens = good.compactMap(\.usage?.input).reduce(0, +)
        outputTokens = good.map(\.tokens).reduce(0, +)
        tokensAreCounted = !good.isEmpty && good.allSatisfy { $0.usage != nil }
        outputTokensPerSecond = seconds > 0 ? Double(outputTokens) / seconds : 0
        requestsPerSecond = seconds > 0 ? Double(succeeded) / seconds : 0
    }
}
