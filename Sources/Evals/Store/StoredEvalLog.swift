public import EvalLogs
internal import GRDB
internal import LanguageModels
internal import Synchronization
public import Traces
internal import Workspace

/// A run of this workspace as a log.
///
/// The index of a row is the sample's index in its task times the number of epochs, plus the epoch starting at 0. A run
/// in progress has missing rows: those of samples that have not ended.
public final class StoredEvalLog: EvalLog {
    /// Number of the run.
    public let id: Int64
    private let workspace: Workspace
    private let known: Mutex<EvalRun>
    /// Records read ahead for callers that read them in order.
    private let ahead = Mutex(RecordsAhead())

    init(_ workspace: Workspace, id: Int64, first: EvalRun) {
        self.workspace = workspace
        self.id = id
        known = Mutex(first)
    }

    public var run: EvalRun {
        let last = known.withLock { $0 }
        // An ended run is not read again; it changes only through another log or store.
        guard last.state == .running || last.state == .interrupted else { return last }
        guard let fresh = try? EvalStore(workspace).run(id) else { return last }
        known.withLock { $0 = fresh }
        return fresh
    }

    public func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
        guard !range.isEmpty else { return [] }
        let keys = SampleKey.range(of: id, range)
        let rows = try reading { db -> [EvalRow]? in
            let statement = try Workspace.Statement(
                db, "SELECT id, data FROM eval_row WHERE id BETWEEN ? AND ? ORDER BY id")
            statement.bind(1, keys.lowerBound)
            statement.bind(2, keys.upperBound)
            var rows: [EvalRow] = []
            while try statement.step() {
                if rows.count % 1024 == 0, isCancelled() { return nil }
                let index = SampleKey(id: statement.int64(0)).index
                do {
                    rows.append(try PackedRow.row(statement.blob(1), index: index))
                } catch {
                    throw self.damage(index)
                }
            }
            return rows
        }
        guard let rows else { throw error("reading was canceled", isCancellation: true) }
        return rows
    }

    public func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord {
        let (row, stored, trace) = try parts(index)
        let record = EvalSampleRecord(row: row, stored: stored, trace: trace)
        return record
    }

    /// Returns all steps of a sample, as solvers and judges reported them.
    public func solution(of index: Int) throws(EvalLogError) -> Solution { try parts(index).stored.solution }

    public func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] {
        let (row, stored, _) = try parts(index)
        return trace(row, stored).spans
    }

    /// Returns the external id of the trace that `spans(of:)` makes.
    public func traceID(of index: Int) throws(EvalLogError) -> String {
        let (row, stored, _) = try parts(index)
        return trace(row, stored).trace
    }

    private func trace(_ row: EvalRow, _ stored: StoredSample) -> SampleTrace {
        let run = known.withLock { $0 }
        let sample = TaskSample(
            id: row.id, request: .generation(ModelRequest(.text(stored.input))), targets: stored.targets,
            choices: stored.choices, cluster: row.cluster, slices: row.slices)
        // A repeated sample has another trace than the failed attempt, which may have been stored.
        return SampleTrace(
            run: "\(run.key) \(stored.start)", task: run.task, name: run.name, sample: sample, epoch: row.epoch,
            solution: stored.solution, scores: stored.scores, problem: row.outcome == .error ? row.problem : nil,
            start: stored.start,
            end: stored.end)
    }

    private func parts(
        _ index: Int
    ) throws(EvalLogError) -> (row: EvalRow, stored: StoredSample, trace: String?) {
        guard (0..<0x1_0000_0000).contains(index) else { throw missing(index) }
        let (kept, window) = ahead.withLock { $0.take(index) }
        var record = kept
        if record == nil {
            var found = try read(index..<min(index + window, 0x1_0000_0000))
            record = found.removeValue(forKey: index)
            if window > 1 {
                let rest = found
                ahead.withLock { $0.keep(rest) }
            }
        }
        guard let record else { throw missing(index) }
        do {
            let bytes = try Decompressor().decompress(record.data)
            let row = try record.row.withUnsafeBytes { try PackedRow.row($0, index: index) }
            return (row, try StoredSample(bytes), record.trace)
        } catch {
            throw damage(index)
        }
    }

    /// Returns the stored records of some samples by index; beyond the first, at most a few megabytes at a time.
    private func read(_ range: Range<Int>) throws(EvalLogError) -> [Int: RecordsAhead.Record] {
        let keys = SampleKey.range(of: id, range)
        return try reading { db in
            let statement = try Workspace.Statement(
                db,
                """
                SELECT id, eval_row.data, eval_record.data, trace FROM eval_row JOIN eval_record USING (id)
                WHERE id BETWEEN ? AND ? ORDER BY id
                """)
            statement.bind(1, keys.lowerBound)
            statement.bind(2, keys.upperBound)
            var records: [Int: RecordsAhead.Record] = [:]
            var size = 0
            while size < RecordsAhead.mostBytes, try statement.step() {
                let record = RecordsAhead.Record(
                    row: Array(statement.blob(1)), data: Array(statement.blob(2)), trace: statement.optionalText(3))
                size += record.data.count
                records[SampleKey(id: statement.int64(0)).index] = record
            }
            return records
        }
    }

    private func reading<Value>(_ body: (Database) throws -> Value) throws(EvalLogError) -> Value {
        do {
            return try workspace.read(body)
        } catch let error as EvalLogError {
            throw error
        } catch {
            throw self.error("\(error)")
        }
    }

    private func error(_ problem: String, isCancellation: Bool = false) -> EvalLogError {
        var problem = problem
        while problem.last == "." { problem.removeLast() }
        return EvalLogError(
            path: workspace.path, place: "run \(id)", problem: problem, isCancellation: isCancellation)
    }

    private func missing(_ index: Int) -> EvalLogError {
        EvalLogError(
            path: workspace.path, place: "run \(id), sample \(index)", problem: "the sample has not ended",
            remedy: "Wait until it ends, or choose another sample.")
    }

    private func damage(_ index: Int) -> EvalLogError {
        EvalLogError(
            path: workspace.path, place: "run \(id), sample \(index)", problem: "the sample is corrupt",
            remedy: "Run orrery workspace check.")
    }
}
