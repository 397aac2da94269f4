extension EvalRun {
    /// State shown in lists: `paused`, or the state's own name.
    public var stateWord: String { isPaused && state == .running ? "paused" : state.rawValue }

    /// `24 of 30 answers from the cache (--no-cache repeats requests)`; `nil` if there are none, or if that was not
    /// recorded.
    public var cachedWords: String? {
        guard let cached, cached > 0 else { return nil }
        return "\(cached) of \(completed) answers from the cache (--no-cache repeats requests)"
    }

    /// Attempts per sample, as the settings record them.
    public var epochs: Int { settings.first { $0.name == "epochs" }.flatMap { Int($0.value) } ?? 1 }

    /// What `completed` and `total` count: an attempt is one epoch of a sample, while figures count samples.
    public var unit: String { epochs > 1 ? "attempts" : "samples" }

    /// `8 of 10 samples could not be scored`; `nil` if all were scored, or if that was not recorded.
    public var unscoredWords: String? {
        guard let unscored, unscored > 0 else { return nil }
        return "\(unscored) of \(completed) samples could not be scored"
    }

    /// Working time in nanoseconds; if not recorded, the time from start to end.
    public var workNanoseconds: Int64? {
        if let workSeconds, workSeconds.isFinite { return Int64(min(max(0, workSeconds), 9e9) * 1e9) }
        guard let start, let end else { return nil }
        let (span, isTooLong) = end.subtractingReportingOverflow(start)
        return isTooLong ? nil : max(0, span)
    }
}
