internal import Console
internal import Traces

/// The run that is being read: its tree, the cursor, what was searched for, and the part of its time in view.
struct OpenRun: Sendable {
    let replay: Replay
    /// As the run is called now: it may be renamed while it is open.
    private(set) var name: String
    var tree: RunTree
    /// The spans that the last search found, in reading order; nil without a search.
    private(set) var matches: Matches?
    /// Marked spans by ordinal.
    var marked: Set<Int>
    /// The time in view, from the run's start on.
    var timeline: Timeline
    /// When the run began, nanoseconds since 1970.
    let origin: Int64

    struct Matches: Sendable {
        var query: String
        var spans: [Int]
        var isMatch: [Bool]
        /// Whether other spans are left out of the tree.
        var isFilter = false
    }

    init(_ replay: Replay, marked: Set<Int> = []) {
        self.replay = replay
        name = replay.trace.summary.name
        self.marked = marked
        tree = RunTree(replay.trace)
        let spans = replay.trace.spans
        origin = spans.map(\.start).min() ?? 0
        timeline = Timeline(length: (spans.map { max($0.start, $0.end ?? $0.start) }.max() ?? 0) - origin)
    }

    var trace: Trace { replay.trace }
    var selected: Int? { tree.selectedSpan }
    var selectedSpan: Span? { selected.map { trace.spans[$0] } }

    /// The step that the cursor is on, or the one that its span leads to.
    var step: Int? { selected.flatMap(replay.step(of:)) }

    mutating func select(step: Int) {
        guard (0..<replay.count).contains(step) else { return }
        select(span: replay.steps[step])
    }

    mutating func select(span: Int) {
        if tree.node(of: span) == nil, matches?.isFilter == true { showOnlyMatches(false) }
        tree.select(span: span)
        timeline.reveal(time(of: trace.spans[span]))
    }

    mutating func adoptName(from rows: [TraceSummary]) {
        if let row = rows.first(where: { $0.id == trace.summary.id }) { name = row.name }
    }

    // MARK: Search

    mutating func show(matches spans: [Int], of query: String) {
        var isMatch = [Bool](repeating: false, count: trace.spans.count)
        for span in spans where isMatch.indices.contains(span) { isMatch[span] = true }
        let wasFilter = matches?.isFilter ?? false
        let inOrder = spans.sorted { (trace.spans[$0].start, $0) < (trace.spans[$1].start, $1) }
        matches = Matches(query: query, spans: inOrder, isMatch: isMatch)
        if wasFilter { showOnlyMatches(true) }
    }

    mutating func clearMatches() {
        if matches?.isFilter == true { showOnlyMatches(false) }
        matches = nil
    }

    mutating func showOnlyMatches(_ isOn: Bool) {
        let selected = selected
        matches?.isFilter = isOn
        let height = tree.tree.list.height
        tree = RunTree(trace, keeping: isOn ? matches?.isMatch : nil)
        tree.tree.setHeight(height)
        if let selected { tree.select(span: selected) }
    }

    /// The match after the cursor, or before it; goes round at the ends.
    func match(by direction: Int) -> Int? {
        guard let spans = matches?.spans, !spans.isEmpty else { return nil }
        let here = selected.map { (trace.spans[$0].start, $0) } ?? (.min, -1)
        let next = spans.firstIndex {
            direction > 0 ? (trace.spans[$0].start, $0) > here : (trace.spans[$0].start, $0) >= here
        }
        if direction > 0 { return spans[next ?? 0] }
        let index = (next ?? spans.count) - 1
        return spans[index < 0 ? spans.count - 1 : index]
    }

    // MARK: Time

    /// A span's stretch of time, from the run's start on; what has no end is as long as the run.
    func time(of span: Span) -> ClosedRange<Int64> {
        let start = span.start - origin
        return start...max(start, (span.end ?? span.start) - origin)
    }

    /// Looks closer at the time around the cursor, or shows more of it where the factor is below 1.
    mutating func zoomTime(by factor: Double) {
        guard let span = selectedSpan else { return }
        let time = time(of: span)
        timeline.zoom(by: factor, around: time.lowerBound + (time.upperBound - time.lowerBound) / 2)
    }
}
