internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Tables
internal import Traces

/// The list of runs as a table: each run with its first metric and how sure the metric is.
extension EvalRunRows {
    /// Returns the columns. Their widths depend on the listed runs, never on marks or the cursor, so columns stay in place.
    ///
    /// - Parameters:
    ///   - shown: Run whose samples are read.
    ///   - now: Wall time in nanoseconds since 1970.
    func columns(width: Int, theme: Theme, shown: Int64? = nil, now: Int64 = 0) -> Columns<EvalRunEntry> {
        var columns = Columns<EvalRunEntry>(width: width, theme: theme)
        func widest(_ text: (EvalRunEntry) -> String, _ range: ClosedRange<Int>) -> Int {
            let most = listed.prefix(500).reduce(0) { max($0, DisplayWidth.of(text($1))) }
            return min(range.upperBound, max(range.lowerBound, most))
        }
        columns.add("", minimum: 1) { entry in
            guard let place = marked.firstIndex(of: entry.id) else { return .init("") }
            return .init(place < 26 ? String(Character(Unicode.Scalar(UInt8(65 + place)))) : "*", .accent)
        }
        columns.add("run", minimum: widest(\.title, 10...16), weight: 3) {
            .init($0.title, $0.id == shown ? .accent : .text)
        }
        columns.add("state", minimum: widest(\.widestStanding, 5...12), priority: 2) { entry in
            entry.cameToNothing
                ? .init("\(Character(theme.glyphs.failed)) \(entry.standing)", .failure)
                : .init(entry.standing, entry.isPaused ? .warning : EvalFigure.state(entry.run.state))
        }
        columns.add("metric", minimum: widest(\.metricName, 6...14), priority: 6) { .init($0.metricName, .dim) }
        columns.add("value", align: .right, minimum: widest(\.metricValue, 7...10), priority: 1) { entry in
            if entry.metric != nil { return .init(entry.metricValue, .strong) }
            if entry.cameToNothing || entry.isAlive && entry.completed <= entry.errors { return .init("") }
            // The score of a running run is preliminary.
            return entry.progress?.score.map { .init(Format.metric($0), .dim) }
                ?? .init(String(Character(theme.glyphs.nothing)), .faint)
        }
        columns.add("n", align: .right, minimum: widest(\.scored, 3...6), priority: 7) { .init($0.scored, .dim) }
        let task = selected?.run.task
        columns.add("interval", minimum: 10, weight: 2, priority: 5) { entry, surface, area, state in
            guard let metric = entry.metric, metric.lower != nil else { return }
            IntervalBar(metric.value, lower: metric.lower, upper: metric.upper).draw(
                into: &surface, in: area, range: range(of: entry),
                style: theme.style(entry.run.task == task ? .accent : .dim, in: state),
                whisker: theme.style(.dim, in: state), glyphs: theme.glyphs)
        }
        columns.add("samples", align: .right, minimum: widest(\.progressOfSamples, 7...13), priority: 4) {
            .init($0.progressOfSamples, $0.isAlive ? .text : .dim)
        }
        // Reserved even while no run has errors: a log's errors may still be counted.
        columns.add("errors", align: .right, minimum: 6, priority: 3) { entry in
            entry.isForeign && entry.run.errors == nil
                ? .init("-", .dim) : .init(entry.errors > 0 ? Format.compact(entry.errors) : "", .warning)
        }
        columns.add("started", align: .right, minimum: 10, priority: 8) { entry in
            let start = entry.run.start.map { Int($0 / 1_000_000_000) }
            return .init(start.map { Format.clock($0, now: Int(now / 1_000_000_000)) } ?? "", .dim)
        }
        columns.add("cost", align: .right, minimum: widest(\.cost, 7...11), priority: 11) { .init($0.cost, .dim) }
        columns.add("model", minimum: widest(\.run.model, 8...16), weight: 1, priority: 9) {
            .init($0.run.model, .dim)
        }
        columns.add("task", minimum: widest(\.run.task, 6...16), weight: 1, priority: 10) { .init($0.run.task, .dim) }
        columns.add("time", align: .right, minimum: 8, priority: 12) { .init(EvalFigure.seconds($0.seconds), .dim) }
        columns.sort = (order.title, order == .task || order == .model)
        return columns
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int64?, now: Int64) {
        let columns = columns(width: area.columns, theme: theme, shown: shown, now: now)
        columns.draw(listed, list, into: &surface, in: area, isFocused: isFocused)
        // A run without a result shows its cause in place of its figures.
        let figures = columns.placed.filter { ["metric", "value", "n", "interval"].contains($0.title) }
        guard let first = figures.first?.columns, let last = figures.last?.columns else { return }
        let top = Table([]).rowsArea(in: area).row
        for index in list.visible {
            let entry = listed[index]
            guard entry.cameToNothing, entry.metric == nil, let cause = entry.cause else { continue }
            let state: RowState = index != list.selection ? .plain : isFocused ? .selected : .selectedInactive
            surface.put(
                cause,
                at: Point(
                    column: area.column + ListView.gutter + first.lowerBound, row: top + index - list.top),
                style: theme.style(.failure, in: state), width: last.upperBound - first.lowerBound)
        }
    }

    /// Returns the scale of a run's small bar: 0 to 1 if all runs of its task with its metric fit, so all shares
    /// have one axis; otherwise the range of those runs.
    func range(of entry: EvalRunEntry) -> ClosedRange<Double> {
        guard let metric = entry.metric else { return 0...1 }
        let peers = entries.filter {
            $0.run.task == entry.run.task && $0.metric?.isSameFigure(as: metric) == true
        }
        let values = peers.compactMap(\.metric).flatMap { [$0.value, $0.lower, $0.upper].compactMap(\.self) }
            .filter(\.isFinite)
        guard let least = values.min(), let greatest = values.max(), least < greatest else {
            return metric.value >= 0 && metric.value <= 1 ? 0...1 : (metric.value - 1)...(metric.value + 1)
        }
        return least >= 0 && greatest <= 1 ? 0...1 : least...greatest
    }
}

extension EvalRunEntry {
    fileprivate var metricName: String { metric.map { EvalFigure.name($0, in: run) } ?? "" }
    fileprivate var metricValue: String { metric.map { Format.metric($0.value) } ?? "" }
    fileprivate var cost: String { (progress?.cost ?? run.cost).map(Format.money) ?? "" }
    /// Number of samples behind the metric.
    fileprivate var scored: String { metric.map { Format.compact($0.count) } ?? "" }

    fileprivate var progressOfSamples: String {
        guard isCounted else { return samples }
        guard let total, total != completed else { return Format.compact(completed) }
        return "\(Format.compact(completed))/\(Format.compact(total))"
    }

    /// `done`, `running 62 %`, `cancelled`.
    var standing: String {
        isAlive ? (isPaused ? "paused" : "running") + (share.map { " \($0)" } ?? "") : run.stateWord
    }

    /// The state at its widest, because the share of a running run gets more digits.
    fileprivate var widestStanding: String {
        isAlive ? "running 99 %" : standing + (cameToNothing ? "  " : "")
    }
}
