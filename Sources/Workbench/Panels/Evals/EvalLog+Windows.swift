internal import EvalLogs
internal import Evals
internal import Formatting
internal import Workspace

/// Consecutive rows of a log, and the header at the time of reading.
struct LogWindow: Sendable {
    var rows: [EvalRow]
    /// Index after the last row.
    var end: Int
    var run: EvalRun
    var isLast: Bool
}

extension EvalLog {
    /// Reads all rows, window by window.
    ///
    /// - Parameters:
    ///   - first: Index of the first row to read.
    ///   - firstSize: Rows of the first window, which should appear soon.
    /// - Returns: The last window.
    /// - Throws: `CancellationError`, or the error of the log.
    func readWindows(
        from first: Int = 0, firstSize: Int = 2_048, until cancellation: Cancellation,
        each: (LogWindow) throws -> Void
    ) throws -> LogWindow {
        var (start, size) = (first, firstSize)
        while true {
            try cancellation.check()
            let range = start..<(start + size)
            let rows: [EvalRow] = try cancellation.during { try self.rows(range, isCancelled: $0) }
            let run = run
            // The rows of a running run have gaps, and so do logs with damaged lines.
            let isLast =
                run.path == nil
                ? rows.count < size && range.upperBound >= (run.total ?? run.completed) : rows.isEmpty
            let window = LogWindow(rows: rows, end: range.upperBound, run: run, isLast: isLast)
            try each(window)
            if isLast { return window }
            (start, size) = (range.upperBound, 2_048)
        }
    }
}

/// Figures of a run that need all of its rows.
struct RowSummary: Sendable {
    private(set) var slices: [EvalSlices]?
    private(set) var sampleCount = 0
    /// Whether one of the first samples with a score has a confidence.
    private(set) var tellsSureness = false
    private var rows: [EvalRow] = []

    /// Maximum number of rows, without texts, in memory for slices.
    static let mostRows = 200_000
    static var tooMany: String {
        "more than \(Format.count(mostRows)) samples: use orrery eval show LOG --by NAME to group them"
    }

    mutating func add(_ more: [EvalRow]) {
        guard rows.count <= Self.mostRows else { return }
        rows += more.map { row in
            EvalRow(
                index: row.index, id: row.id, epoch: row.epoch, outcome: row.outcome, scores: row.scores, input: "",
                cluster: row.cluster, slices: row.slices)
        }
    }

    /// Computes the figures from the added rows, and releases the rows.
    mutating func finish(_ log: any EvalLog, of run: EvalRun) {
        if run.scores.first?.hasThreshold == true {
            tellsSureness = rows.lazy.filter { $0.outcome == .passed || $0.outcome == .failed }.prefix(8).contains {
                (try? log.sample($0.index))?.scores.contains { $0.confidence != nil } ?? false
            }
        }
        if rows.count <= Self.mostRows {
            let found = run.slices.compactMap { try? EvalSlices(rows, of: run, by: $0) }
            if !found.isEmpty { (slices, sampleCount) = (found, Set(rows.map(\.id)).count) }
        }
        rows = []
    }
}

extension Cancellation {
    /// Reads a log, and throws `CancellationError` in place of the log's error if the read was canceled: no page reports
    /// a cancellation as a failure.
    package func during<Value>(_ read: (@escaping @Sendable () -> Bool) throws -> Value) throws -> Value {
        do { return try read { self.isCancelled } } catch let error as EvalLogError where error.isCancellation {
            throw CancellationError()
        }
    }
}
