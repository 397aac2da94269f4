internal import EvalLogs
internal import LanguageModels

/// A sample that ended in an error.
struct FailedSample: Sendable {
    var sentence: String
    /// Work before the failure, which has been paid for.
    var left: Solution
    var sample: TaskSample
    var epoch: Int
    var work: RunSchedule.Work
    var took: EvalSpending
    /// Start in nanoseconds since 1970.
    var start: Int64
    /// Seconds if a time limit cut off the request; other failures say nothing about latency.
    var seconds: Double?
}

/// Notices that the first samples are all refused with the same words and nothing is answered: an unknown model, an
/// invalid address. Such a run ends with these words, and stores no errors that would have to be retried.
struct RefusalWatch: Sendable {
    enum Finding: Sendable {
        /// Undecided: the sample is held back.
        case waits
        /// All samples that were held back end in errors.
        case ends
        /// The run ends.
        case stops
    }

    /// Number of refused samples in a row that stop the run.
    private static let most = 3

    private var isOff: Bool
    private var hasStopped = false
    private var kept: [FailedSample] = []

    /// - Parameter isOff: Whether the run already has an answer.
    init(isOff: Bool) { self.isOff = isOff }

    /// Notes an answer: later refusals concern single samples.
    mutating func answered() { isOff = true }

    /// Notes a sample that failed permanently.
    mutating func finding(_ failed: FailedSample, isRefusal: Bool) -> Finding {
        guard !hasStopped else { return .stops }
        kept.append(failed)
        let isAlike = kept.allSatisfy { $0.sentence == failed.sentence }
        guard isRefusal, isAlike, !isOff else {
            isOff = true
            return .ends
        }
        guard kept.count >= Self.most else { return .waits }
        hasStopped = true
        kept = []
        return .stops
    }

    /// Returns the samples that were held back.
    mutating func release() -> [FailedSample] {
        defer { kept = [] }
        return kept
    }
}

extension RunSession {
    /// Stores the samples that were held back, at the end of a run.
    func keepRefused() {
        for failed in shared.withLock({ $0.refusing.release() }) { end(failed) }
    }

    /// Ends a sample in an error.
    func end(_ failed: FailedSample) {
        var row = row(failed.sample, failed.epoch, failed.work, failed.left, [])
        row.outcome = .error
        row.problem = failed.sentence
        row.seconds = failed.seconds
        // The cost of a failure was not reported.
        row.cost = failed.left.usage == nil ? nil : failed.took.cost
        row.tokens = failed.left.usage?.total
        finish(
            row, failed.left, [], failed.sample, failed.work, failed.took, start: failed.start, key: nil,
            isCached: false)
    }
}
