internal import Console
internal import Formatting
internal import Presentation
internal import Traces

extension TracePanel {
    /// Columns of the list.
    enum RunColumn: CaseIterable {
        case when, origin, name, project, model, steps, duration, tokens, cost, errors

        /// Sort order that a click selects.
        var order: TraceOrder.Column? {
            switch self {
            case .when: .start
            case .name: .name
            case .duration: .duration
            case .tokens: .tokens
            case .cost: .cost
            case .errors: .errors
            case .origin, .project, .model, .steps: nil
            }
        }
    }

    /// Columns with values for the listed runs.
    var columns: [RunColumn] {
        RunColumn.allCases.filter { column in
            switch column {
            case .origin: runs.hasSeveralOrigins
            case .project: runs.hasSeveralProjects
            default: true
            }
        }
    }

    /// Returns the table for a width: names get the space that numbers leave, then projects and models.
    func runsTable(width: Int) -> Table {
        let columns = columns
        let numbers = columns.reduce(0) { sum, column in
            switch column {
            case .name, .project, .model: sum
            default: sum + Self.width(of: column) + 2
            }
        }
        let room = width - numbers - ListView.gutter - 1
        let name = min(60, max(12, runs.widths.name))
        var project = columns.contains(.project) ? min(24, max(7, runs.widths.project)) : -2
        var model = min(28, max(5, runs.widths.model))
        if name + project + model + 4 > room { model = min(model, 18) }
        if name + project + model + 4 > room, project > 0 { project = min(project, 14) }
        // Next to a run, names take precedence over all numbers except tokens and errors; without a run, they share the
        // space.
        let isBeside = run != nil && area.columns >= 110
        let essential = Self.width(of: .tokens) + Self.width(of: .errors) + 4 + ListView.gutter + 1
        let least =
            isBeside
            ? max(24, width - essential) : width < 100 ? max(24, width * 6 / 10) : 44
        let sorted = columns.firstIndex { $0.order == runs.order.column } ?? 0
        return Table(
            columns.map { column in
                switch column {
                case .when: .init("when", minimum: 10, priority: 2)
                case .origin: .init("origin", minimum: Self.width(of: column), priority: 3)
                case .name: .init("run", minimum: min(name, least), weight: 1)
                case .project: .init("project", minimum: max(7, project), priority: 6)
                case .model: .init("model", minimum: model, priority: 8)
                case .steps: .init("steps", alignment: .right, minimum: 6, priority: 7)
                case .duration: .init("time", alignment: .right, minimum: 9, priority: 5)
                case .tokens: .init("total tok", alignment: .right, minimum: 9, priority: 1)
                case .cost: .init("cost", alignment: .right, minimum: Self.width(of: column), priority: 4)
                case .errors: .init("err", alignment: .right, minimum: 4, priority: 0)
                }
            }, sort: .init(column: sorted, isAscending: !runs.order.isDescending), hasHeader: area.rows > 4)
    }

    private static func width(of column: RunColumn) -> Int {
        switch column {
        case .when: 10
        case .origin: 9
        case .steps: 6
        case .duration: 9
        case .cost: 10
        case .tokens: 9
        case .errors: 4
        case .name, .project, .model: 0
        }
    }

    /// The areas inside the list's frame.
    struct ListParts {
        /// Line of scopes and counts; `nil` if there is one scope, or no space.
        var scopes: Rect?
        var table: Rect
        /// A note on the list: sessions found on this machine.
        var offer: Rect?
    }

    func listParts(in inside: Rect) -> ListParts {
        var parts = ListParts(table: inside)
        if runs.hasOtherScopes, inside.rows > 2 { parts.scopes = parts.table.takeTop(1) }
        if hasOffer, parts.table.rows > 5 { parts.offer = parts.table.takeBottom(1) }
        return parts
    }

    private var hasOffer: Bool { run == nil && discovered.contains(where: \.isReadable) }

    func drawRuns(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let count = runs.isComplete ? Format.count(runs.count) : runs.count == 0 ? nil : "\(Format.count(runs.count))…"
        var frame = Frame("Runs", count: count.map { FrameLabel($0) }, isFocused: isFocused)
        frame.isOpen = isTiny
        let inside = frame.inside(of: area)
        let parts = listParts(in: inside)
        if runs.effectiveScope != .agents, parts.scopes == nil {
            frame.details.append(FrameLabel(runs.effectiveScope.title, role: .accent))
        }
        if !runs.filter.isEmpty { frame.details.append(FrameLabel(runs.filter.text, role: .accent)) }
        if !runs.marked.isEmpty {
            frame.details.append(FrameLabel("\(Format.count(runs.marked.count)) marked", role: .accent))
        }
        frame.draw(into: &surface, in: area, theme: theme)
        if let line = parts.scopes { drawScopes(into: &surface, in: line, theme: theme) }
        if let line = parts.offer {
            surface.put(
                offerText, at: Point(column: line.column + 1, row: line.row), style: theme[.info],
                width: line.columns - 2)
        }
        guard runs.count > 0 else { return drawNoRuns(into: &surface, in: parts.table, theme: theme) }
        let now = Int(now() / 1_000_000_000)
        let columns = columns
        let marked = Set(runs.marked.map(\.id))
        runsTable(width: parts.table.columns).draw(
            runs.list, into: &surface, in: parts.table, theme: theme, isFocused: isFocused
        ) { row, column in
            guard let run = runs[row] else { return .init(columns[column] == .name ? "…" : "", .faint) }
            var cell = Self.cell(of: run, column: columns[column], now: now)
            if columns[column] == .name, run.id == self.run?.trace.summary.id { cell.role = .accent }
            if columns[column] == .name, marked.contains(run.id) {
                cell = .init("\(theme.glyphs.check) \(cell.text)", .accent)
            }
            return cell
        }
        ScrollBar(runs.list).draw(into: &surface, onBorderOf: area, theme: theme)
    }

    private static func cell(of run: TraceSummary, column: RunColumn, now: Int) -> Table.Cell {
        switch column {
        case .when: .init(run.start == 0 ? "·" : Format.clock(Int(run.start / 1_000_000_000), now: now), .dim)
        case .origin: .init(run.origin.name, .dim)
        case .name: .init(run.name)
        case .project: .init(run.projectName ?? "·", .dim)
        case .model: .init(run.model ?? "·", .dim)
        case .steps: .init(Format.count(run.steps), .dim)
        case .duration: .init(Format.duration(nanoseconds: Int(run.duration)), .dim)
        case .tokens: .init(run.tokenFigure)
        case .cost: .init(run.costFigure, .dim)
        case .errors: run.errors == 0 ? .init("·", .faint) : .init(Format.count(run.errors), .failure)
        }
    }

    // MARK: Scopes

    /// A scope on the line above the list, and its columns.
    struct PlacedScope {
        var scope: RunScope
        var text: String
        var columns: Range<Int>
    }

    /// Returns the scopes with counts, or only the current scope and the number of other runs if they do not fit.
    func placedScopes(in line: Rect) -> [PlacedScope] {
        guard let census = runs.census else { return [] }
        let present = runs.effectiveScope
        let choices = RunScope.choices(in: census, besides: present)
        let room = line.columns - 2
        for spacing in [3, 2, 1] {
            var column = line.column + 2
            let placed = choices.map { scope -> PlacedScope in
                let text = "\(scope.title) \(Format.count(census.count(of: scope.origins)))"
                defer { column += DisplayWidth.of(text) + spacing }
                return PlacedScope(scope: scope, text: text, columns: column..<column + DisplayWidth.of(text))
            }
            if let end = placed.last?.columns.upperBound, end - line.column <= room { return placed }
        }
        let others = census.count() - census.count(of: present.origins)
        let text = "\(present.title) \(Format.count(census.count(of: present.origins)))"
        let more = "\(Format.count(others)) others"
        let start = line.column + 2
        let end = start + DisplayWidth.of(text)
        return [
            PlacedScope(scope: present, text: text, columns: start..<end),
            PlacedScope(scope: present.next(in: census), text: more, columns: end + 2..<end + 2 + more.count),
        ]
    }

    private func drawScopes(into surface: inout Surface, in line: Rect, theme: Theme) {
        for placed in placedScopes(in: line) {
            let isPresent = placed.scope == runs.effectiveScope
            surface.put(
                placed.text, at: Point(column: placed.columns.lowerBound, row: line.row),
                style: theme[isPresent ? .tabActive : .tabInactive],
                width: line.endColumn - placed.columns.lowerBound)
        }
    }

    // MARK: Sentences

    private var offerText: String {
        let count = discovered.filter(\.isReadable).count
        return
            "\(Format.count(count, "coding agent session")) on this machine: "
            + "press I to import \(count == 1 ? "it" : "them")"
    }

    private func drawNoRuns(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard runs.isComplete, !area.isEmpty else { return }
        var note = TextView([TextSection(emptySentence, role: .dim)])
        let columns = min(area.columns - 2, DisplayWidth.of(emptySentence))
        let place = Rect(
            column: area.column + max(1, (area.columns - columns) / 2), row: area.row + max(0, area.rows / 2 - 1),
            columns: max(1, columns), rows: max(1, area.rows - max(0, area.rows / 2 - 1)))
        note.layout(place.size)
        note.draw(into: &surface, in: place, theme: theme)
    }

    /// Message of an empty list: the reason, and the key that fills it.
    private var emptySentence: String {
        let others = runs.census?.phrase(besides: runs.effectiveScope.origins)
        guard runs.filter.isEmpty else {
            guard let others else { return "No run matches the filter. Press Esc to clear it." }
            return
                "No \(runs.effectiveScope.title) match the filter. Press O to show \(others), or Esc to clear the filter."
        }
        guard let others else { return "No runs yet. Press i to import a file or folder." }
        return "No \(runs.effectiveScope.title) yet. Press O to show \(others), or i to import a file or folder."
    }
}
