internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Traces

/// A run of the workspace or of an open log.
struct EvalRunEntry: Sendable {
    /// Number of a run in the workspace; negative for open logs, in the order of opening.
    let id: Int64
    var run: EvalRun
    /// The log of another program.
    var log: (any EvalLog)?
    /// Progress of an active run, here or in another process.
    var progress: EvalProgress?
    /// Maximum number of samples in flight that was chosen on the page.
    var most: Int?
    /// The first error, if every sample ended in an error.
    var cause: String?
    /// Whether the run is active but paused.
    var isPaused = false
    /// Whether another process runs it.
    var isElsewhere = false
    /// Title on screens: the name, with a suffix that distinguishes runs of equal names.
    var title = ""

    var isForeign: Bool { log != nil }
    var isAlive: Bool { progress != nil || run.state == .running }
    /// Share of finished samples: `76 %`; `nil` if unknown.
    var share: String? {
        guard let total, total > 0, run.isCounted || progress != nil else { return nil }
        return Format.progress(Double(completed) / Double(total))
    }
    /// Number of samples; `-` until they are counted.
    var samples: String { isCounted ? Format.count(completed) : "-" }
    var isCounted: Bool { run.isCounted || progress != nil }
    /// Samples that ended in an error.
    var errors: Int { progress?.errors ?? run.errors ?? 0 }
    /// Whether the run has ended without an answer to any sample.
    var cameToNothing: Bool { !isAlive && completed > 0 && errors == completed }
    var completed: Int { progress?.completed ?? run.completed }
    var total: Int? { progress?.total ?? run.total }
    /// Why it does not tell of its whole task: `17 of 40` where it has not ended with all samples, `only 7 samples`
    /// where no others were chosen, its state where it did not end well; `nil` of a whole run.
    var part: String? {
        if let total, completed < total, isAlive || run.state != .done {
            return "\(Format.count(completed)) of \(Format.count(total))"
        }
        if run.isSubset { return "only \(Format.count(completed)) \(completed == 1 ? "sample" : "samples")" }
        return isAlive || run.state == .done ? nil : run.stateWord
    }
    var isWhole: Bool { part == nil }
    /// Texts that the filter searches.
    fileprivate var words: String {
        let words = [title, run.task, run.model, standing, run.state.rawValue, run.format]
        return (words + (errors > 0 ? ["errors"] : [])).joined(separator: "\n").lowercased()
    }

    /// Returns whether it began before another run. Without a recorded start, the log that was opened first or the run
    /// with the lower number is older, and a log is older than a run of the workspace.
    func isOlder(than other: EvalRunEntry) -> Bool {
        if let start = run.start, let begin = other.run.start, start != begin { return start < begin }
        if isForeign != other.isForeign { return isForeign }
        return id.magnitude < other.id.magnitude
    }

    /// The first metric.
    var metric: EvalMetric? { run.metrics.first }

    /// Active time, without pauses between a cancellation and its resumption.
    var seconds: Double? {
        guard run.workSeconds != nil || run.end != nil else { return nil }
        return run.workNanoseconds.map { Double($0) / 1e9 }
    }
}

/// The list of runs, sorted by a column and then newest first.
struct EvalRunRows: Sendable {
    private(set) var entries: [EvalRunEntry] = []
    /// Runs that the filter lists.
    private(set) var listed: [EvalRunEntry] = []
    /// Words that listed runs have; empty lists all.
    private(set) var filter = ""
    var list = ListView()
    /// Marked runs in the order of marking.
    var marked: [Int64] = []
    private(set) var order = Order.time

    enum Order: String, Sendable, CaseIterable {
        case time, task, model, metric

        /// Title of the column.
        var title: String {
            switch self {
            case .time: "started"
            case .task, .model: rawValue
            case .metric: "value"
            }
        }
    }

    var selected: EvalRunEntry? { listed.indices.contains(list.selection) ? listed[list.selection] : nil }

    func entry(_ id: Int64) -> EvalRunEntry? { entries.first { $0.id == id } }

    /// Returns the title of the open run, or its name if the list no longer has it.
    func title(_ open: OpenEval) -> String { entry(open.id)?.title ?? open.run.name }

    /// Replaces the runs; the cursor stays on its run.
    mutating func show(_ entries: [EvalRunEntry]) {
        let before = selected?.id
        let known = Set(entries.map(\.id))
        marked.removeAll { !known.contains($0) }
        let titles = EvalRunTitles(entries.map { (id: $0.id, name: $0.run.name) })
        self.entries = sorted(
            entries.map { entry in
                var entry = entry
                entry.title = titles[entry.id] ?? entry.run.name
                return entry
            })
        relist(keeping: before)
    }

    /// Replaces the header of a run.
    mutating func update(_ id: Int64, _ run: EvalRun) {
        guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
        entries[place].run = run
        if let place = listed.firstIndex(where: { $0.id == id }) { listed[place].run = run }
    }

    /// Lists the runs with all of the words in name, task, model, state, or format.
    mutating func set(filter: String) {
        let before = selected?.id
        self.filter = filter
        relist(keeping: before)
    }

    private mutating func relist(keeping id: Int64?) {
        let words = filter.lowercased().split(separator: " ")
        listed = words.isEmpty ? entries : entries.filter { entry in words.allSatisfy { entry.words.contains($0) } }
        list.count = listed.count
        if let place = listed.firstIndex(where: { $0.id == id }) { list.select(place) }
    }

    /// Sorts by the next of these columns, because a hidden column would sort the list without a visible reason.
    mutating func nextOrder(among shown: [String]) {
        let orders = Order.allCases.filter { shown.contains($0.title) }
        guard !orders.isEmpty else { return }
        set(order: orders[((orders.firstIndex(of: order) ?? -1) + 1) % orders.count])
    }

    mutating func set(order: Order) {
        self.order = order
        show(entries)
    }

    private func sorted(_ entries: [EvalRunEntry]) -> [EvalRunEntry] {
        func rank(_ entry: EvalRunEntry) -> (Int64, Int64) { (-(entry.run.start ?? 0), -entry.id) }
        return entries.sorted { one, other in
            switch order {
            case .time: break
            case .task: if one.run.task != other.run.task { return one.run.task < other.run.task }
            case .model: if one.run.model != other.run.model { return one.run.model < other.run.model }
            case .metric:
                let (a, b) = (one.metric?.value ?? -.infinity, other.metric?.value ?? -.infinity)
                if a != b { return a > b }
            }
            return rank(one) < rank(other)
        }
    }

    @discardableResult
    mutating func select(_ id: Int64) -> Bool {
        guard entries.contains(where: { $0.id == id }) else { return false }
        // Clear a filter that would hide the run.
        if !listed.contains(where: { $0.id == id }) { set(filter: "") }
        guard let index = listed.firstIndex(where: { $0.id == id }) else { return false }
        list.select(index)
        return true
    }

    mutating func toggleMark(_ id: Int64) {
        if let place = marked.firstIndex(of: id) { marked.remove(at: place) } else { marked.append(id) }
    }
}
