internal import Console
internal import Traces

/// An open run: its tree, cursor, search, and visible time.
struct OpenRun: Sendable {
    let replay: Replay
    /// Current name: the run may be renamed while it is open.
    private(set) var name: String
    var tree: RunTree
    /// Spans that the last search found, in reading order; `nil` without a search.
    private(set) var matches: Matches?
    /// Marked spans by ordinal.
    private(set) var marked: Set<Int>
    /// Visible time, relative to the start of the run.
    private(set) var timeline: Timeline
    private(set) var timeMode = TimeMode.around
    /// Start of the run, in nanoseconds since 1970.
    let origin: Int64
    /// Context tokens of every step; 0 if no model call precedes the step.
    let contextTokens: [Int]

    /// Modes that select the visible time.
    enum TimeMode: Sendable {
        /// The spans around the cursor.
        case around
        /// A window of a length that the user chose.
        case chosen
        /// The whole run.
        case whole
    }

    struct Matches: Sendable {
        var query: String
        var spans: [Int]
        var isMatch: [Bool]
        /// Whether the tree shows only matches.
        var isFilter = false
    }

    /// Creates the state of an opened run. O(spans log spans): call it on the engine, not on the drawing thread.
    init(_ replay: Replay, marked: Set<Int> = []) {
        self.replay = replay
        name = replay.trace.summary.name
        self.marked = marked
        tree = RunTree(replay.trace)
        contextTokens = replay.steps.indices.map { replay.breakdown(at: $0)?.total ?? 0 }
        let spans = replay.trace.spans
        origin = spans.map(\.start).min() ?? 0
        timeline = Timeline(length: (spans.map { max($0.start, $0.end ?? $0.start) }.max() ?? 0) - origin)
    }

    var trace: Trace { replay.trace }
    var id: Int64 { trace.summary.id }
    var selected: Int? { tree.selectedSpan }
    var selectedSpan: Span? { selected.map { trace.spans[$0] } }

    /// Step under the cursor, or the step that its span leads to.
    var step: Int? { selected.flatMap(replay.step(of:)) }

    mutating func select(step: Int) {
        guard (0..<replay.count).contains(step) else { return }
        select(span: replay.steps[step])
    }

    mutating func select(span: Int) {
        if tree.node(of: span) == nil, matches?.isFilter == true { showOnlyMatches(false) }
        tree.select(span: span)
        followTime()
    }

    /// Changes the tree or moves in it; the visible time follows the cursor.
    mutating func move(_ change: (inout Tree) -> Void) {
        let before = selected
        change(&tree.tree)
        if selected != before { followTime() }
    }

    mutating func toggleAllBranches() {
        move { tree in
            if tree.rowCount < tree.shape.count { tree.openAll() } else { tree.closeAll(fromDepth: 1) }
        }
    }

    mutating func adoptName(from rows: [TraceSummary]) {
        if let row = rows.first(where: { $0.id == id }) { name = row.name }
    }

    mutating func setMark(_ isMarked: Bool, at span: Int) {
        if isMarked { marked.insert(span) } else { marked.remove(span) }
    }

    // MARK: Search

    mutating func show(matches spans: [Int], of query: String) {
        var isMatch = [Bool](repeating: false, count: trace.spans.count)
        for span in spans where isMatch.indices.contains(span) { isMatch[span] = true }
        let wasFilter = matches?.isFilter ?? false
        matches = Matches(query: query, spans: spans.sorted { place(of: $0) < place(of: $1) }, isMatch: isMatch)
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
        followTime()
    }

    /// Returns the place of a span in reading order.
    func place(of span: Int) -> (start: Int64, ordinal: Int) { (trace.spans[span].start, span) }

    /// Whether the last search found the span under the cursor.
    var isOnMatch: Bool { selected.flatMap { matches?.isMatch[$0] } ?? false }

    /// Returns the match after or before the cursor, wrapping around.
    func match(by direction: Int) -> Int? {
        guard let spans = matches?.spans, !spans.isEmpty else { return nil }
        let here = selected.map(place) ?? (.min, -1)
        let next = spans.firstIndex { direction > 0 ? place(of: $0) > here : place(of: $0) >= here }
        if direction > 0 { return spans[next ?? 0] }
        let index = (next ?? spans.count) - 1
        return spans[index < 0 ? spans.count - 1 : index]
    }

    // MARK: Time

    /// Returns the time of a span, relative to the start of the run; a span without an end lasts until the end of the
    /// run.
    func time(of span: Span) -> ClosedRange<Int64> {
        let start = span.start - origin
        return start...max(start, (span.end ?? span.start) - origin)
    }

    /// Zooms in on the time around the cursor, or out if the factor is below 1.
    mutating func zoomTime(by factor: Double) {
        guard let span = selectedSpan else { return }
        let time = time(of: span)
        timeMode = .chosen
        timeline.zoom(by: factor, around: time.lowerBound + (time.upperBound - time.lowerBound) / 2)
    }

    /// Toggles between the whole run and the part around the cursor.
    mutating func toggleWholeTime() {
        timeMode = timeMode == .whole ? .around : .whole
        followTime()
    }

    /// Brings the time of the cursor into view according to the mode.
    mutating func followTime() {
        switch timeMode {
        case .whole: timeline.showAll()
        case .chosen: if let span = selectedSpan { timeline.reveal(time(of: span)) }
        case .around:
            if let part = timeAround() { timeline.show(part) } else { timeline.showAll() }
        }
    }

    /// Number of spans of usual length around the cursor that fit into the window.
    private static let lengthsInWindow: Int64 = 10

    /// Returns a time window in which the span under the cursor and its neighbors are wide enough to distinguish; `nil`
    /// for the whole run.
    ///
    /// For a span with children, the window contains all of them. Otherwise, it contains neighbors on both sides as
    /// long as it stays within ten times the length of the span, or of the median neighbor if that is longer. An idle
    /// hour between two steps is left out.
    private func timeAround() -> ClosedRange<Int64>? {
        let shape = tree.tree.shape
        guard let span = selectedSpan, let node = tree.node(of: span.ordinal), !shape.hasChildren(node) else {
            return selectedSpan.map(time)
        }
        // Use as many spans as rows in view, regardless of scrolling.
        let reach = max(8, tree.tree.list.height)
        let near = max(0, node - reach)...min(shape.count - 1, node + reach)
        let times = near.lazy.filter { !shape.hasChildren($0) }
            .map { (node: $0, time: time(of: trace.spans[tree.span(atNode: $0)])) }
        let lengths = times.map { $0.time.upperBound - $0.time.lowerBound }.filter { $0 > 0 }.sorted()
        let own = time(of: span)
        let usual = max(own.upperBound - own.lowerBound, lengths.isEmpty ? 0 : lengths[lengths.count / 2])
        guard usual > 0 else { return nil }
        let room = (usual * Self.lengthsInWindow - (own.upperBound - own.lowerBound)) / 2
        var (first, last) = (own.lowerBound, own.upperBound)
        for (_, time) in times.filter({ $0.node < node }).reversed() {
            // Spans that end long before are left out, along with everything before them.
            guard first - time.upperBound < room / 2 else { break }
            first = max(own.lowerBound - room, min(first, time.lowerBound))
        }
        for (_, time) in times.filter({ $0.node > node }) {
            guard time.lowerBound - last < room / 2 else { break }
            last = min(own.upperBound + room, max(last, time.upperBound))
        }
        return first...last
    }
}
