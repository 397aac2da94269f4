public import Kernels
public import Workspace

extension KernelHistory {
    /// A measurement and what the history says of it.
    public struct Outcome: Hashable, Sendable {
        public var report: KernelReport
        /// One a measured rung, in the order of the report.
        public var runs: [KernelRun]

        public var regressions: [Regression] { runs.compactMap(Regression.init) }
    }

    /// A rung that looks slower than before.
    public struct Suspect: Hashable, Sendable {
        public var variant: String
        /// How many rungs share the time of a measurement.
        public var rungs: Int
    }

    /// Measures, judges each rung by its past, measures again what looks slower, and keeps all of it.
    ///
    /// A rung that is suspiciously low is measured again, twice if the machine was too busy to tell: if that is as good
    /// as before, it counts; if it is low as well, the rung has regressed.
    ///
    /// - Parameters: as of `KernelMeasurement.measure`.
    ///   - commit: what is checked out; nil reads it around the current folder.
    /// - Throws: as `KernelMeasurement.measure`; `WorkspaceError` where it cannot be kept.
    public func measure(
        operation: KernelOperation, variants: [String]? = nil, shape: KernelShape? = nil, threads: Int = 1,
        budget: Double = 3, seed: UInt64 = 1, commit: String? = nil, test: RegressionTest = RegressionTest(),
        progress: (MeasurementProgress) -> Void = { _ in }, cancellation: Cancellation? = nil
    ) throws -> Outcome {
        try measure(commit: commit, test: test) { again in
            // One rung alone gets its part of the time.
            let names = again.map { [$0.variant] } ?? variants
            let part = again.map { budget / Double(max(1, $0.rungs)) } ?? budget
            return try KernelMeasurement.measure(
                operation: operation, variants: names, shape: shape, threads: threads, budget: part, seed: seed,
                progress: progress, cancellation: cancellation)
        }
    }

    /// Measures, judges, and stores the figures of another measurement, such as a user's kernel in its own process.
    ///
    /// - Parameters:
    ///   - source: digest of the user's kernel; nil takes that of the catalog's variant.
    ///   - take: measures. Its argument is the rung to measure again, or nil for all rungs.
    public func measure(
        commit: String? = nil, source: String? = nil, test: RegressionTest = RegressionTest(),
        by take: (Suspect?) throws -> KernelReport
    ) throws -> Outcome {
        var report = try take(nil)
        let commit = commit ?? GitHead.commit()
        let rungs = report.rungs.count { $0.figures != nil }
        let runs = try Self.runs(of: report, commit: commit, source: source).map { run in
            var confirmation = Confirmation(first: run, earlier: try baseline(of: run), test: test)
            while confirmation.needsAnother {
                let again = try take(Suspect(variant: run.variant, rungs: rungs))
                let seconds = Self.runs(of: again, commit: commit, source: source)
                guard let second = seconds.first(where: { $0.variant == run.variant }) else { break }
                confirmation.add(second)
            }
            // The report shows the repeated measurement, as the history does.
            if confirmation.attempts > 0 { report.adopt(confirmation.result) }
            return confirmation.result
        }
        return Outcome(report: report, runs: try insert(runs))
    }
}

/// Measures a suspicious run again before raising an alarm.
package struct Confirmation {
    /// What is known so far: the figures of the better look, with the mean share of both where both are low.
    package private(set) var result: KernelRun
    package private(set) var attempts = 0
    package private(set) var needsAnother: Bool
    private let test: RegressionTest
    private let earlier: [Double]
    private let first: Double

    static let mostAttempts = 2

    /// - Parameter earlier: the shares that it is compared with, the oldest first.
    package init(first run: KernelRun, earlier: [Double], test: RegressionTest) {
        result = run
        self.test = test
        self.earlier = earlier
        first = run.share
        let judgement = run.isComparable ? test.judge(run.share, against: earlier) : nil
        needsAnother = judgement?.isSuspicious ?? false
        if let judgement { result.apply(judgement, verdict: judgement.isLower ? .suspected : .good) }
    }

    /// Takes the next measurement; one that cannot be compared is only an attempt.
    package mutating func add(_ run: KernelRun) {
        attempts += 1
        needsAnother = !run.isComparable && attempts < Self.mostAttempts
        guard run.isComparable, let alone = test.judge(run.share, against: earlier) else { return }
        guard alone.isSuspicious, let both = test.judge([first, run.share], against: earlier) else {
            result = run
            result.apply(alone, verdict: .good)
            return
        }
        if run.share > result.share { result = run }
        result.share = (first + run.share) / 2
        result.apply(both, verdict: both.isLower ? .regressed : .good)
    }
}

extension KernelReport {
    /// Replaces the first figures with those of the repeated measurement.
    mutating func adopt(_ run: KernelRun) {
        guard let index = rungs.firstIndex(where: { $0.name == run.variant }),
            case .measured(var figures) = rungs[index].outcome
        else { return }
        // Bytes and the share of the peak follow from the rate.
        let factor = figures.rate.median > 0 ? run.rate / figures.rate.median : 1
        figures.rate = MeasuredRate(
            median: run.rate, best: run.best, low: figures.rate.low * factor, high: figures.rate.high * factor,
            samples: run.samples)
        figures.bytesPerSecond = run.bytesPerSecond
        figures.shareOfPeak *= figures.shareOfAttainable > 0 ? run.share / figures.shareOfAttainable : 1
        figures.shareOfAttainable = run.share
        figures.shareLow = min(run.shareLow, run.share)
        figures.shareHigh = max(run.shareHigh, run.share)
        // The samples stand alone: these rounds were not shared with the other rungs.
        figures.rounds = run.rounds.enumerated().map { KernelFigures.Round(round: -1 - $0.offset, share: $0.element) }
        rungs[index].outcome = .measured(figures)
    }
}
