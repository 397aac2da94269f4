import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import Statistics
import System
import Tables

/// Formats runs, rows, and metrics for the command line.
enum EvalText {
    static func table(of runs: [EvalRun]) -> String { EvalRun.table.text(runs) }

    /// Returns `180/200`; `-` if the number is unknown until the log is read, `2,048+` during the read.
    static func samples(_ run: EvalRun) -> String {
        guard run.isCounted else { return run.completed > 0 ? "\(Format.count(run.completed))+" : "-" }
        guard let total = run.total, total > run.completed else { return Format.count(run.completed) }
        return "\(Format.count(run.completed))/\(Format.count(total))"
    }

    /// Returns `180 of 200 samples`.
    static func sampleWords(_ run: EvalRun) -> String {
        guard run.isCounted else {
            return run.completed > 0
                ? "\(Format.count(run.completed)) samples or more"
                : "unknown number of samples; add --samples to count them"
        }
        let epochs = run.epochs > 1 ? " (\(run.epochs) epochs)" : ""
        guard let total = run.total, total > run.completed else {
            return "\(Format.count(run.completed)) \(run.unit)\(epochs)"
        }
        return "\(Format.count(run.completed)) of \(Format.count(total)) \(run.unit)\(epochs)"
    }

    static func metrics(_ metrics: [EvalMetric]) -> String {
        var table = TextTable(["metric", "value", "error", "95 %", "samples", ""], rightAligned: [1, 2, 4])
        for metric in metrics {
            table.add([
                metric.title(among: metrics), Format.metric(metric.value),
                metric.standardError.map(Format.metric) ?? "",
                interval(metric), count(metric),
                metric.note ?? "",
            ])
        }
        return table.text
    }

    /// Returns the number of samples behind a figure; `-` if the log does not record it.
    static func count(_ metric: EvalMetric) -> String {
        metric.count > 0 || !metric.value.isFinite ? Format.count(metric.count) : "-"
    }

    static func interval(_ metric: EvalMetric) -> String {
        guard let lower = metric.lower, let upper = metric.upper else { return "" }
        return interval(Interval(lower: lower, upper: upper, level: metric.level ?? 0.95))
    }

    /// Returns `[0.703, 0.812]`, or an empty string without an interval.
    static func interval(_ interval: Interval?) -> String { Format.interval(interval?.lower, interval?.upper) ?? "" }

    /// Returns one line per sample; texts are truncated only for a terminal.
    static func rows(_ rows: [EvalRow], scores: [EvalScoreKind]) -> String {
        let shown = Array(scores.prefix(3))
        var table = TextTable(
            ["#", "id", "epoch", "outcome"] + shown.map(\.name)
                + ["answer", "target", "input", rows.contains { $0.problem != nil } ? "problem" : ""],
            rightAligned: Set([0, 2] + shown.indices.map { 4 + $0 }))
        for row in rows {
            table.add(
                [String(row.index + 1), row.id, String(row.epoch), row.outcome.rawValue]
                    + shown.indices.map { $0 < row.scores.count ? Format.metric(row.scores[$0]) : "" }
                    + [short(row.answer, 40), short(row.target, 24), short(row.input, 60), row.problem ?? ""])
        }
        return table.text
    }

    private static func short(_ text: String, _ width: Int) -> String {
        text.count <= width || !Output.isTerminal ? text : text.prefix(width - 1) + "…"
    }
}

extension EvalRun: Tabular {
    static func columns(_ table: inout Columns<EvalRun>) {
        table.text("run", align: .right) { $0.path == nil ? $0.key : $0.format }
        table.text("when") { $0.start.map(Format.timestamp(nanoseconds:)) ?? "" }
        table.text("state", \.stateWord)
        table.text("samples", align: .right, EvalText.samples)
        table.text("errors", json: nil, align: .right, \.errors) { $0.map(Format.count) ?? "-" }
        table.text("metric") { run in run.metrics.first.map { $0.title(among: run.metrics) } ?? "" }
        table.text("value", json: nil, align: .right, \.metrics.first?.value) { $0.map(Format.metric) ?? "" }
        table.text("n", align: .right) { $0.metrics.first.map(EvalText.count) ?? "" }
        table.text("95 %") { $0.metrics.first.map(EvalText.interval) ?? "" }
        table.text("task", \.task)
        table.text("model", \.model)
        table.text("name", \.name)
    }
}
