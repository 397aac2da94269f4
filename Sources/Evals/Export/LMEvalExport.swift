public import EvalLogs
public import JSON
internal import LanguageModels
public import System
internal import Tokenizers

/// A run of an lm-evaluation-harness task in the format of lm-evaluation-harness: `results_<time>.json` and
/// `samples_<task>_<time>.jsonl` (0.4.13).
///
/// The harness writes arrays as NumPy prints them (the probabilities behind `brier_score`); this export writes a list.
public struct LMEvalExport {
    let task: EvalTask
    let run: EvalRun
    let scorer: LMEvalScorer
    let solutions: [(place: Int, solution: Solution)]

    /// - Parameters:
    ///   - task: The task as it ran.
    ///   - solution: Returns the solution of the sample at an index of the task; `nil` if it was not requested or failed.
    /// - Throws: `Problem` if the task is not a task of lm-evaluation-harness.
    public init(
        _ task: EvalTask, _ run: EvalRun, solution: (Int) throws(EvalLogError) -> Solution?
    ) throws(Problem) {
        guard task.format == "lm-eval", let choice = task.scorers.first(where: { $0.kind == LMEvalScorer.kind.name })
        else {
            throw Problem(
                .invalid, task.path ?? task.name, "only tasks from lm-evaluation-harness can be exported in its format",
                remedy: "Export the run as JSON Lines or CSV.")
        }
        self.task = task
        self.run = run
        scorer = try LMEvalScorer(choice.settings)
        var found: [(place: Int, solution: Solution)] = []
        for place in task.samples.indices {
            do throws(EvalLogError) {
                if let solution = try solution(place) { found.append((place, solution)) }
            } catch {
                throw Problem(.failed, task.path ?? task.name, error.sentence)
            }
        }
        solutions = found
    }

    /// Creates an export of a run in this workspace. Samples are found by name: a run may have only some of them.
    ///
    /// - Throws: Also if the run has several epochs, which the files of lm-evaluation-harness cannot represent.
    public init(_ task: EvalTask, _ log: StoredEvalLog) throws {
        let run = log.run
        var places: [String: Int] = [:]
        for row in try log.rows(0..<max(0, run.total ?? 0), isCancelled: { false }) {
            guard row.epoch == 1 else {
                throw Problem(
                    .invalid, task.path ?? task.name,
                    "run \(run.key) has several epochs, which the files of lm-evaluation-harness cannot represent",
                    remedy: "Export it as JSON Lines or CSV. Only repeats set in the task file can be exported.")
            }
            if row.outcome != .error { places[row.id] = row.index }
        }
        try self.init(task, run) { (place) throws(EvalLogError) in
            guard let index = places[task.samples[place].id] else { return nil }
            return try log.solution(of: index)
        }
    }

    /// Returns the rows of the samples file: every sample of the first filter, then of the next.
    public func sampleRows() -> [JSONValue] {
        scorer.filters.flatMap { filter in
            solutions.map { LMEvalRow(task.samples[$0.place], $0.place, $0.solution, scorer, filter).value }
        }
    }

    /// Writes both files.
    ///
    /// - Parameter time: Nanoseconds since 1970, for the file names.
    /// - Returns: Paths of the files.
    public func write(to folder: String, time: Int64) throws(Problem) -> [String] {
        let rows = sampleRows()
        let place = try Self.folder(folder, of: run.model)
        let samples = place + "/samples_\(task.name)_\(PythonTime.stamp(time).replacingColons).jsonl"
        let results = try Self.write(results(rows), model: run.model, to: folder, time: time)
        try Self.write(rows.map { PythonJSON.text($0) + "\n" }.joined(), samples)
        return [results, samples]
    }

    /// Writes a results file and replaces a file of the same time.
    ///
    /// - Returns: Path of the file.
    public static func write(
        _ results: JSONValue, model: String, to folder: String, time: Int64
    ) throws(Problem) -> String {
        let path = try Self.folder(folder, of: model) + "/results_\(PythonTime.stamp(time).replacingColons).json"
        try write(PythonJSON.text(results, indent: 2), path)
        return path
    }

    private static func folder(_ folder: String, of model: String) throws(Problem) -> String {
        let place = folder + "/" + plain(model, #"["<>:/|\\?*\[\]]+"#, "__")
        guard ByteFile.makeFolder(place) else { throw Problem(.invalid, place, "the folder cannot be created") }
        return place
    }

    private static func write(_ text: String, _ path: String) throws(Problem) {
        if let problem = ByteFile.write(Array(text.utf8), to: path) {
            throw Problem(.invalid, path, "the file cannot be written: \(problem)")
        }
    }

    static func plain(_ text: String, _ pattern: String, _ replacement: String) -> String {
        (try? TextPattern(pattern)?.replacing(in: text, with: replacement)) ?? text
    }
}

extension String {
    /// The text with hyphens instead of colons, for file names.
    var replacingColons: String { String(map { $0 == ":" ? "-" : $0 }) }
}
