internal import Synchronization
internal import Workspace

/// Controls of a run from any thread, before it begins and while it is running.
public final class EvalControls: Sendable {
    /// Maximum number of threads.
    public static let mostConcurrency = 512

    private struct State {
        var isCancelled = false
        var isPaused = false
        var concurrency: Int?
        var changed: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let cancelled = Atomic<Bool>(false)

    public init() {}

    /// Ends the run at once; finished samples are kept.
    public func cancel() {
        cancelled.store(true, ordering: .relaxed)
        change { $0.isCancelled = true }
    }

    /// Starts nothing more until `resume()`; samples in flight end.
    public func pause() { change { $0.isPaused = true } }
    /// Starts samples again after `pause()`.
    public func resume() { change { $0.isPaused = false } }

    /// Sets the maximum number of samples in flight, 1 to 512.
    public func setConcurrency(_ count: Int) { change { $0.concurrency = min(max(1, count), Self.mostConcurrency) } }

    /// Whether the run was canceled; cheap enough to poll often.
    public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
    /// Whether the run is paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }
    /// Limit chosen since the run started; `nil` if unchanged.
    public var concurrency: Int? { state.withLock { $0.concurrency } }

    /// Sets a function that is called after every change, on the thread of the change.
    func observe(_ changed: (@Sendable () -> Void)?) { state.withLock { $0.changed = changed } }

    private func change(_ body: (inout State) -> Void) {
        let changed = state.withLock { state in
            body(&state)
            return state.changed
        }
        changed?()
    }
}
