import CommandSupport
import EvalLogs
import Evals
import Glibc
import System
import Traces
import Workspace

/// A run of the workspace, an open log of the workspace, or a log at a path.
struct EvalTarget {
    let log: any EvalLog
    /// Number in the workspace; `nil` for a foreign log.
    let number: Int64?

    var run: EvalRun { log.run }

    /// Creates a target from a word.
    ///
    /// The word is `12`, `latest`, the name of a run or open log, or the path of a log, with `PATH#NAME`
    /// or `PATH#2` for a file with several runs. `./12` is the file named 12. Otherwise, the word may name a recorded
    /// sample log, such as `before`.
    init(_ word: String, in place: WorkspaceOptions) throws { (log, number) = try Self.find(word, in: place) }

    private static func find(_ word: String, in place: WorkspaceOptions) throws -> (any EvalLog, number: Int64?) {
        if let number = known(word, in: place) {
            if access(word, F_OK) == 0 {
                Output.note("using run \(word) of the workspace; to read the file, use ./\(word)")
            }
            return (try EvalStore(try place.openForReading()).log(number), number)
        }
        let opened = opened(word, in: place)
        if let log = try opened?.log(named: word) {
            if access(word, F_OK) == 0 { Output.note("using the open log \(word); to read the file, use ./\(word)") }
            return (log, nil)
        }
        if let log = try foreign(word) { return (log, nil) }
        guard !place.isUnused else {
            if let log = try sample(word) { return (log, nil) }
            throw Problem(
                .missing, word, "no such run or file",
                remedy: "To create a run, use: orrery eval run TASK --model MODEL")
        }
        let store = EvalStore(try place.openForReading())
        if let log = try opened?.log(beginning: word, besides: store.runs().map(\.name)) { return (log, nil) }
        do {
            let number = Int64(try store.find(word).key)
            return (try store.log(number ?? 0), number)
        } catch let error as Problem {
            guard let log = try sample(word) else { throw error }
            return (log, nil)
        }
    }

    /// Returns the recorded sample log with this name; `nil` if no such log is installed.
    private static func sample(_ word: String) throws -> (any EvalLog)? {
        let folder = "sample-data/evals/recorded"
        guard InstalledFiles.names(in: folder).contains("\(word).jsonl"), let path = InstalledFiles.folder(folder)
        else { return nil }
        Output.note("using the sample log \(path)/\(word).jsonl")
        return try one(of: EvalLogFormats.open("\(path)/\(word).jsonl"), named: nil, at: word)
    }

    /// Returns the run with this number or whole name; `nil` if there is none or the word can only be a path.
    private static func known(_ word: String, in place: WorkspaceOptions) -> Int64? {
        guard !isPath(word), !place.isUnused,
            let workspace = try? place.openForReading(), let run = try? EvalStore(workspace).find(word),
            word == "latest" || run.key == word || run.name == word
        else { return nil }
        return Int64(run.key)
    }

    /// Returns the open logs that a word may name; `nil` if the word can only be a path.
    private static func opened(_ word: String, in place: WorkspaceOptions) -> OpenEvalLogs? {
        guard !isPath(word), !place.isUnused else { return nil }
        // Problem is harmless: a log can be read without a workspace, and a run without a workspace is rejected later.
        return (try? place.openForReading()).flatMap { try? OpenEvalLogs(in: $0) }
    }

    private static func isPath(_ word: String) -> Bool {
        ["/", "./", "../"].contains { word.hasPrefix($0) }
    }

    /// Returns the log at a path; `nil` if there is no file.
    private static func foreign(_ word: String) throws -> (any EvalLog)? {
        if access(word, F_OK) == 0 { return try one(of: EvalLogFormats.open(word), named: nil, at: word) }
        guard let mark = word.lastIndex(of: "#"), mark > word.startIndex else { return nil }
        let (path, name) = (String(word[..<mark]), String(word[word.index(after: mark)...]))
        guard access(path, F_OK) == 0 else { return nil }
        return try one(of: EvalLogFormats.open(path), named: name, at: path)
    }

    private static func one(of logs: [any EvalLog], named name: String?, at path: String) throws -> any EvalLog {
        let runs = logs.map(\.run)
        if let name {
            for word in Self.words {
                let fitting = runs.indices.filter { runs[$0][keyPath: word] == name }
                if fitting.count == 1 { return logs[fitting[0]] }
            }
            if let number = Int(name), logs.indices.contains(number - 1) { return logs[number - 1] }
        } else if logs.count == 1 {
            return logs[0]
        }
        let lead = name.map { "\(path): #\($0) does not identify one of its \(logs.count) runs" }
        throw Problem(
            .invalid, "", lead ?? "\(path) contains \(logs.count) runs",
            remedy: "Choose one: \(told(runs, at: path)).")
    }

    /// Names of a run, starting with the most distinctive.
    private static var words: [KeyPath<EvalRun, String>] { [\.task, \.model, \.name, \.key] }

    /// Returns words after `#` that identify runs: `FILE#1 or FILE#reading, FILE#2 or FILE#writing`.
    private static func told(_ runs: [EvalRun], at path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let word = words.first { word in
            let names = runs.map { $0[keyPath: word] }
            return Set(names).count == names.count && !names.contains("") && !names.contains { Int($0) != nil }
        }
        let most = 12
        let names = runs.prefix(most).enumerated().map { place, run in
            "\(file)#\(place + 1)" + (word.map { " or '\(file)#\(run[keyPath: $0])'" } ?? "")
        }
        return names.joined(separator: ", ") + (runs.count > most ? ", and so on, up to #\(runs.count)" : "")
    }

    /// Returns the rows in task order.
    func rows() throws -> [EvalRow] {
        try log.allRows()
    }

    /// Passes rows to `body` in batches until `body` returns false: a log may not fit in memory.
    func read(_ body: ([EvalRow]) throws -> Bool) throws { try log.read(body) }

    /// Returns the sample with a name, or with a number from 1 as shown in tables.
    func row(_ word: String) throws -> EvalRow {
        var found: EvalRow?
        var placed: EvalRow?
        let place = Int(word).map { $0 &- 1 }
        try read { rows in
            found = rows.first { $0.id == word }
            placed = placed ?? rows.first { $0.index == place }
            return found == nil
        }
        if let row = found ?? placed { return row }
        throw Problem(
            .missing, "", "\(run.name) has no sample \"\(word)\"", remedy: "Use a sample name or its number (#).")
    }
}

extension EvalLog {
    /// Passes rows to `body` in batches until `body` returns false.
    func read(_ body: ([EvalRow]) throws -> Bool) throws {
        let run = run
        // A run in progress has gaps; a foreign log ends at its last row.
        let end = run.path == nil ? run.total : nil
        var start = 0
        while start < end ?? .max {
            let rows = try rows(start..<(start + EvalTarget.window)) { false }
            if rows.isEmpty, end == nil { return }
            guard try body(rows) else { return }
            start += EvalTarget.window
        }
    }

    /// Returns the head with all counts if the log is small enough to read quickly.
    func countedRun() -> EvalRun {
        let run = run
        guard run.errors == nil, let path = run.path, EvalTarget.isSmall(path) else { return run }
        var errors = 0
        guard
            (try? read { rows in
                errors += rows.count { $0.outcome == .error }
                return true
            }) != nil
        else { return run }
        // The read has determined the counts.
        var counted = self.run
        if counted.completed > 0 { counted.errors = errors }
        return counted
    }
}

extension EvalTarget {
    /// Rows per batch.
    fileprivate static let window = 2_048
    /// Maximum size in bytes of a log that is read to the end to count its samples.
    private static let small = 2 << 20

    fileprivate static func isSmall(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size <= small
    }
}
