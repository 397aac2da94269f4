internal import JSON
internal import Providers
internal import System

/// An answer whose judge failed temporarily.
struct UnjudgedSample: Sendable {
    var solution: Solution
    var isCached: Bool
}

/// Detects a judge that never answers, for which a run does not wait.
struct JudgeWatch: Sendable {
    /// Number of samples that must fail permanently.
    private static let mostSamples = 8
    /// Seconds after the first failure: for an unreachable judge, and for one that replies with failures.
    private static let most = (unreachable: 30.0, failing: 120.0)

    private var wasAnswered = false
    private var places: Set<Int> = []
    private var since: Double?
    private var patience = Self.most.failing
    private var detail = ""

    mutating func answered() {
        wasAnswered = true
        places = []
    }

    mutating func failed(_ place: Int, _ failure: EvalFailure, at now: Double) {
        // A server that asks for a pause is reachable.
        guard !wasAnswered, failure.cause != .rateLimit else { return }
        if failure.cause == nil, places.count < Self.mostSamples { places.insert(place) }
        since = since ?? now
        patience = failure.isUnreachable ? Self.most.unreachable : Self.most.failing
        detail = failure.detail
    }

    /// Returns why the run must end; `nil` if it need not.
    func reason(at now: Double) -> String? {
        guard !wasAnswered, let since else { return nil }
        guard places.count >= Self.mostSamples || now - since >= patience else { return nil }
        return "the judge did not answer for any sample: \(detail)"
    }
}

extension RunSession {
    /// Stores answers whose judge did not reply before the run ended: they were paid for, and only the judge is called
    /// when the run is resumed.
    func keepUnjudged() {
        let left = shared.withLock { state in
            defer { state.unjudged = [:] }
            return state.unjudged
        }
        for (place, kept) in left.sorted(by: { $0.key < $1.key }) {
            // The replaced sample already has the answer; an answer of another run is found there again.
            guard replaced[place] == nil, !kept.isCached else { continue }
            let sample = runner.plan.sample(at: place)
            let moment = runner.clock.wall()
            let fields = sample.fields == .null ? nil : sample.fields.json()
            let record = StoredSample(
                solution: kept.solution, scores: [], input: sample.request.inputText, targets: sample.targets,
                choices: sample.choices, fields: fields, start: moment, end: moment)
            committer.add(
                EndedSample(
                    key: SampleKey(run: id, index: place), row: nil, replaces: nil, record: record.packed,
                    cacheKey: nil))
        }
    }
}
