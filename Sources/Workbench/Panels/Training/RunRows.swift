internal import Console
internal import Formatting
internal import TrainingLab

/// The list of runs: running ones first, then by time of the last change.
struct RunRows: Sendable {
    private(set) var runs: [RunSummary] = []
    var list = ListView()

    var selected: RunSummary? { runs.indices.contains(list.selection) ? runs[list.selection] : nil }

    /// Updates the rows; the cursor stays on its run.
    ///
    /// Running runs are sorted by their start. Sorted by change, two of them would swap places at every update.
    mutating func show(_ runs: [RunSummary]) {
        let before = selected?.id
        self.runs =
            runs.filter(\.isAlive).sorted { ($0.created, $0.id) > ($1.created, $1.id) } + runs.filter { !$0.isAlive }
        list.count = runs.count
        if let before { select(before) }
    }

    @discardableResult
    mutating func select(_ id: Int64) -> Bool {
        guard let index = runs.firstIndex(where: { $0.id == id }) else { return false }
        list.select(index)
        return true
    }

    /// The column of states is as wide as its content. Names get the rest, and the narrowest list shows only names.
    var table: Table {
        let states = runs.map { DisplayWidth.of($0.standing) }.max() ?? 0
        return Table([
            .init("", minimum: 1),
            .init("run", minimum: 10, weight: 1),
            .init("state", minimum: max(6, states), priority: 1),
            .init("step", alignment: .right, minimum: 6, priority: 3),
            .init("loss", alignment: .right, minimum: 6, priority: 2),
            .init("started", alignment: .right, minimum: 10, priority: 4),
        ])
    }

    func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int64?, chart: CurveChart,
        now: Int64
    ) {
        table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { index, column in
            let run = runs[index]
            switch column {
            case 0: return .init(chart.sign(of: run.id, theme.glyphs) ?? "", chart.role(of: run.id) ?? .text)
            case 1: return .init(run.name, run.id == shown ? .accent : .text)
            case 2: return .init(run.standing, run.state.role)
            case 3: return .init(Format.compact(run.step), .dim)
            case 4:
                guard let loss = run.loss else { return .init(String(Character(theme.glyphs.nothing)), .faint) }
                return .init(Format.loss(loss), loss.isFinite ? .text : .failure)
            default:
                guard let started = run.started else {
                    return .init(String(Character(theme.glyphs.nothing)), .faint)
                }
                let seconds = Int(started / 1_000_000_000)
                return .init(Format.clock(seconds, now: Int(now / 1_000_000_000)), .dim)
            }
        }
    }
}
