internal import Bytes
internal import JSON
internal import Synchronization
public import Traces

/// Logs of Inspect as ZIP archives (`.eval`), finished or not.
public enum InspectArchiveFormat: EvalLogFormat {
    public static let format = "inspect"
    public static let title = "an Inspect log"
    public static let kind = EvalLogKind.inspectArchive

    public static func open(
        _ path: String, isCancelled: @Sendable () -> Bool
    ) throws(EvalLogError) -> [any EvalLog] { [try InspectArchive(path, isCancelled)] }
}

/// One ZIP log: its directory is read at once, summaries as far as rows are asked for, samples one by one.
final class InspectArchive: EvalLog {
    private let path: String
    private let state: Mutex<State>
    /// The head as it was last seen: who asks for it never waits for rows that are being read.
    private let seen: Mutex<EvalRun>

    init(_ path: String, _ isCancelled: @Sendable () -> Bool) throws(EvalLogError) {
        self.path = path
        let first = try State(path, isCancelled)
        seen = Mutex(first.run)
        state = Mutex(first)
    }

    var run: EvalRun {
        let now = state.withLockIfAvailable { state in
            state.refresh()
            return state.run
        }
        return seen.withLock { seen in
            if let now { seen = now }
            return seen
        }
    }

    func refresh() -> EvalLogChange {
        state.withLock { state in
            state.look()
            return state.takeNews()
        }
    }

    func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
        try locked { state throws(EvalLogError) in
            try state.rows(range, isCancelled)
        }
    }

    func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord {
        let (bytes, name, rows, head) = try whole(index)
        return try LogJSON.parse(bytes, path: path, place: name) {
            InspectSample($0, head: head).record(rows, index: index)
        }
    }

    func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] {
        let (bytes, name, _, head) = try whole(index)
        return try LogJSON.parse(bytes, path: path, place: name) {
            InspectSpans(InspectSample($0, head: head)).records
        }
    }

    /// The bytes of a sample, and what is needed to read them.
    private func whole(_ index: Int) throws(EvalLogError) -> ([UInt8], String, InspectRows, InspectHead) {
        let found = try locked { state throws(EvalLogError) in
            (try state.entry(index), state.directory, state.reading, state.head)
        }
        // Decompressed outside of the lock: the list goes on while a large sample is read.
        do throws(EvalLogError) {
            return (try found.1.bytes(of: found.0), found.0.name, found.2, found.3)
        } catch {
            guard state.withLock({ $0.hasChanged }) else { throw error }
            throw EvalLogError(
                path: error.path, place: error.place, problem: error.problem,
                remedy: "The file has changed since it was opened. Open it again.")
        }
    }

    private func locked<R: Sendable>(_ body: (inout State) throws(EvalLogError) -> R) throws(EvalLogError) -> R {
        let result = state.withLock { state -> Result<R, EvalLogError> in
            do throws(EvalLogError) { return .success(try body(&state)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
