internal import JSON
public import Traces

/// A run of this program as a file of its own: a line of JSON for the head and one for each sample.
///
/// The first line is `{"orrery_eval": 1, "run": {...}}`, written by `OrreryLogWriter`; every other line is one sample
/// with all that is known of it, so that a run can be opened where its workspace is not.
public enum OrreryLogFormat: EvalLogFormat {
    public static let format = "orrery"
    public static let title = "an Orrery log"

    /// What this program writes, and the newest that it reads.
    static let version = 1

    public static let kind = EvalLogKind.orrery

    public static func open(
        _ path: String, isCancelled: @Sendable () -> Bool
    ) throws(EvalLogError) -> [any EvalLog] {
        [try OrreryLog(try LogFile(path), isCancelled)]
    }

    /// The head of a run, and the lines of its file with the head's among them.
    static func head(
        _ file: LogFile, _ isCancelled: () -> Bool
    ) throws(EvalLogError) -> (run: EvalRun, index: LineIndex) {
        let path = file.path
        var index = LineIndex(file)
        try index.findAll(1, isCancelled: isCancelled)
        guard index.count > 0 else { throw EvalLogError(path: path, problem: "the file is empty") }
        let bytes = try index.bytes(0)
        let head = try LogJSON.parse(bytes, path: path, place: "line 1") { JSONValue($0) }
        guard let number = head["orrery_eval"]?.int, number >= 1, let run = head["run"], run.members != nil else {
            throw EvalLogError(
                path: path, place: "line 1", problem: "missing run header",
                remedy: "Export the run again as JSON Lines.")
        }
        guard number <= version else {
            throw EvalLogError(
                path: path, place: "line 1",
                problem: "unsupported format version \(number) (this build reads \(version))",
                remedy: "Open it with a newer version of Orrery.")
        }
        return (OrreryLogHead.run(head, run, path: path), index)
    }
}
