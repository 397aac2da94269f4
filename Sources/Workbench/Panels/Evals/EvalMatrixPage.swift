internal import Console
internal import Traces

/// Prompts by models: the newest run of each, with the metric and its interval.
struct EvalMatrixPage: Sendable {
    private(set) var rows: [String] = []
    private(set) var columns: [String] = []
    /// `[rows, columns]`; nil where there is no such run.
    private(set) var cells: [EvalRunEntry?] = []
    private(set) var task = ""
    private(set) var metric = ""
    /// Runs that an older one of the same prompt and model hides, for the title.
    private(set) var hidden = 0
    var cursor = HeatGrid.Place(row: 0, column: 0)

    /// Names of settings that make a prompt, in the order in which they are told.
    private static let prompts = ["prompt", "template", "prompt_version"]

    var selected: EvalRunEntry? { cell(cursor.row, cursor.column) }

    func cell(_ row: Int, _ column: Int) -> EvalRunEntry? {
        guard rows.indices.contains(row), columns.indices.contains(column) else { return nil }
        return cells[row * columns.count + column]
    }

    /// The runs of one task, in their group where they have one.
    mutating func show(_ entries: [EvalRunEntry], about selected: EvalRunEntry?) {
        guard let selected else { return self = EvalMatrixPage() }
        let group = Self.setting("group", selected)
        let own = entries.filter {
            $0.run.task == selected.run.task && (group == nil || Self.setting("group", $0) == group)
        }
        task = selected.run.task
        metric = own.compactMap(\.metric).first?.name ?? ""
        let varying = Self.varying(own)
        var newest: [String: [String: EvalRunEntry]] = [:]
        var (rows, columns): ([String], [String]) = ([], [])
        hidden = 0
        for entry in own.sorted(by: { ($0.run.start ?? 0, $0.id) < ($1.run.start ?? 0, $1.id) }) {
            let row = Self.label(entry, varying)
            if !rows.contains(row) { rows.append(row) }
            if !columns.contains(entry.run.model) { columns.append(entry.run.model) }
            if newest[row, default: [:]].updateValue(entry, forKey: entry.run.model) != nil { hidden += 1 }
        }
        (self.rows, self.columns) = (rows, columns)
        cells = rows.flatMap { row in columns.map { newest[row]?[$0] } }
        if let place = cells.firstIndex(where: { $0?.id == selected.id }) {
            cursor = .init(row: place / columns.count, column: place % columns.count)
        }
    }

    /// Goes to the first cell whose prompt or model has all of the words; false where there is none.
    mutating func find(_ typed: String) -> Bool {
        let words = typed.lowercased().split(separator: " ")
        guard !words.isEmpty else { return false }
        for row in rows.indices {
            for column in columns.indices where cell(row, column) != nil {
                let text = "\(rows[row])\n\(columns[column])".lowercased()
                guard words.allSatisfy({ text.contains($0) }) else { continue }
                cursor = .init(row: row, column: column)
                return true
            }
        }
        return false
    }

    private static func setting(_ name: String, _ entry: EvalRunEntry) -> String? {
        entry.run.settings.first { $0.name == name }?.value
    }

    /// Settings besides the prompt of which the runs have different ones.
    private static func varying(_ entries: [EvalRunEntry]) -> [String] {
        var values: [String: Set<String>] = [:]
        var order: [String] = []
        for entry in entries {
            for setting in entry.run.settings where setting.name != "group" && setting.name != "model" {
                if values[setting.name] == nil { order.append(setting.name) }
                values[setting.name, default: []].insert(setting.value)
            }
        }
        return order.filter { values[$0, default: []].count > 1 }
    }

    private static func label(_ entry: EvalRunEntry, _ varying: [String]) -> String {
        let prompt = prompts.compactMap { setting($0, entry) }.first
        let others = varying.filter { !prompts.contains($0) }.compactMap { name in
            setting(name, entry).map { "\(name) \($0)" }
        }
        let parts = [prompt ?? (others.isEmpty ? "the task's prompt" : nil)].compactMap(\.self) + others
        return parts.joined(separator: ", ").replacing("\n", with: " ")
    }

    // MARK: Drawing

    private static let cellRows = 3

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        guard !rows.isEmpty, !columns.isEmpty, area.rows > 3 else { return }
        let values = cells.map { $0?.metric?.value ?? .nan }.filter(\.isFinite)
        let least = min(0, values.min() ?? 0)
        let scale = HeatScale.sequential(max: Float((values.max() ?? 1) - least))
        let palette = HeatPalette(theme)
        let labels = min(area.columns / 4, rows.map { DisplayWidth.of($0) }.max() ?? 8) + 2
        let width = max(12, min(26, (area.columns - labels) / columns.count))
        let room = max(1, (area.columns - labels) / width)
        let first = max(0, min(cursor.column - room / 2, columns.count - room))
        let high = max(1, (area.rows - 1) / Self.cellRows)
        let top = max(0, min(cursor.row - high / 2, rows.count - high))
        for column in first..<min(columns.count, first + room) {
            let place = Point(column: area.column + labels + (column - first) * width, row: area.row)
            surface.put(
                columns[column], at: place, style: theme[column == cursor.column ? .accent : .columnHeader],
                width: width - 2)
        }
        for row in top..<min(rows.count, top + high) {
            let line = area.row + 1 + (row - top) * Self.cellRows
            surface.put(
                rows[row], at: Point(column: area.column, row: line),
                style: theme[row == cursor.row ? .accent : .text], width: labels - 1)
            for column in first..<min(columns.count, first + room) {
                let cell = Rect(
                    column: area.column + labels + (column - first) * width, row: line, columns: width - 1, rows: 2)
                draw(row, column, into: &surface, in: cell, scale, least, palette, theme, isFocused)
            }
        }
    }

    private func draw(
        _ row: Int, _ column: Int, into surface: inout Surface, in area: Rect, _ scale: HeatScale, _ least: Double,
        _ palette: HeatPalette, _ theme: Theme, _ isFocused: Bool
    ) {
        let isCursor = cursor == HeatGrid.Place(row: row, column: column)
        let metric = cell(row, column)?.metric
        let style =
            metric.map { palette.textStyle(of: Float($0.value - least), on: scale, theme: theme) } ?? theme[.faint]
        surface.fill(area, style: style)
        if isCursor {
            surface.fill(
                Rect(column: area.column, row: area.row, columns: 1, rows: 2), with: theme.glyphs.cursorBar,
                style: theme[isFocused ? .accent : .dim])
        }
        let inside = area.inset(columns: 1)
        guard let metric else {
            let text = cell(row, column) == nil ? "no run" : "no figure yet"
            surface.put(text, at: inside.origin, style: style, width: inside.columns)
            return
        }
        surface.put(
            EvalFigure.value(metric.value), at: inside.origin, style: style.adding(.bold), width: inside.columns)
        let interval = EvalFigure.interval(metric.lower, metric.upper) ?? "no interval"
        surface.put(
            interval, at: Point(column: inside.column, row: inside.row + 1), style: style, width: inside.columns)
    }
}
