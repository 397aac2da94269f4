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
        func measured(_ names: [String]?, _ budget: Double) throws -> KernelReport {
            try KernelMeasurement.measure(
                operation: operation, variants: names, shape: shape, threads: threads, budget: budget, seed: seed,
                progress: progress, cancellation: cancellation)
        }
        let report = try measured(variants, budget)
        let commit = commit ?? GitHead.commit()
        let runs = try Self.runs(of: report, commit: commit).map { run in
            var confirmation = Confirmation(first: run, earlier: try baseline(of: run), test: test)
            while confirmation.needsAnother {
                let part = budget / Double(max(1, report.rungs.count { $0.figures != nil }))
                let again = try measured([run.variant], part)
                guard let second = Self.runs(of: again, commit: commit).first else { break }
                confirmation.add(second)
            }
            return confirmation.result
        }
        return Outcome(report: report, runs: try insert(runs))
    }
}

/// Measures a suspicious run again before anybody is alarmed.
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
