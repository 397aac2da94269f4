public import LanguageModels

/// Answers a sample: with a model, a pipeline, an agent, a program of the user's.
public protocol Solver: Sendable {
    /// `openai:gpt-4o-mini`, `exec:./solve.py`: what the run calls the model.
    var name: String { get }
    /// All that changes an answer and is not part of the sample: provider, model, parameters. It is part of the cache's
    /// key.
    var identity: String { get }

    /// Name of the model in a price table; `nil` if no model that may cost something is called.
    var pricedName: String? { get }

    /// Asks a sample once, on the calling thread.
    ///
    /// Failures that may pass (a rate limit, a broken connection) are thrown as they come: who runs the task waits and
    /// asks again.
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
    /// Asked at least every 50 ms.
    public var isCancelled: @Sendable () -> Bool
    /// Takes what was done before a failure, so that it is counted and shown: called before the error is thrown.
    public var left: @Sendable (Solution) -> Void
    /// Called before an error that every other sample would meet too: the run ends with its sentence.
    public var endRun: @Sendable () -> Void
    /// Called together with `endRun` for the last of several errors in a row: its sample ends in an error like those of
    /// the others.
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
