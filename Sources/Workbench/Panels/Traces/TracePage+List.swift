internal import Console
internal import Formatting
internal import Presentation
internal import Traces

/// The table of runs, the scopes above it, and the note below it.
extension TracePage {
    /// A column of the list.
    struct RunColumn {
        var layout: Table.Column
        /// Sort order that a click selects.
        var order: TraceOrder.Column?
        var cell: (TraceSummary) -> Table.Cell
    }

    /// Returns the columns for a width: names get the space that numbers leave, then projects and models.
    private func columns(width: Int) -> [RunColumn] {
        let (hasOrigins, hasProjects) = (runs.hasSeveralOrigins, runs.hasSeveralProjects)
        // Six columns of numbers with the space after them, and perhaps the origin.
        let room = width - 60 - (hasOrigins ? 11 : 0) - ListView.gutter - 1
        let name = min(60, max(12, runs.widths.name))
        var project = hasProjects ? min(24, max(7, runs.widths.project)) : -2
        var model = min(28, max(5, runs.widths.model))
        if name + project + model + 4 > room { model = min(model, 18) }
        if name + project + model + 4 > room, project > 0 { project = min(project, 14) }
        // Next to a run, names take precedence over all numbers except tokens and errors; without a run, they share the
        // space.
        let essential = 9 + 4 + 4 + ListView.gutter + 1
        let isBeside = run != nil && screen.size.columns >= 110
        let least = isBeside ? max(24, width - essential) : width < 100 ? max(24, width * 6 / 10) : 44
        let seconds = Int(now() / 1_000_000_000)

        var columns: [RunColumn] = []
        func add(
            _ title: String, _ minimum: Int, priority: Int, _ order: TraceOrder.Column? = nil, weight: Double = 0,
            align: Alignment = .left, cell: @escaping (TraceSummary) -> Table.Cell
        ) {
            let layout = Table.Column(title, alignment: align, minimum: minimum, weight: weight, priority: priority)
            columns.append(RunColumn(layout: layout, order: order, cell: cell))
        }
        add("when", 10, priority: 2, .start) {
            .init($0.start == 0 ? "·" : Format.clock(Int($0.start / 1_000_000_000), now: seconds), .dim)
        }
        if hasOrigins { add("origin", 9, priority: 3) { .init($0.origin.name, .dim) } }
        add("run", min(name, least), priority: 0, .name, weight: 1) { .init($0.name) }
        if hasProjects { add("project", max(7, project), priority: 6) { .init($0.projectName ?? "·", .dim) } }
        add("model", model, priority: 8) { .init($0.model ?? "·", .dim) }
        add("steps", 6, priority: 7, align: .right) { .init(Format.count($0.steps), .dim) }
        add("time", 9, priority: 5, .duration, align: .right) {
            .init(Format.duration(nanoseconds: Int($0.duration)), .dim)
        }
        add("total tok", 9, priority: 1, .tokens, align: .right) { .init($0.tokenFigure) }
        add("cost", 10, priority: 4, .cost, align: .right) { .init($0.costFigure, .dim) }
        add("err", 4, priority: 0, .errors, align: .right) {
            $0.errors == 0 ? .init("·", .faint) : .init(Format.count($0.errors), .failure)
        }
        return columns
    }

    private func table(of columns: [RunColumn]) -> Table {
        let sorted = columns.firstIndex { $0.order == runs.order.column } ?? 0
        return Table(
            columns.map(\.layout), sort: .init(column: sorted, isAscending: !runs.order.isDescending),
            hasHeader: screen.size.rows > 4)
    }

    /// Visible columns of the list.
    var shownColumns: [RunColumn] {
        let area = parts(of: screen.area(of: .runs) ?? Rect(screen.size)).table
        let columns = columns(width: area.columns)
        return table(of: columns).shownColumns(in: area).map { columns[$0] }
    }

    /// Returns the areas of the line with scopes and counts, which is empty if there is one scope or no space, of the
    /// table, and of the note about sessions on this machine.
    private func parts(of inside: Rect) -> (scopes: Rect, table: Rect, offer: Rect) {
        var table = inside
        let scopes = table.takeTop(runs.hasOtherScopes && inside.rows > 2 ? 1 : 0)
        let offer = table.takeBottom(run == nil && !discovered.isEmpty && table.rows > 5 ? 1 : 0)
        return (scopes, table, offer)
    }

    /// Returns the part of the list's area that the rows fill.
    func rowsArea(in inside: Rect) -> Rect { table(of: []).rowsArea(in: parts(of: inside).table) }

    /// Shows the scope at a point, or sorts by the column whose header is there.
    mutating func pressList(at point: Point, in inside: Rect) {
        let (scopes, area, _) = parts(of: inside)
        if scopes.contains(point) {
            let hit = placedScopes(in: scopes).first { $0.columns.contains(point.column) }
            runs.scope = hit?.scope ?? runs.scope
        }
        let columns = columns(width: area.columns)
        guard let order = table(of: columns).column(at: point, in: area).flatMap({ columns[$0].order }) else { return }
        runs.order = TraceOrder(order, isDescending: runs.order.column == order ? !runs.order.isDescending : true)
    }

    // MARK: Drawing

    var runsFrame: Frame {
        let count = runs.isComplete ? Format.count(runs.count) : runs.count == 0 ? nil : "\(Format.count(runs.count))…"
        var frame = Frame("Runs", count: count.map { FrameLabel($0) })
        if runs.effectiveScope != .agents, screen.area(of: .runs).map({ parts(of: $0).scopes.isEmpty }) != false {
            frame.details.append(FrameLabel(runs.effectiveScope.title, role: .accent))
        }
        if !runs.filter.isEmpty { frame.details.append(FrameLabel(runs.filter.text, role: .accent)) }
        if !runs.marked.isEmpty {
            frame.details.append(FrameLabel("\(Format.count(runs.marked.count)) marked", role: .accent))
        }
        return frame
    }

    func drawRuns(into surface: inout Surface, in inside: Rect, theme: Theme, isFocused: Bool) {
        let (scopes, area, offer) = parts(of: inside)
        if !scopes.isEmpty { drawScopes(into: &surface, in: scopes, theme: theme) }
        if !offer.isEmpty {
            surface.put(
                offerText, at: Point(column: offer.column + 1, row: offer.row), style: theme[.info],
                width: offer.columns - 2)
        }
        guard runs.count > 0 else { return drawNoRuns(into: &surface, in: area, theme: theme) }
        let columns = columns(width: area.columns)
        let marked = Set(runs.marked.map(\.id))
        table(of: columns).draw(
            runs.list, into: &surface, in: area, theme: theme, isFocused: isFocused
        ) { row, column in
            let isName = columns[column].order == .name
            guard let run = runs[row] else { return .init(isName ? "…" : "", .faint) }
            var cell = columns[column].cell(run)
            if isName, run.id == self.run?.id { cell.role = .accent }
            if isName, marked.contains(run.id) { cell = .init("\(theme.glyphs.check) \(cell.text)", .accent) }
            return cell
        }
    }

    // MARK: Scopes

    /// A scope on the line above the list, and its columns.
    private typealias PlacedScope = (scope: RunScope, text: String, columns: Range<Int>)

    /// Returns the scopes with counts, or only the current scope and the number of other runs if they do not fit.
    private func placedScopes(in line: Rect) -> [PlacedScope] {
        guard let census = runs.census else { return [] }
        func place(_ scope: RunScope, _ text: String? = nil, at column: Int) -> PlacedScope {
            let text = text ?? "\(scope.title) \(Format.count(census.count(of: scope.origins)))"
            return (scope, text, column..<column + DisplayWidth.of(text))
        }
        let present = runs.effectiveScope
        let choices = RunScope.choices(in: census, besides: present)
        for spacing in [3, 2, 1] {
            var column = line.column + 2
            let placed = choices.map { scope -> PlacedScope in
                let placed = place(scope, at: column)
                column = placed.columns.upperBound + spacing
                return placed
            }
            if column - spacing <= line.endColumn - 2 { return placed }
        }
        let shown = place(present, at: line.column + 2)
        let others = "\(Format.count(census.count() - census.count(of: present.origins))) others"
        return [shown, place(present.next(in: census), others, at: shown.columns.upperBound + 2)]
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
        "\(Format.count(discovered.count, "coding agent session")) on this machine: "
            + "press I to import \(discovered.count == 1 ? "it" : "them")"
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
