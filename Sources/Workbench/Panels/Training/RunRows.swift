internal import Console
internal import TrainingLab

/// The list of runs, newest change first.
struct RunRows: Sendable {
    private(set) var runs: [RunSummary] = []
    var list = ListView()

    var selected: RunSummary? { runs.indices.contains(list.selection) ? runs[list.selection] : nil }

    /// New rows; the cursor stays on the run that it was on.
    mutating func show(_ runs: [RunSummary]) {
        let before = selected?.id
        self.runs = runs
        list.count = runs.count
        if let before { select(before) }
    }

    @discardableResult
    mutating func select(_ id: Int64) -> Bool {
        guard let index = runs.firstIndex(where: { $0.id == id }) else { return false }
        list.select(index)
        return true
    }

    static let table = Table([
        .init("", minimum: 1),
        .init("run", minimum: 10, weight: 2),
        .init("state", minimum: 8, weight: 0, priority: 2),
        .init("step", alignment: .right, minimum: 6, priority: 1),
        .init("loss", alignment: .right, minimum: 6),
    ])

    /// - Parameter series: the color of each run whose curve is drawn.
    func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int64?, series: [Int64: Role]
    ) {
        Self.table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { index, column in
            let run = runs[index]
            switch column {
            case 0: return series[run.id].map { .init(String(Character(theme.glyphs.dot)), $0) } ?? .init("")
            case 1: return .init(run.name, run.id == shown ? .accent : .text)
            case 2: return .init(run.state.word, run.state.role)
            case 3: return .init(Format.compact(run.step), .dim)
            default:
                guard let loss = run.loss else { return .init(String(Character(theme.glyphs.nothing)), .faint) }
                return .init(loss.isFinite ? AxisLabel.text(loss) : "\(loss)", loss.isFinite ? .text : .failure)
            }
        }
    }
}
