internal import Glibc

extension EvalRun.State {
    /// Seconds without a change after which nobody is taken to write into a log any more.
    private static let quiet: Int64 = 600

    /// How a run stands whose log does not tell its end: other programs leave no word of who writes it, so that only
    /// its age can tell whether it goes on.
    static func unended(_ path: String) -> EvalRun.State {
        guard let stamp = try? FileStamp(path: path) else { return .unfinished }
        return Int64(time(nil)) - stamp.modified / 1_000_000_000 < quiet ? .running : .unfinished
    }
}
