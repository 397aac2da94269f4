internal import JSON
internal import LanguageModels
internal import Synchronization
public import Traces

/// Results of promptfoo as JSON (`promptfoo eval -o results.json`, since version 3 of its format).
public enum PromptfooFormat: EvalLogFormat {
    public static let format = "promptfoo"
    public static let title = "promptfoo results"
    public static let kind = EvalLogKind.promptfoo

    public static func open(
        _ path: String, isCancelled: @Sendable () -> Bool
    ) throws(EvalLogError) -> [any EvalLog] {
        let file = try LogFile(path)
        let heads = try heads(of: file, isCancelled)
        return heads.enumerated().map { PromptfooLog(file, heads, column: $0.offset) }
    }

    /// The heads of the columns, one for each.
    static func heads(of file: LogFile, _ isCancelled: () -> Bool) throws(EvalLogError) -> [EvalRun] {
        let path = file.path
        var index = ArrayIndex(file, path: ["results", "results"])
        try index.find(32, isCancelled: isCancelled)
        guard index.isInside else {
            throw EvalLogError(
                path: path, problem: index.problem ?? "the list results.results is missing",
                remedy: "Use promptfoo results of format version 3 or later.")
        }
        var first: [JSONValue] = []
        for place in 0..<min(32, index.elements.count) {
            first.append(
                try LogJSON.parse(try index.bytes(place), path: path, place: "result \(place)") { JSONValue($0) })
        }
        let prompts = try member("results.prompts", index)?.elements ?? []
        let time = try member("results.timestamp", index)?.timestamp
        let key = try member("evalId", index)?.text ?? path
        var heads: [EvalRun] = []
        var names: [String: Int] = [:]
        for column in 0..<max(1, min(prompts.count, 1024)) {
            let prompt = column < prompts.count ? prompts[column] : nil
            var head = PromptfooReader.head(prompt, column, first, path: path, key: key, time: time)
            // The same prompt may stand in two columns, under the same name.
            names[head.name, default: 0] += 1
            if let count = names[head.name], count > 1 { head.name += " (\(count))" }
            heads.append(head)
        }
        return heads
    }

    private static func member(_ name: String, _ index: ArrayIndex) throws(EvalLogError) -> JSONValue? {
        guard let bytes = try index.bytes(ofMember: name) else { return nil }
        return try LogJSON.parse(bytes, path: index.file.path, place: name) { JSONValue($0) }
    }
}

/// One column of a promptfoo evaluation: a prompt with a provider.
final class PromptfooLog: RecordLog {
    private struct State {
        let file: LogFile
        let head: EvalRun
        /// Column of the run; `nil` if there is only one.
        let column: Int?
        var index: ArrayIndex
        var stamp: LogStamp
        /// Elements of this column.
        var places: [Int] = []
        var taken = 0

        init(_ file: LogFile, _ heads: [EvalRun], column: Int) {
            self.file = file
            head = heads[column]
            self.column = heads.count > 1 ? column : nil
            index = ArrayIndex(file, path: ["results", "results"])
            stamp = LogStamp(file)
        }
    }

    let path: String
    private let column: Int
    private let state: Mutex<State>

    init(_ file: LogFile, _ heads: [EvalRun], column: Int) {
        path = file.path
        self.column = column
        state = Mutex(State(file, heads, column: column))
    }

    var run: EvalRun {
        state.withLock { state in
            var run = state.head
            let isEnd = state.index.isComplete || state.index.problem != nil
            let isAll = isEnd && state.taken == state.index.elements.count
            run.completed = isAll ? state.places.count : max(run.completed, state.places.count)
            run.isCounted = isAll || state.head.completed > 0
            run.take(state.index.problem, promised: run.total ?? state.head.completed)
            return run
        }
    }

    func refresh() -> EvalLogChange {
        state.withLock { state in
            guard state.stamp.look(state.file) != .none else { return .none }
            // The file is rewritten as a whole; meanwhile, the known state stays.
            if let file = try? LogFile(path), let heads = try? PromptfooFormat.heads(of: file, { false }),
                heads.indices.contains(column)
            {
                state = State(file, heads, column: column)
            }
            return .replaced
        }
    }

    static var noun: String { "result" }
    var head: EvalRun { state.withLock { $0.head } }

    func record(
        _ place: Int, _ isCancelled: () -> Bool
    ) throws(EvalLogError) -> (record: EvalSampleRecord, head: EvalRun)? {
        let found = state.withLock { state in
            Result { () throws(EvalLogError) in
                try value(place, &state, isCancelled).map { ($0, state.head) }
            }
        }
        return try found.get().map { (PromptfooReader.record($0.0, index: place, run: $0.1), $0.1) }
    }

    private func value(_ place: Int, _ state: inout State, _ isCancelled: () -> Bool) throws(EvalLogError) -> JSONValue?
    {
        if place < state.places.count { return try parse(state.places[place], state) }
        while true {
            try state.index.find(state.taken + 1, isCancelled: isCancelled)
            guard state.taken < state.index.elements.count else { return nil }
            let element = state.taken
            state.taken += 1
            let value = try parse(element, state)
            if let column = state.column, let own = value["promptIdx"]?.int, own != column { continue }
            state.places.append(element)
            if state.places.count > place { return value }
        }
    }

    private func parse(_ element: Int, _ state: State) throws(EvalLogError) -> JSONValue {
        try LogJSON.parse(try state.index.bytes(element), path: path, place: "result \(element)") { JSONValue($0) }
    }
}
