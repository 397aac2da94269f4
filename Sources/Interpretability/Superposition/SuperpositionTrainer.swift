internal import Glibc
internal import Kernels
internal import Synchronization
public import System

/// Trains toy models of superposition from several starts at once.
///
/// ```swift
/// let models = try SuperpositionTrainer.run(SuperpositionConfiguration())
/// models[0].geometry.name         // "pentagon"
/// ```
public enum SuperpositionTrainer {
    /// One model a start, the smallest loss first; each start has a thread.
    ///
    /// - Parameter isCancelled: Checked every few steps, by any thread.
    /// - Throws: `Problem` of the kind `.cancelled`; an error if the configuration is out of range.
    public static func run(
        _ configuration: SuperpositionConfiguration,
        isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
    ) throws(Problem) -> [SuperpositionModel] {
        try configuration.check()
        let isEnded = Atomic(false)
        let results = Mutex<[SuperpositionModel]>([])
        ThreadPool.shared.run(chunks: configuration.starts) { start, _ in
            var run = SuperpositionRun(configuration, start: start)
            for step in 0..<configuration.steps {
                if step % 16 == 0, isEnded.load(ordering: .relaxed) || isCancelled() {
                    return isEnded.store(true, ordering: .relaxed)
                }
                run.step(step)
            }
            let model = run.model
            results.withLock { $0.append(model) }
        }
        if isEnded.load(ordering: .relaxed) { throw .cancelled() }
        return results.withLock { $0 }.sorted { ($0.loss, $0.start) < ($1.loss, $1.start) }
    }
}
