internal import JSON
internal import Synchronization

/// A log of JSON lines: their places are found as far as rows are asked for, and each is read when it is shown.
final class LineLog<Reader: LineLogReader>: RecordLog {
    /// Reads what stands at the head of a file, and how its lines are to be read.
    typealias Opening = @Sendable (LogFile) throws(EvalLogError) -> (head: EvalRun, reader: Reader)

    private let open: Opening
    let path: String
    private let state: Mutex<State>
    /// State at the last look, so that reading the head never waits for rows that are being read.
    private let seen: Mutex<EvalRun>

    init(_ file: LogFile, _ open: @escaping Opening) throws(EvalLogError) {
        self.open = open
        path = file.path
        let first = State(file, try open(file))
        seen = Mutex(Self.run(first))
        state = Mutex(first)
    }

    var run: EvalRun {
        let now = state.withLockIfAvailable { Self.run($0) }
        return seen.withLock { seen in
            if let now { seen = now }
            return seen
        }
    }

    private static func run(_ state: State) -> EvalRun {
        var run = state.head
        let isAll = state.endSeen == state.file.size
        run.completed = isAll ? state.count : max(run.completed, state.count)
        run.isCounted = isAll || state.head.completed > 0
        var losses = state.losses
        losses.isCut = losses.isCut || state.lacksLines
        run.take(losses, isAll: isAll, promised: state.head.completed)
        // If a log does not record how many samples its metrics cover, they cover all of them.
        if run.isCounted {
            for place in run.metrics.indices where run.metrics[place].count == 0 {
                run.metrics[place].count = run.completed
            }
        }
        // A dead writer leaves no notice, so the log's age decides.
        if run.state == .running { run.state = .unended(state.file.path) }
        return run
    }

    func refresh() -> EvalLogChange { state.withLock { $0.refresh(open) } }

    static var noun: String { "sample" }
    var head: EvalRun { state.withLock { $0.head } }

    func record(
        _ place: Int, _ isCancelled: () -> Bool
    ) throws(EvalLogError) -> (record: EvalSampleRecord, head: EvalRun)? {
        let found = state.withLock { state in
            Result { () throws(EvalLogError) in
                try state.lines(of: place, isCancelled).map { ($0.lines, $0.part, state.head, state.reader) }
            }
        }
        guard let (lines, part, head, reader) = try found.get() else { return nil }
        var values: [JSONValue] = []
        var failure: (error: EvalLogError, isCut: Bool)?
        for line in lines {
            do throws(EvalLogError) {
                values.append(try LogJSON.parse(line.bytes, path: path, place: line.place) { JSONValue($0) })
            } catch {
                // A sample with other lines is usable without the truncated or corrupt one.
                failure = failure ?? (error, line.isUnended)
                if !line.isUnended { state.withLock { $0.losses.add(line.start, error) } }
            }
        }
        if values.isEmpty, var failure {
            if failure.isCut {
                state.withLock { $0.cut() }
                return nil
            }
            failure.error.isOfOneLine = true
            state.withLock { $0.losses.lose(sample: place) }
            throw failure.error
        }
        return (reader.record(values, part: part, index: place, run: head), head)
    }
}
