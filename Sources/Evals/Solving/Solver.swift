public import LanguageModels

/// A solver of samples: a model, a pipeline, an agent, or a user's program.
public protocol Solver: Sendable {
    /// Name of the model in the run: `openai:gpt-4o-mini`, `exec:./solve.py`.
    var name: String { get }
    /// Everything outside the sample that affects an answer: provider, model, parameters. It is part of the cache key.
    var identity: String { get }

    /// Name of the model in a price table; `nil` if no model that may cost something is called.
    var pricedName: String? { get }

    /// Makes one attempt at a sample, on the calling thread.
    ///
    /// Temporary failures (a rate limit, a broken connection) are thrown unchanged: the run waits and retries.
    func solve(_ sample: TaskSample, _ attempt: SolvingAttempt) throws(LanguageModelError) -> Solution

    /// Returns other state that an answer to the sample depends on: the state of a corpus, the data that a program
    /// reads. It is part of the cache key; `nil` if there is none.
    func state(for sample: TaskSample) -> String?
}

extension Solver {
    public var pricedName: String? { nil }

    public func state(for sample: TaskSample) -> String? { nil }
}

/// One attempt at a sample.
public struct SolvingAttempt: Sendable {
    /// Epoch, starting at 1.
    public var epoch: Int
    /// Seed, equal for a sample and epoch in every run with the same seed.
    public var seed: UInt64
    /// Polled at least every 50 ms.
    public var isCancelled: @Sendable () -> Bool
    /// Called before an error is thrown, with the work before the failure, so that it is counted and shown.
    public var left: @Sendable (Solution) -> Void
    /// Called before an error that would affect every other sample: the run ends with the error.
    public var endRun: @Sendable () -> Void
    /// Called together with `endRun` for the last of several errors in a row: its sample ends in an error like the
    /// others.
    public var keepError: @Sendable () -> Void

    public init(
        epoch: Int = 1, seed: UInt64 = 0, left: @escaping @Sendable (Solution) -> Void = { _ in },
        endRun: @escaping @Sendable () -> Void = {}, keepError: @escaping @Sendable () -> Void = {},
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.epoch = epoch
        self.seed = seed
        self.left = left
        self.endRun = endRun
        self.keepError = keepError
        self.isCancelled = isCancelled
    }
}
