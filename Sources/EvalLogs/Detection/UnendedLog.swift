internal import Glibc
internal import Traces

extension EvalRun.State {
    /// Seconds without a change after which a log is no longer considered to be written.
    private static let quiet: Int64 = 600

    /// Returns the state of a run whose log records no end. Other programs leave no trace of a writer, so only the
    /// log's age suggests whether the run continues.
    static func unended(_ path: String) -> EvalRun.State {
        guard let stamp = try? FileStamp(path: path) else { return .unfinished }
        return Int64(time(nil)) - stamp.modified / 1_000_000_000 < quiet ? .running : .unfinished
    }
}
