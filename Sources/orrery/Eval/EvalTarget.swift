import Evals
import Glibc
import Traces
import Workspace

/// A run of the workspace, a log that the workspace has open, or a log at a path.
struct EvalTarget {
    let log: any EvalLog
    /// Its number in the workspace; nil for a log of another program.
    let number: Int64?

    var run: EvalRun { log.run }

    /// The run that a word means: `12`, `latest`, the name of a run or of a log that the workspace has open, or the path
    /// of a log; `PATH#NAME` or `PATH#2` where a file holds several runs. `./12` is the file called 12. A word that means
    /// none of these may be the name of a recorded sample log, such as `before`.
    init(_ word: String, in place: WorkspaceOptions) throws { (log, number) = try Self.find(word, in: place) }

    private static func find(_ word: String, in place: WorkspaceOptions) throws -> (any EvalLog, number: Int64?) {
        if let number = known(word, in: place) {
            if access(word, F_OK) == 0 { Output.note("\(word) is a run of the workspace; the file is ./\(word).") }
            return (try EvalStore(try place.openForReading()).log(number), number)
        }
        let opened = opened(word, in: place)
        if let log = try opened?.log(named: word) {
            if access(word, F_OK) == 0 { Output.note("\(word) is a log open in the workspace; the file is ./\(word).") }
            return (log, nil)
        }
        if let log = try foreign(word) { return (log, nil) }
        guard !place.isUnused else {
            if let log = try sample(word) { return (log, nil) }
            throw Failure("\(word): there is no such file, and no workspace with runs: orrery eval run TASK makes one.")
        }
        let store = EvalStore(try place.openForReading())
        if let log = try opened?.log(beginning: word, besides: store.runs().map(\.name)) { return (log, nil) }
        do {
            let number = Int64(try store.find(word).key)
            return (try store.log(number ?? 0), number)
        } catch let error as EvalRunError {
            guard let log = try sample(word) else { throw error }
            return (log, nil)
        }
    }

    /// The recorded sample log of this name; nil if no such log is installed.
    private static func sample(_ word: String) throws -> (any EvalLog)? {
        let folder = "sample-data/evals/recorded"
        guard InstalledFiles.names(in: folder).contains("\(word).jsonl"), let path = InstalledFiles.folder(folder)
        else { return nil }
        Output.note("\(word) is a sample log: \(path)/\(word).jsonl")
        return try one(of: EvalLogFormats.open("\(path)/\(word).jsonl"), named: nil, at: word)
    }

    /// The run whose number or whole name a word is; nil where there is none, or the word can only be a path.
    private static func known(_ word: String, in place: WorkspaceOptions) -> Int64? {
        guard !isPath(word), !place.isUnused,
            let workspace = try? place.openForReading(), let run = try? EvalStore(workspace).find(word),
            word == "latest" || run.key == word || run.name == word
        else { return nil }
        return Int64(run.key)
    }

    /// The open logs among which a word may name one; nil where the word can only be a path.
    private static func opened(_ word: String, in place: WorkspaceOptions) -> OpenEvalLogs? {
        guard !isPath(word), !place.isUnused else { return nil }
        // Failure is harmless: a log is read without a workspace, and a run of one that does not open is refused later.
        return (try? place.openForReading()).flatMap { try? OpenEvalLogs(in: $0) }
    }

    private static func isPath(_ word: String) -> Bool {
        ["/", "./", "../"].contains { word.hasPrefix($0) }
    }

    /// The log at a path; nil where nothing is there.
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
        let lead = name.map { "\(path): none of its \(logs.count) runs is meant by #\($0) alone" }
        throw Failure((lead ?? "\(path): it holds \(logs.count) runs") + ": name one, as in \(told(runs, at: path)).")
    }

    /// By what a run is named, the first that tells it from the others first.
    private static var words: [KeyPath<EvalRun, String>] { [\.task, \.model, \.name, \.key] }

    /// The words after `#` that mean each of some runs: `FILE#1 or FILE#reading, FILE#2 or FILE#writing`.
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
        return names.joined(separator: ", ") + (runs.count > most ? " and so on to #\(runs.count)" : "")
    }

    /// Its rows, in the order of the task.
    func rows() throws -> [EvalRow] {
        try log.allRows()
    }

    /// Hands over its rows, so many at once, until `body` wants no more: a log may have more than memory holds.
    func read(_ body: ([EvalRow]) throws -> Bool) throws { try log.read(body) }

    /// The sample that a word means: its name, or its place from 1, as tables show it.
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
        throw Failure("\(word): \(run.name) has no sample of this name or place.")
    }
}

extension EvalLog {
    /// Hands over its rows, so many at once, until `body` wants no more.
    func read(_ body: ([EvalRow]) throws -> Bool) throws {
        let run = run
        // A run of the workspace has gaps while it is running; a log of others ends where it ends.
        let end = run.path == nil ? run.total : nil
        var start = 0
        while start < end ?? .max {
            let rows = try rows(start..<(start + EvalTarget.window)) { false }
            if rows.isEmpty, end == nil { return }
            guard try body(rows) else { return }
            start += EvalTarget.window
        }
    }

    /// The head with all counts, where the log is so small that reading it costs no time.
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
        // What was found on the way is known now.
        var counted = self.run
        if counted.completed > 0 { counted.errors = errors }
        return counted
    }
}

extension EvalTarget {
    /// Rows that are read at once.
    fileprivate static let window = 2_048
    /// Bytes of a log that is read to its end to count what is in it.
    private static let small = 2 << 20

    fileprivate static func isSmall(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size <= small
    }
}
