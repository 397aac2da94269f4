internal import Console
internal import Traces

/// The runs of a workspace as a list of any length: their order is one array of numbers, their rows are fetched around
/// what is on the screen.
struct RunList: Sendable {
    var order = TraceOrder.newest
    var filter = Filter.everything
    /// Rows by position. Until the whole order has arrived, only the first page.
    private(set) var ids: [Int64] = []
    /// Whether `ids` is everything that matches.
    private(set) var isComplete = false
    private var rows: [Int64: TraceSummary] = [:]
    var list = ListView()

    /// Rows that are kept around the screen.
    static let page = 200

    var count: Int { ids.count }
    var selected: TraceSummary? { selectedID.flatMap { rows[$0] } }
    var selectedID: Int64? { ids.indices.contains(list.selection) ? ids[list.selection] : nil }

    subscript(position: Int) -> TraceSummary? { ids.indices.contains(position) ? rows[ids[position]] : nil }

    /// The first page: enough for a screen before the whole order is known.
    mutating func show(firstPage: [TraceSummary], keeping selection: Int64?) {
        // A cursor further down stays on its run until the whole order has come.
        if isComplete, firstPage.count == Self.page, list.selection >= Self.page { return add(firstPage) }
        ids = firstPage.map(\.id)
        isComplete = false
        rows = Dictionary(firstPage.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        list.count = ids.count
        select(selection)
    }

    mutating func show(all ids: [Int64], keeping selection: Int64?) {
        self.ids = ids
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

    mutating func add(_ summaries: [TraceSummary]) {
        if rows.count > 20 * Self.page { rows.removeAll(keepingCapacity: true) }
        for summary in summaries { rows[summary.id] = summary }
    }

    /// The rows near the screen that have not been fetched.
    var missing: [Int64] {
        guard !ids.isEmpty else { return [] }
        let first = max(0, list.top - Self.page / 2)
        let last = min(ids.count, list.top + max(list.height, 1) + Self.page / 2)
        let visible = max(0, list.top)..<min(ids.count, list.top + max(list.height, 1))
        guard visible.contains(where: { rows[ids[$0]] == nil }) else { return [] }
        return (first..<last).map { ids[$0] }.filter { rows[$0] == nil }
    }
}
