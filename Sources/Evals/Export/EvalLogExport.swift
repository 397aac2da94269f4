public import EvalLogs

/// Exports the samples of any log, whichever program wrote it, as JSON Lines or as a table.
///
/// The JSON lines are a log themselves, with the run's head in the first: `EvalLogFormats` opens them anywhere.
public struct EvalLogExport: Sendable {
    /// Export formats.
    public enum Format: String, CaseIterable, Sendable {
        case jsonLines = "jsonl"
        case csv
    }

    let log: any EvalLog
    let withSpans: Bool
    /// Indices of the samples to write; `nil` writes all.
    let only: Set<Int>?
    let forSpreadsheets: Bool

    /// - Parameters:
    ///   - withSpans: Whether JSON Lines include the spans of every sample, from which its trace can be made without the
    ///     workspace. The log then grows by half to several times.
    ///   - only: Indices of the samples to write; `nil` writes all.
    ///   - forSpreadsheets: Whether a table has an apostrophe before texts that a spreadsheet would read as formulas.
    public init(
        _ log: any EvalLog, withSpans: Bool = false, only: Set<Int>? = nil, forSpreadsheets: Bool = false
    ) {
        self.log = log
        self.withSpans = withSpans
        self.only = only
        self.forSpreadsheets = forSpreadsheets
    }

    /// Writes every sample in order.
    ///
    /// - Parameter write: Called with each piece of the file.
    public func write(
        _ format: Format, isCancelled: @Sendable () -> Bool = { false }, to write: ([UInt8]) -> Void
    ) throws(EvalLogError) {
        let run = log.run
        write(format == .csv ? CSVLine.bytes(Self.columns(run)) : OrreryLogWriter.head(told(run)))
        var start = 0
        while !isCancelled() {
            let rows = try log.rows(start..<start + 256, isCancelled: isCancelled)
            for row in rows where only?.contains(row.index) ?? true {
                switch format {
                case .csv: write(CSVLine.bytes(try fields(row, run), forSpreadsheets: forSpreadsheets))
                case .jsonLines:
                    let spans = withSpans ? try log.spans(of: row.index) : []
                    write(OrreryLogWriter.line(try log.sample(row.index), spans: spans))
                }
            }
            start += 256
            // A run in progress has missing rows, so an empty window does not mean the end.
            if rows.isEmpty, start >= run.total ?? 0 { return }
        }
    }

    /// Returns the head to write, with the number of samples that are written.
    private func told(_ run: EvalRun) -> EvalRun {
        guard let only, only.count < run.completed else { return run }
        var told = run
        (told.completed, told.total) = (only.count, only.count)
        told.holdFigures(of: run.completed)
        return told
    }

    private static func columns(_ run: EvalRun) -> [String] {
        ["id", "epoch", "outcome"] + run.scores.map(\.name) + ["cluster"] + run.slices
            + ["input", "answer", "target", "problem", "seconds", "tokens", "cost"]
    }

    private func fields(_ row: EvalRow, _ run: EvalRun) throws(EvalLogError) -> [String] {
        let texts = try texts(row)
        let scores = run.scores.indices.map { place in
            row.scores.indices.contains(place) && row.scores[place].isFinite ? String(row.scores[place]) : ""
        }
        let slices = run.slices.indices.map { row.slices.indices.contains($0) ? row.slices[$0] : "" }
        return [row.id, String(row.epoch), row.outcome.rawValue] + scores + [row.cluster ?? ""] + slices
            + [
                texts.input, texts.answer, texts.target, row.problem ?? "", row.seconds.map { String($0) } ?? "",
                row.tokens.map { String($0) } ?? "", row.cost.map { String($0) } ?? "",
            ]
    }

    /// Returns the whole texts of a sample, or those of its row if the log has no others and they are complete.
    private func texts(_ row: EvalRow) throws(EvalLogError) -> (input: String, answer: String, target: String) {
        do throws(EvalLogError) {
            let sample = try log.sample(row.index)
            return (sample.input, sample.answer ?? row.answer, sample.targets.joined(separator: " | "))
        } catch {
            guard max(row.input.count, row.answer.count, row.target.count) < 200 else { throw error }
            return (row.input, row.answer, row.target)
        }
    }
}
