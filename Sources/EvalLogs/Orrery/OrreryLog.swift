internal import JSON
internal import LanguageModels
internal import Synchronization
internal import Traces

/// A log of this program's own: lines are found as far as rows are asked for, and each is read when it is shown.
final class OrreryLog: EvalLog {
    private struct State {
        var file: LogFile
        var head: EvalRun
        var index: LineIndex
        var stamp: LogStamp
        var losses = LogLosses()

        init(_ file: LogFile, _ isCancelled: () -> Bool) throws(EvalLogError) {
            self.file = file
            stamp = LogStamp(file)
            (head, index) = try OrreryLogFormat.head(file, isCancelled)
            if file.size <= LogFile.countedAtOnce { try index.findAll(.max, isCancelled: isCancelled) }
            losses.isCut = file.endsCut
        }
    }

    private let path: String
    private let state: Mutex<State>

    init(_ file: LogFile, _ isCancelled: () -> Bool) throws(EvalLogError) {
        path = file.path
        state = Mutex(try State(file, isCancelled))
    }

    var run: EvalRun {
        state.withLock { state in
            var run = state.head
            // What the head promises holds until the end has been seen.
            let isAll = state.index.progress >= state.file.size
            let found = max(
                0, state.index.count - 1 - state.losses.samples.count - (isAll && state.losses.isCut ? 1 : 0))
            let promised = run.completed > 0 ? run.completed : run.state == .done ? run.total ?? 0 : 0
            run.completed = isAll ? found : max(run.completed, found)
            run.isCounted = isAll || state.head.completed > 0
            run.take(state.losses, isAll: isAll, promised: promised)
            return run
        }
    }

    func refresh() -> EvalLogChange {
        state.withLock { state in
            let change = state.stamp.look(state.file)
            if change == .none { return .none }
            state.losses.isCut = state.file.endsCut
            if change == .grown { return .grown }
            // While the file is rewritten, it may lack a head; the known state stays until there is one again.
            if let file = try? LogFile(path), let newer = try? State(file, { false }) { state = newer }
            return .replaced
        }
    }

    func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
        var rows: [EvalRow] = []
        for place in range where place >= 0 {
            if isCancelled() { throw EvalLogError(path: path, problem: "cancelled", isCancellation: true) }
            do throws(EvalLogError) {
                guard let sample = try sample(at: place, isCancelled) else { break }
                rows.append(sample.row)
            } catch {
                // The others can be read.
                guard error.isOfOneLine else { throw error }
            }
        }
        return rows
    }

    func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord { try whole(index).record }

    func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] {
        let sample = try whole(index)
        if let spans = sample.spans {
            guard !spans.isEmpty else {
                throw EvalLogError(
                    path: path, place: "sample \(index)", problem: "the recorded spans cannot be read",
                    remedy: "Export the run again.")
            }
            return spans
        }
        return OrreryLogSpans(sample.record, of: state.withLock { $0.head }).spans
    }

    private func whole(_ index: Int) throws(EvalLogError) -> OrreryLogSample {
        guard index >= 0, let sample = try sample(at: index, { false }) else {
            throw EvalLogError(path: path, place: "sample \(index)", problem: "the sample is not in the log")
        }
        return sample
    }

    /// The sample of a line; `nil` beyond the last, and for a last one that is cut.
    private func sample(at place: Int, _ isCancelled: () -> Bool) throws(EvalLogError) -> OrreryLogSample? {
        guard place < Int(Int32.max) else { return nil }
        let found = state.withLock { state in
            Result { () throws(EvalLogError) -> (bytes: [UInt8], isUnended: Bool, head: EvalRun)? in
                try state.index.findAll(place + 2, isCancelled: isCancelled)
                guard place + 1 < state.index.count else { return nil }
                return (try state.index.bytes(place + 1), state.index.isUnended(place + 1), state.head)
            }
        }
        guard let line = try found.get() else { return nil }
        do throws(EvalLogError) {
            let name = "line \(place + 2)"
            let value = try LogJSON.parse(line.bytes, path: path, place: name) { JSONValue($0) }
            guard value.members != nil else {
                throw EvalLogError(path: path, place: name, problem: "the record is not a sample")
            }
            return OrreryLogSample(value, index: place, of: line.head)
        } catch {
            if line.isUnended {
                state.withLock { $0.losses.isCut = true }
                return nil
            }
            var error = error
            error.isOfOneLine = true
            state.withLock { state in
                state.losses.add(place, error)
                state.losses.lose(sample: place)
            }
            throw error
        }
    }
}
