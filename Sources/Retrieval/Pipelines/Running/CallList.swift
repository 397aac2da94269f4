package import LanguageModels
internal import Synchronization

/// The calls of models that a run made, by the stage that made them.
public final class CallList: Sendable {
    private let calls = Mutex<[(stage: String, call: ModelCall)]>([])

    public init() {}

    func append(_ call: ModelCall, of stage: String) { calls.withLock { $0.append((stage, call)) } }

    /// Calls in the order in which they ended.
    package var all: [(stage: String, call: ModelCall)] { calls.withLock { $0 } }
}
