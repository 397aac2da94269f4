internal import JSON
internal import Synchronization
public import Traces

/// Logs of Inspect as one JSON document.
public enum InspectDocumentFormat: EvalLogFormat {
    public static let format = "inspect"
    public static let title = "an Inspect log"
    public static let kind = EvalLogKind.inspectDocument

    public static func open(
        _ path: String, isCancelled: @Sendable () -> Bool
    ) throws(EvalLogError) -> [any EvalLog] { [try InspectDocument(path, isCancelled)] }
}

/// One JSON log: the places of its samples are found as far as rows are asked for.
final class InspectDocument: EvalLog {
    /// What is known of the file so far.
    private struct State {
        let file: LogFile
        let head: InspectHead
        let reading: InspectRows
        var index: ArrayIndex
        var stamp: LogStamp

        private static let members = ["version", "status", "eval", "plan", "results", "stats", "error"]

        init(_ path: String, _ isCancelled: () -> Bool) throws(EvalLogError) {
            file = try LogFile(path)
            stamp = LogStamp(file)
            var index = ArrayIndex(file, path: ["samples"])
            try index.find(1, isCancelled: isCancelled)
            var head = try LogJSON.parse(try index.head(State.members), path: path, place: "head") {
                InspectHead($0, path: path, isFinished: true)
            }
            var reading = InspectRows()
            reading.clusterKey = head.clusterKey
            // Samples may be large: the names come from few of them.
            try index.find(4, isCancelled: isCancelled)
            for place in 0..<min(4, index.elements.count) {
                try LogJSON.parse(try index.bytes(place), path: path, place: "sample \(place)") { reading.learn($0) }
            }
            reading.settle()
            head.run.scores = reading.scores
            head.run.slices = reading.slices
            self.head = head
            self.reading = reading
            self.index = index
        }
    }

    private let path: String
    private let state: Mutex<State>

    init(_ path: String, _ isCancelled: () -> Bool) throws(EvalLogError) {
        self.path = path
        state = Mutex(try State(path, isCancelled))
    }

    var run: EvalRun {
        state.withLock { state in
            var run = state.head.run
            let (count, isAll) = (state.index.elements.count, state.index.isComplete || state.index.problem != nil)
            run.completed = isAll ? count : max(count, run.completed)
            run.isCounted = isAll || state.head.run.completed > 0
            run.take(state.index.problem, promised: run.total ?? state.head.run.completed)
            return run
        }
    }

    func refresh() -> EvalLogChange {
        state.withLock { state in
            guard state.stamp.look(state.file) != .none else { return .none }
            // The file is rewritten as a whole; meanwhile, the known state stays.
            guard let newer = try? State(path, { false }) else { return .replaced }
            state = newer
            return .replaced
        }
    }

    func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
        var rows: [EvalRow] = []
        for place in range where place >= 0 {
            if isCancelled() { throw EvalLogError(path: path, problem: "cancelled", isCancellation: true) }
            guard let (bytes, _, reading) = try known(place, isCancelled) else { break }
            let row = try LogJSON.parse(bytes, path: path, place: "sample \(place)") { node in
                let messages = InspectMessages(node)
                return reading.row(node, index: place) { messages.resolve($0) }
            }
            rows.append(row)
        }
        return rows
    }

    func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord {
        let (bytes, head, reading) = try whole(index)
        return try LogJSON.parse(bytes, path: path, place: "sample \(index)") {
            InspectSample($0, head: head).record(reading, index: index)
        }
    }

    func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] {
        let (bytes, head, _) = try whole(index)
        return try LogJSON.parse(bytes, path: path, place: "sample \(index)") {
            InspectSpans(InspectSample($0, head: head)).records
        }
    }

    private func whole(_ place: Int) throws(EvalLogError) -> ([UInt8], InspectHead, InspectRows) {
        guard place >= 0, let found = try known(place, { false }) else {
            throw EvalLogError(path: path, place: "sample \(place)", problem: "the sample is not in the log")
        }
        return found
    }

    /// The bytes of a sample, and what is needed to read them; `nil` beyond the last.
    private func known(
        _ place: Int, _ isCancelled: () -> Bool
    ) throws(EvalLogError) -> ([UInt8], InspectHead, InspectRows)? {
        let found = state.withLock { state in
            Result { () throws(EvalLogError) -> ([UInt8], InspectHead, InspectRows)? in
                state.index.goOn()
                try state.index.find(place + 1, isCancelled: isCancelled)
                guard place < state.index.elements.count else { return nil }
                return (try state.index.bytes(place), state.head, state.reading)
            }
        }
        return try found.get()
    }
}
