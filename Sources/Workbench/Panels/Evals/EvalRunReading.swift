internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import LanguageModels

/// The texts about a run, next to the list.
struct EvalRunReading {
    var entry: EvalRunEntry
    /// Its samples, if they are read.
    var open: OpenEval?

    func sections(_ about: EvalPage.About) -> [TextSection] {
        switch about {
        case .overview:
            // Rows that continue a list start with blanks and need no hanging indent.
            overview.map { TextSection($0, hang: $0.text.hasPrefix(" ") ? nil : 16) }
        case .slices:
            open.map(SliceReading.sections) ?? [TextSection(StyledLine("Enter loads the samples", .dim))]
        case .settings: settings
        }
    }

    private typealias Figure = (name: String, value: String, role: Console.Role)

    private static func line(_ figure: Figure) -> StyledLine {
        StyledLine([
            .init(figure.name.truncated(toColumns: 15).padding(to: 16), .dim), .init(figure.value, figure.role),
        ])
    }

    /// Groups of figures, with blank lines between.
    private var overview: [StyledLine] {
        let parts = [
            (live + standing).map(Self.line), outcomes, metrics, wrong, origin.map(Self.line),
        ]
        return parts.filter { !$0.isEmpty }.reduce(into: []) { lines, part in
            if !lines.isEmpty { lines.append(StyledLine("")) }
            lines += part
        }
    }

    /// The figures without styles.
    private var figures: [Figure] { live + standing + told + origin }

    private var told: [Figure] {
        entry.run.metrics.map {
            (EvalFigure.name($0, in: entry.run), EvalFigure.text($0) + "   n \($0.count)", .strong)
        }
    }

    /// Progress, pace, latency, and waits of an active run.
    private var live: [Figure] {
        guard let progress = entry.progress else {
            guard entry.run.state == .running else { return [] }
            let done = entry.samples + (entry.total.map { " of \(Format.count($0))" } ?? "")
            return [
                entry.isPaused
                    ? ("paused", "in another process: P resumes", .warning)
                    : ("running", "in another process", .success),
                ("samples", done + (entry.share.map { "   \($0)" } ?? ""), .text),
            ]
        }
        var figures: [Figure] = []
        figures.append(
            (
                entry.isPaused ? "paused" : "running",
                "\(Format.count(progress.completed)) of \(Format.count(progress.total))"
                    + (entry.share.map { "   \($0)" } ?? "") + epochs
                    + (entry.isPaused ? "   P resumes" : ""),
                entry.isPaused ? .warning : .success
            ))
        if entry.isElsewhere { figures.append(("", "in another process", .dim)) }
        var pace = Format.rate(progress.rate, "samples")
        if let left = progress.remaining, !entry.isPaused { pace += "   about \(EvalFigure.seconds(left)) left" }
        figures.append(("pace", pace, .text))
        let chosen = entry.most.map { $0 == progress.concurrency ? "" : "   \(Format.count($0)) requested" } ?? ""
        figures.append(
            (
                "in flight",
                "\(Format.count(progress.working)) of at most \(Format.count(progress.concurrency))" + chosen, .text
            ))
        if let latency = progress.latency {
            let times = [latency.median, latency.p95, latency.p99].map(EvalFigure.seconds)
            figures.append(("latency", "p50 \(times[0])  p95 \(times[1])  p99 \(times[2])", .text))
        }
        figures += progress.waits.prefix(4).map { ("", EvalFigure.wait($0), .warning) }
        if progress.errors > 0 { figures.append(("errors", Format.count(progress.errors), .failure)) }
        if progress.cached > 0 { figures.append(("from the cache", Format.count(progress.cached), .dim)) }
        if let score = progress.score {
            figures.append(("so far", "\(Format.metric(score)) over scored samples", .strong))
        }
        figures.append(
            ("spent", Self.spent(progress.isUsageUntold ? nil : progress.usage.total, progress.cost), .text))
        return figures
    }

    /// Returns tokens and cost in words: `240 tokens, $0.02`, or `tokens and cost unknown`.
    private static func spent(_ tokens: Int?, _ cost: Double?) -> String {
        switch (tokens, cost) {
        case (let tokens?, let cost?): "\(Format.compact(tokens)) total tokens, \(Format.money(cost))"
        case (let tokens?, nil): "\(Format.compact(tokens)) total tokens, cost unknown"
        case (nil, let cost?): "\(Format.money(cost)), tokens not reported"
        case (nil, nil): "tokens and cost unknown"
        }
    }

    /// `   48 samples × 350 epochs`; empty if every sample is asked once.
    private var epochs: String {
        let epochs = entry.run.epochs
        guard epochs > 1 else { return "" }
        return "   " + (entry.total.map { "\(Format.count($0 / epochs, "sample")) × " } ?? "") + "\(epochs) epochs"
    }

    private var standing: [Figure] {
        let run = entry.run
        var figures: [Figure] = []
        if entry.progress == nil, run.state != .running {
            figures.append(("state", run.stateWord, EvalFigure.state(run.state)))
        }
        if let problem = run.problem { figures.append(("reason", problem, .failure)) }
        if entry.progress == nil, run.state != .running {
            let total =
                run.total.map { $0 == run.completed ? "" : " of \(Format.count($0))" } ?? " (total not recorded)"
            figures.append(
                (run.unit, entry.isCounted ? Format.count(run.completed) + total + epochs : "not counted yet", .text))
        }
        if entry.progress == nil, let cached = run.cachedWords { figures.append(("answers", cached, .warning)) }
        if entry.progress == nil, let unscored = run.unscoredWords { figures.append(("scores", unscored, .warning)) }
        return figures
    }

    /// Outcomes of the samples with their shares.
    private var outcomes: [StyledLine] {
        guard let open, open.id == entry.id, open.index.known > 0 else {
            return entry.errors > 0 ? [Self.outcome(.error, entry.errors, of: entry.completed)] : []
        }
        let all: [EvalRow.Outcome] = [.passed, .failed, .error, .unscored, .scored]
        var lines = all.compactMap { outcome -> StyledLine? in
            let count = open.index.count(of: outcome)
            return count > 0 ? Self.outcome(outcome, count, of: open.index.known) : nil
        }
        if !open.isRead { lines.append(StyledLine("still reading", .dim, .italic)) }
        return lines
    }

    private static func outcome(_ outcome: EvalRow.Outcome, _ count: Int, of all: Int) -> StyledLine {
        let word = EvalFigure.outcome(outcome)
        return StyledLine([
            .init(word.word.padding(to: 16), .dim), .init(Format.count(count).padding(leftTo: 7), word.role),
            .init(Format.share(Double(count) / Double(max(1, all))).padding(leftTo: 9), .dim),
        ])
    }

    /// The largest groups of what went wrong.
    private var wrong: [StyledLine] {
        if let cause = entry.cause, entry.cameToNothing { return [Self.line(("reason", cause, .failure))] }
        guard let open, open.id == entry.id, let found = open.failures, found.failed > 0 else { return [] }
        let shown = found.clusters.prefix(3).map { cluster in
            StyledLine([
                .init("".padding(to: 16)),
                .init(Format.count(cluster.samples.count).padding(leftTo: 7), cluster.cause.role),
                .init("  \(cluster.title)", .text),
            ])
        }
        let rest = found.clusters.count - shown.count
        let more = StyledLine(
            String(repeating: " ", count: 25) + (rest > 0 ? "W shows \(rest) more" : "W shows details"), .dim)
        return [StyledLine("what went wrong", .dim)] + shown + [more]
    }

    /// One line per metric: value, uncertainty, and the number of samples if not all have a value.
    private var metrics: [StyledLine] {
        let run = entry.run
        guard !run.metrics.isEmpty else {
            return entry.isAlive || entry.cameToNothing ? [] : [StyledLine("the log has no metrics", .dim)]
        }
        // The confusion chart shows these cells.
        let cells = run.metrics.filter { $0.name.hasPrefix("confusion[") }
        let shown = run.metrics.filter { !$0.name.hasPrefix("confusion[") }
        let widest = shown.map { DisplayWidth.of(EvalFigure.name($0, in: run)) }.max() ?? 0
        let width = min(24, max(16, widest + 1))
        var lines = shown.flatMap { metric -> [StyledLine] in
            var line = StyledLine(
                EvalFigure.name(metric, in: run).truncated(toColumns: width - 1).padding(to: width), .dim)
            line.append(Format.metric(metric.value).padding(leftTo: 7), .strong)
            if let sureness = EvalFigure.sureness(metric) { line.append("  \(sureness)", .text) }
            if metric.count != run.completed {
                let count = run.epochs > 1 ? Format.count(metric.count, "sample") : Format.count(metric.count)
                line.append("  n \(count)", .dim)
            }
            if !metric.higherIsBetter { line.append("  lower is better", .dim) }
            guard let note = metric.note else { return [line] }
            return [line, StyledLine(String(repeating: " ", count: width + 2) + note, .warning)]
        }
        if !cells.isEmpty {
            lines.append(
                StyledLine([
                    .init("confusion".padding(to: width), .dim),
                    .init("\(cells.count) cells: see the Confusion chart", .dim),
                ]))
        }
        return lines
    }

    private var origin: [Figure] {
        let run = entry.run
        var figures: [Figure] = [
            ("task", run.task + (run.taskVersion.isEmpty ? "" : "  version \(run.taskVersion)"), .text),
            ("model", run.model, .text),
        ]
        if let start = run.start {
            var text = Format.timestamp(Int(start / 1_000_000_000))
            if let seconds = entry.seconds { text += "   took \(EvalFigure.seconds(seconds))" }
            figures.append(("started", text, .dim))
        }
        if entry.progress == nil {
            figures.append(
                (
                    "spent",
                    Self.spent(run.usage?.total, run.cost) + (run.isCostEstimated ? " at list prices" : ""), .dim
                ))
        }
        if run.format != "orrery" { figures.append(("recorded by", run.format, .dim)) }
        if let path = run.path { figures.append(("log", path, .dim)) }
        return figures
    }

    private var settings: [TextSection] {
        guard !entry.run.settings.isEmpty else {
            return [TextSection(StyledLine("no settings were recorded", .dim))]
        }
        let told = entry.run.settings.flatMap { setting -> [TextSection] in
            setting.value.contains("\n") || setting.value.utf8.count > 60
                ? [TextSection(StyledLine(setting.name, .heading)), TextSection(setting.value), TextSection("")]
                : [TextSection(Self.line((setting.name, setting.value, .text)), hang: 16)]
        }
        guard let prompt = open?.prompt else { return told }
        let title = StyledLine("prompt version \(prompt.version)", .heading)
        return told + [TextSection(""), TextSection(title), TextSection(prompt.text)]
    }

    /// The figures as a Markdown table.
    var markdown: String {
        func cell(_ text: String) -> String { Escape.printable(text).map { $0 == "|" ? "\\|" : String($0) }.joined() }
        return
            (["## \(cell(entry.title))", "", "| | |", "|---|---|"]
            + figures.map { "| \(cell($0.name)) | \(cell($0.value)) |" }).joined(separator: "\n") + "\n"
    }
}
