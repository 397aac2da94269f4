internal import Console
internal import Traces

/// The list of runs, and opening one of them.
extension TracePage {
    /// A run being read.
    struct Loading: Hashable, Sendable {
        var trace: Int64
        /// Span to go to; `nil` for the landmark, or for the earlier cursor position.
        var span: Int?
        var landmark: Replay.Landmark?
        /// Pane that gets the focus if the list has it.
        var pane = PaneName.run
        /// Whether the list's cursor stays on the run until it is read.
        var isRestored = false
    }

    var isInList: Bool { screen.focus == .runs || screen.focus == .overview }

    /// The marked runs, if the list has the focus: no action reaches marks that another pane hides.
    var marked: [TraceSummary] { isInList ? runs.marked : [] }

    /// Run under the cursor.
    var subject: TraceSummary? { isInList ? runs.selected : run?.trace.summary ?? runs.selected }

    /// The run under the list's cursor, unless it is open already: the run that `]e` opens.
    var runToJumpInto: Int64? {
        guard isInList, let id = runs.selectedID else { return nil }
        return id == run?.id ? nil : id
    }

    mutating func toggleRunMark() -> Work<Self> {
        runs.toggleMark()
        return []
    }

    /// Sorts by the next visible column. A hidden column would sort the list without a visible reason.
    mutating func sortByNext() {
        let shown = Set(shownColumns.compactMap(\.order))
        let columns = TraceOrder.Column.allCases.filter(shown.contains)
        // A tiny pane can have no column to sort by.
        guard !columns.isEmpty else { return }
        let index = columns.firstIndex(of: runs.order.column) ?? -1
        runs.order = TraceOrder(columns[(index + 1) % columns.count])
    }

    // MARK: Reading

    mutating func show(firstPage rows: [TraceSummary]) -> Work<Self> {
        run?.adoptName(from: rows)
        runs.show(firstPage: rows, keeping: shownRun)
        return []
    }

    mutating func show(order ids: [Int64]) -> Work<Self> {
        runs.show(all: ids, keeping: shownRun)
        return reveal()
    }

    mutating func add(_ rows: [TraceSummary]) {
        run?.adoptName(from: rows)
        runs.add(rows)
    }

    /// Run that the list's cursor stays on: a run that comes from outside the list, or the selected run.
    private var shownRun: Int64? {
        revealing ?? loading.flatMap { $0.isRestored ? $0.trace : nil }
            ?? (screen.focus == .runs ? nil : run?.id) ?? runs.selectedID
    }

    // MARK: Opening

    package mutating func open(_ reference: Reference) -> Work<Self>? {
        guard let trace = reference.path.first, Self.about.opens.contains(reference.kind) else { return nil }
        let span = reference.path.count > 1 ? Int(reference.path[1]) : nil
        screen.focus = .run
        revealing = trace
        runs.select(trace)
        guard let run, run.id == trace else { return load(Loading(trace: trace, span: span)) }
        if let span, run.trace.spans.indices.contains(span) { self.run?.select(span: span) }
        return reveal()
    }

    mutating func openSelection() -> Work<Self> {
        switch screen.focus {
        case .runs, .overview:
            guard let id = runs.selectedID else { return [] }
            // Read a run that has grown again.
            guard let run, run.id == id, run.trace.summary.spans == runs.selected?.spans else {
                return load(Loading(trace: id))
            }
            screen.focus = .run
        case .run: screen.focus = .detail
        case .context, .detail: break
        }
        return []
    }

    /// Reads a run, and goes to a span or otherwise to the last cursor position in the run.
    mutating func load(_ place: Loading) -> Work<Self> {
        rememberPosition()
        loading = place
        return .cancel("search")
    }

    mutating func show(_ opened: OpenRun) -> Work<Self> {
        var opened = opened
        let replay = opened.replay
        let landmark = loading?.landmark.flatMap { replay.next($0, after: -1) }.map { replay.steps[$0] }
        let wanted = loading?.span ?? landmark ?? positions[opened.id] ?? replay.steps.first
        if let wanted, replay.trace.spans.indices.contains(wanted) { opened.select(span: wanted) }
        if screen.focus == .runs { screen.focus = loading?.pane ?? .run }
        loading = nil
        run = opened
        reading = nil
        playback.isPlaying = false
        return [.cancel("search"), .again("step"), reveal()]
    }

    mutating func leaveLoading() -> Work<Self> {
        loading = nil
        revealing = nil
        if run == nil { screen.focus = .runs }
        return []
    }

    /// Brings an opened run into the list. A run of another origin switches the scope, a run hidden by the filter
    /// clears the filter, and a message reports both.
    private mutating func reveal() -> Work<Self> {
        guard let id = revealing, let run, run.id == id, runs.isComplete else { return [] }
        guard !runs.contains(id) else {
            revealing = nil
            runs.select(id)
            return []
        }
        let origin = run.trace.summary.origin
        if !runs.effectiveScope.holds(origin) {
            runs.scope = .only(origin)
            return []
        }
        guard !runs.filter.isEmpty else {
            revealing = nil
            return []
        }
        runs.filter = .everything
        if !runs.scope.holds(origin) { runs.scope = .only(origin) }
        return .notify("cleared the filter because it hid this run")
    }

    mutating func rememberPosition() {
        if let run, let span = run.selected { positions[run.id] = span }
    }

    mutating func closeRun() {
        rememberPosition()
        run = nil
        screen.focus = .runs
    }

    package mutating func back() -> Work<Self>? {
        if playback.isPlaying { return togglePlay() }
        switch screen.focus {
        case .detail, .context: screen.focus = .run
        case .run where run?.matches != nil: endSearch()
        case .runs where !runs.marked.isEmpty: runs.marked = []
        case .runs where !runs.filter.isEmpty: runs.filter = .everything
        default: return nil
        }
        return []
    }
}
