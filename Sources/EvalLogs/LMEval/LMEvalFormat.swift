internal import Glibc
internal import JSON
public import Traces

/// Results and sample files of lm-evaluation-harness.
public enum LMEvalFormat: EvalLogFormat {
    public static let format = "lm-eval"
    public static let title = "lm-eval results"
    public static let kind = EvalLogKind.lmEval

    public static func open(
        _ path: String, isCancelled: @Sendable () -> Bool
    ) throws(EvalLogError) -> [any EvalLog] {
        let file = try LogFile(path)
        let head = EvalLogHead(try file.bytes(0..<min(64 << 10, file.size)))
        if head.first?.has("doc_id") == true { return [try LMEvalFolder.samples(file)] }
        return try LMEvalFolder.results(file)
    }
}

/// The files that lm-eval writes: `results_<date>.json` and, in the same folder, `samples_<task>_<date>.jsonl` for each
/// task.
enum LMEvalFolder {
    /// Every run in a folder, or in its folders: lm-eval makes one for each model.
    static func open(_ path: String, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [any EvalLog] {
        let own = LogFolder.names(path)
        var folders = [path]
        if !own.contains(where: { isResults($0) || isSamples($0) }) {
            folders += own.prefix(256).map { path + "/" + $0 }
        }
        var logs: [any EvalLog] = []
        for folder in folders {
            if isCancelled() { throw EvalLogError(path: path, problem: "cancelled", isCancellation: true) }
            let files = LogFolder.names(folder)
            let results = files.filter { isResults($0) }
            for name in results { logs += try LMEvalFolder.results(try LogFile(folder + "/" + name)) }
            if results.isEmpty {
                for name in files where isSamples(name) { logs.append(try samples(try LogFile(folder + "/" + name))) }
            }
        }
        return logs
    }

    /// The runs that a results file tells of.
    static func results(_ file: LogFile) throws(EvalLogError) -> [any EvalLog] {
        let (folder, name) = parts(file.path)
        let bytes = try file.bytes(0..<min(file.size, 64 << 20))
        let value = try LogJSON.parse(bytes, path: file.path, place: "head") { JSONValue($0) }
        let date = String(name.dropFirst("results_".count).dropLast(".json".count))
        var logs: [any EvalLog] = []
        for task in value["results"]?.members ?? [] {
            let samples = folder + "/samples_\(task.key)_\(date).jsonl"
            if isResults(name), access(samples, R_OK) == 0 {
                logs.append(try log(try LogFile(samples), task: task.key, results: value, key: file.path))
            } else {
                logs.append(
                    LMEvalHead.Log(
                        LMEvalHead.run(
                            task.key, value, samples: [], filters: LMEvalHead.filters(task.value), path: file.path,
                            key: file.path)))
            }
        }
        guard !logs.isEmpty else { throw EvalLogError(path: file.path, problem: "the results do not name a task") }
        return logs
    }

    /// Opens the run of one sample file, with the metrics of its results file if that is in the same folder.
    static func samples(_ file: LogFile) throws(EvalLogError) -> any EvalLog {
        let (folder, name) = parts(file.path)
        let stem = name.hasSuffix(".jsonl") ? String(name.dropLast(6)) : name
        let pieces = stem.split(separator: "_", omittingEmptySubsequences: false)
        let date = pieces.last.map(String.init) ?? ""
        let task = isSamples(name) && pieces.count > 2 ? pieces.dropFirst().dropLast().joined(separator: "_") : stem
        var results: JSONValue?
        if let other = try? LogFile(folder + "/results_\(date).json"), other.size <= 64 << 20 {
            results = try? LogJSON.parse(try other.bytes(0..<other.size), path: other.path, place: "head") {
                JSONValue($0)
            }
        }
        return try log(file, task: task, results: results, key: file.path)
    }

    private static func log(
        _ file: LogFile, task: String, results: JSONValue?, key: String
    ) throws(EvalLogError) -> any EvalLog {
        try LineLog(file) { (file) throws(EvalLogError) in
            let first = try file.firstLines(64)
            let strands = try LMEvalStrands(file)
            var filters = LMEvalHead.filters(results?["results"]?[task])
            for filter in strands.filters + first.map({ LMEvalReader.filter($0) })
            where !filters.contains(filter) && filters.count < 64 { filters.append(filter) }
            let run = LMEvalHead.run(task, results, samples: first, filters: filters, path: file.path, key: key)
            return (run, LMEvalReader(strands: strands.ranges, isOfOneFilter: filters.count < 2))
        }
    }

    private static func parts(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    static func isResults(_ name: String) -> Bool { name.hasPrefix("results_") && name.hasSuffix(".json") }
    static func isSamples(_ name: String) -> Bool { name.hasPrefix("samples_") && name.hasSuffix(".jsonl") }
}
