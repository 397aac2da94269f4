internal import Console
internal import EvalLogs

/// A matrix of prompts by models: the newest complete run of each, with the metric and its interval.
struct EvalGrid: Sendable {
    private(set) var rows: [String] = []
    private(set) var columns: [String] = []
    /// `[rows, columns]`; `nil` for a cell without a run.
    private(set) var cells: [EvalRunEntry?] = []
    private(set) var task = ""
    private(set) var metric = ""
    /// Number of runs that a different run of the same prompt and model hides.
    private(set) var hidden = 0
    var cursor = HeatGrid.Position(row: 0, column: 0)

    /// Names of settings that identify a prompt, in display order.
    private static let prompts = ["prompt", "template", "prompt_version"]

    var selected: EvalRunEntry? { cell(cursor.row, cursor.column) }

    func cell(_ row: Int, _ column: Int) -> EvalRunEntry? {
        guard rows.indices.contains(row), columns.indices.contains(column) else { return nil }
        return cells[row * columns.count + column]
    }

    /// Shows the runs of the selected run's task and group.
    mutating func show(_ entries: [EvalRunEntry], about selected: EvalRunEntry?) {
        guard let selected else { return self = EvalGrid() }
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
            let before = newest[row]?[entry.run.model]
            if before != nil { hidden += 1 }
            // A partial run is shown, with a mark, only if there is no complete one.
            if before?.isWhole == true, !entry.isWhole { continue }
            newest[row, default: [:]][entry.run.model] = entry
        }
        (self.rows, self.columns) = (rows, columns)
        cells = rows.flatMap { row in columns.map { newest[row]?[$0] } }
        // The cursor goes to the cell even if it shows a different run.
        if let row = rows.firstIndex(of: Self.label(selected, varying)),
            let column = columns.firstIndex(of: selected.run.model)
        {
            cursor = .init(row: row, column: column)
        }
    }

    /// Moves to the first cell with all words in its prompt or model; returns false if there is none.
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

    /// Returns the settings, except the prompt, whose values differ between the runs.
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
}
