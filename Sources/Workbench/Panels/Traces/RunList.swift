internal import Console
internal import Traces

/// The list of runs, of any length: an array of row numbers, with rows fetched around the visible part.
struct RunList: Sendable {
    var order = TraceOrder.newest
    var filter = Filter.everything
    /// Origin of the listed runs. A filter that names origins overrides it.
    var scope = RunScope.agents
    /// Number of matching runs by origin; `nil` until known.
    var census: TraceCensus?
    /// Row numbers by position. Until the whole order has arrived, only the first page.
    private(set) var ids: [Int64] = []
    /// Whether `ids` contains all matches.
    private(set) var isComplete = false
    private var rows: [Int64: TraceSummary] = [:]
    /// Rows read since the first page was last read. Other rows may be out of date.
    private var fresh: Set<Int64> = []
    /// Widths of the widest texts of all fetched rows, so columns stay in place while the user scrolls.
    private(set) var widths = Widths()
    var list = ListView()
    /// Marked runs of the list, in the order in which they were marked.
    var marked: [TraceSummary] = []

    /// Number of rows loaded around the visible part.
    static let page = 200

    var count: Int { ids.count }
    var selected: TraceSummary? { selectedID.flatMap { rows[$0] } }
    var selectedID: Int64? { ids.indices.contains(list.selection) ? ids[list.selection] : nil }

    subscript(position: Int) -> TraceSummary? { ids.indices.contains(position) ? rows[ids[position]] : nil }

    /// Widths of the texts of runs.
    struct Widths: Hashable, Sendable {
        var name = 0
        var project = 0
        var model = 0

        mutating func add(_ run: TraceSummary) {
            name = max(name, DisplayWidth.of(run.name))
            project = max(project, DisplayWidth.of(run.projectName ?? ""))
            model = max(model, DisplayWidth.of(run.model ?? ""))
        }
    }

    /// The filter within the scope, and the sort order.
    struct Question: Hashable, Sendable {
        let filter: Filter
        let order: TraceOrder
    }

    var question: Question { Question(filter: filter.within(scope.origins), order: order) }

    /// Scope in effect: a filter that names origins searches all of them.
    var effectiveScope: RunScope { filter.namesOrigins ? .all : scope }

    /// Whether another scope shows runs, with or without the filter.
    var hasOtherScopes: Bool { RunScope.choices(in: census ?? TraceCensus(), besides: effectiveScope).count > 1 }

    /// Whether the listed runs belong to several projects.
    var hasSeveralProjects: Bool { census?.hasSeveralProjects(of: effectiveScope.origins) ?? false }

    /// Whether the listed runs have several origins.
    var hasSeveralOrigins: Bool { effectiveScope == .all && census?.counts.count ?? 0 > 1 }

    func contains(_ id: Int64) -> Bool { ids.contains(id) }

    /// Shows the first page, which fills the screen until the whole order arrives.
    mutating func show(firstPage: [TraceSummary], keeping selection: Int64?) {
        fresh = []
        // A cursor further down stays on its run until the whole order has come.
        if isComplete, firstPage.count == Self.page, list.selection >= Self.page { return add(firstPage) }
        ids = firstPage.map(\.id)
        isComplete = false
        rows = [:]
        widths = Widths()
        add(firstPage)
        list.count = ids.count
        select(selection)
    }

    mutating func show(all ids: [Int64], keeping selection: Int64?) {
        self.ids = ids
        if !marked.isEmpty {
            // No action may reach runs that the list no longer shows.
            let listed = Set(ids)
            marked.removeAll { !listed.contains($0.id) }
        }
        isComplete = true
        list.count = ids.count
        select(selection)
    }

    mutating func select(_ id: Int64?) {
        guard let id, let position = ids.firstIndex(of: id) else {
            list.select(min(list.selection, max(0, ids.count - 1)))
            return
        }
        list.select(position)
    }

    /// Marks the selected run, or removes its mark.
    mutating func toggleMark() {
        guard let selected else { return }
        if let place = marked.firstIndex(where: { $0.id == selected.id }) {
            marked.remove(at: place)
        } else {
            marked.append(selected)
        }
    }

    mutating func add(_ summaries: [TraceSummary]) {
        if rows.count > 20 * Self.page { (rows, fresh) = ([:], []) }
        for summary in summaries {
            rows[summary.id] = summary
            fresh.insert(summary.id)
            widths.add(summary)
        }
    }

    /// Rows near the visible part that are missing or may be out of date; `nil` if the visible part is complete.
    var missing: [Int64]? {
        guard !ids.isEmpty else { return nil }
        let first = max(0, list.top - Self.page / 2)
        let last = min(ids.count, list.top + max(list.height, 1) + Self.page / 2)
        let visible = max(0, list.top)..<min(ids.count, list.top + max(list.height, 1))
        guard visible.contains(where: { !fresh.contains(ids[$0]) }) else { return nil }
        return (first..<last).map { ids[$0] }.filter { !fresh.contains($0) }
    }
}
