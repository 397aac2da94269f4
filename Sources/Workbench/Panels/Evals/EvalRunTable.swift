internal import Console
internal import EvalLogs
internal import Evals

/// The list of runs as a table: each with its first figure, what that is, and how sure it is.
struct EvalRunTable {
    enum Column: Int, CaseIterable {
        case mark, name, state, metric, value, scored, interval, samples, errors, began, cost, model, task, time
    }

    var rows: EvalRunRows

    /// Widths depend on what the list holds, never on marks or the cursor, so that columns stay where they are.
    var table: Table {
        let entries = rows.listed
        func widest(_ text: (EvalRunEntry) -> String, _ range: ClosedRange<Int>) -> Int {
            let most = entries.prefix(500).reduce(0) { max($0, DisplayWidth.of(text($1))) }
            return min(range.upperBound, max(range.lowerBound, most))
        }
        var table = Table(
            Column.allCases.map { column in
                switch column {
                case .mark: .init("", minimum: 1)
                case .name: .init("run", minimum: widest(\.title, 10...16), weight: 3)
                case .state: .init("state", minimum: widest(Self.widestStanding, 5...12), priority: 2)
                case .metric: .init("metric", minimum: widest(Self.metric, 6...14), priority: 6)
                case .value: .init("value", alignment: .right, minimum: widest(Self.value, 7...10), priority: 1)
                case .scored:
                    .init("n", alignment: .right, minimum: widest(Self.scored, 3...6), priority: 7)
                case .interval: .init("interval", minimum: 10, weight: 2, priority: 5)
                case .samples:
                    .init("samples", alignment: .right, minimum: widest(Self.samples, 7...13), priority: 4)
                // Reserved even while no run has errors: a log's errors may still be counted.
                case .errors: .init("errors", alignment: .right, minimum: 6, priority: 3)
                case .began: .init("started", alignment: .right, minimum: 10, priority: 8)
                case .cost: .init("cost", alignment: .right, minimum: widest(Self.cost, 7...11), priority: 11)
                case .model: .init("model", minimum: widest(\.run.model, 8...16), weight: 1, priority: 9)
                case .task: .init("task", minimum: widest(\.run.task, 6...16), weight: 1, priority: 10)
                case .time: .init("time", alignment: .right, minimum: 8, priority: 12)
                }
            })
        let order = rows.order
        table.sort = .init(column: order.column.rawValue, isAscending: order == .task || order == .model)
        return table
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int64?, now: Int64) {
        let table = table
        table.draw(rows.list, into: &surface, in: area, theme: theme, isFocused: isFocused) { index, column in
            guard let column = Column(rawValue: column) else { return .init("") }
            return cell(rows.listed[index], column, shown: shown, now: now, theme: theme)
        }
        drawIntervals(table, into: &surface, in: area, theme: theme, isFocused: isFocused)
    }

    private func cell(
        _ entry: EvalRunEntry, _ column: Column, shown: Int64?, now: Int64, theme: Theme
    ) -> Table.Cell {
        let run = entry.run
        switch column {
        case .mark:
            guard let place = rows.marked.firstIndex(of: entry.id) else { return .init("") }
            return .init(place < 26 ? String(Character(Unicode.Scalar(UInt8(65 + place)))) : "*", .accent)
        case .name: return .init(entry.title, entry.id == shown ? .accent : .text)
        case .state:
            if entry.cameToNothing {
                return .init("\(Character(theme.glyphs.failed)) \(Self.standing(entry))", .failure)
            }
            return .init(Self.standing(entry), entry.isPaused ? .warning : EvalFigure.state(run.state))
        case .metric: return .init(Self.metric(entry), .dim)
        case .value:
            if let metric = entry.metric { return .init(EvalFigure.value(metric.value), .strong) }
            if entry.cameToNothing || entry.isAlive && entry.completed <= entry.errors { return .init("") }
            guard let score = entry.progress?.score else {
                return .init(String(Character(theme.glyphs.nothing)), .faint)
            }
            // Not the run's figure yet.
            return .init(EvalFigure.value(score), .dim)
        case .scored: return .init(Self.scored(entry), .dim)
        case .interval: return .init("")
        case .samples: return .init(Self.samples(entry), entry.isAlive ? .text : .dim)
        case .errors:
            if entry.isForeign, run.errors == nil { return .init("-", .dim) }
            return .init(entry.errors > 0 ? Format.compact(entry.errors) : "", .warning)
        case .began:
            guard let start = run.start else { return .init("") }
            return .init(Format.clock(Int(start / 1_000_000_000), now: Int(now / 1_000_000_000)), .dim)
        case .cost: return .init(Self.cost(entry), .dim)
        case .model: return .init(run.model, .dim)
        case .task: return .init(run.task, .dim)
        case .time: return .init(EvalFigure.seconds(entry.seconds), .dim)
        }
    }

    private static func metric(_ entry: EvalRunEntry) -> String {
        entry.metric.map { EvalFigure.name($0, in: entry.run) } ?? ""
    }

    private static func value(_ entry: EvalRunEntry) -> String {
        entry.metric.map { EvalFigure.value($0.value) } ?? ""
    }

    private static func cost(_ entry: EvalRunEntry) -> String {
        (entry.progress?.cost ?? entry.run.cost).map(Format.money) ?? ""
    }

    /// Of how many samples the value is.
    private static func scored(_ entry: EvalRunEntry) -> String {
        entry.metric.map { Format.compact($0.count) } ?? ""
    }

    private static func samples(_ entry: EvalRunEntry) -> String {
        guard entry.isCounted else { return entry.samples }
        guard let total = entry.total, total != entry.completed else { return Format.compact(entry.completed) }
        return "\(Format.compact(entry.completed))/\(Format.compact(total))"
    }

    /// A state at its widest: a run's share grows by digits.
    private static func widestStanding(_ entry: EvalRunEntry) -> String {
        entry.isAlive ? "running 99 %" : standing(entry) + (entry.cameToNothing ? "  " : "")
    }

    /// `done`, `running 62 %`, `cancelled`.
    static func standing(_ entry: EvalRunEntry) -> String {
        guard entry.isAlive else { return entry.run.stateWord }
        return (entry.isPaused ? "paused" : "running") + (entry.share.map { " \($0)" } ?? "")
    }

    // MARK: Intervals

    /// Returns the scale of a run's small bar: 0 to 1 if all runs of its task with its metric fit, so all shares
    /// have one axis; otherwise the range of those runs.
    func range(of entry: EvalRunEntry) -> ClosedRange<Double> {
        guard let metric = entry.metric else { return 0...1 }
        let peers = rows.entries.filter {
            $0.run.task == entry.run.task && $0.metric?.isSameFigure(as: metric) == true
        }
        let values = peers.compactMap(\.metric).flatMap { [$0.value, $0.lower, $0.upper].compactMap(\.self) }
            .filter(\.isFinite)
        guard let least = values.min(), let greatest = values.max(), least < greatest else {
            return metric.value >= 0 && metric.value <= 1 ? 0...1 : (metric.value - 1)...(metric.value + 1)
        }
        return least >= 0 && greatest <= 1 ? 0...1 : least...greatest
    }

    private func drawIntervals(
        _ table: Table, into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool
    ) {
        let lines = table.rowsArea(in: area)
        let placed = table.layout(width: max(0, area.columns - ListView.gutter - 1))
        let (list, task) = (rows.list, rows.selected?.run.task)
        for index in list.visible where index - list.top < lines.rows {
            let entry = rows.listed[index]
            let look: RowState = index != list.selection ? .plain : isFocused ? .selected : .selectedInactive
            let row = lines.row + index - list.top
            if entry.cameToNothing, entry.metric == nil {
                drawCause(entry, placed, into: &surface, row: row, area, theme, look)
            }
            guard let place = placed.first(where: { $0.column == Column.interval.rawValue }), let metric = entry.metric,
                metric.lower != nil
            else { continue }
            IntervalBar(metric.value, lower: metric.lower, upper: metric.upper).draw(
                into: &surface,
                in: Rect(
                    column: area.column + ListView.gutter + place.offset, row: row, columns: place.width, rows: 1),
                // Figures beyond 0 to 1 are on a scale of their own, by task.
                range: range(of: entry), style: theme.style(entry.run.task == task ? .accent : .dim, in: look),
                whisker: theme.style(.dim, in: look), glyphs: theme.glyphs)
        }
    }

    /// In place of the figures that it has not: why.
    private func drawCause(
        _ entry: EvalRunEntry, _ placed: [Table.Placed], into surface: inout Surface, row: Int, _ area: Rect,
        _ theme: Theme, _ look: RowState
    ) {
        let own = placed.filter { (Column.metric.rawValue...Column.interval.rawValue).contains($0.column) }
        guard let first = own.first, let last = own.last, let cause = entry.cause else { return }
        surface.put(
            cause, at: Point(column: area.column + ListView.gutter + first.offset, row: row),
            style: theme.style(.failure, in: look), width: last.offset + last.width - first.offset)
    }
}
