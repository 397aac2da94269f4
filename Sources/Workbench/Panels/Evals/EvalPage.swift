internal import Console
internal import EvalLogs
internal import Evals
internal import Presentation
internal import Workspace

/// Evaluation runs of this workspace and of other programs: metrics with their intervals, every sample down to the
/// failing step, differences between two runs, and the judgments of raters.
package struct EvalPage: Page {
    package static let about = PageInfo(PanelScreen.evals, "Evals", opens: [.evalRun, .evalSample])

    /// The views; each has panes of its own.
    package enum View: String, Sendable {
        case runs, samples, failures, diff, sides, matrix, queue
    }

    package enum PaneName: String, CaseIterable, Sendable {
        case runs, about, chart
        case samples, sample, steps
        case causes, cause
        case pairs, before, after
        case rows, left, right
        case matrix
        case queue, agreement

        var view: View {
            switch self {
            case .runs, .about, .chart: .runs
            case .samples, .sample, .steps: .samples
            case .causes, .cause: .failures
            case .pairs, .before, .after: .diff
            case .rows, .left, .right: .sides
            case .matrix: .matrix
            case .queue, .agreement: .queue
            }
        }
    }

    /// Texts about the selected run.
    enum About: String, CaseIterable, Sendable {
        case overview, slices, settings

        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
    }

    /// A run, and a sample of it if one is meant.
    struct Place: Hashable, Sendable {
        var run: Int64
        var sample: Int?
    }

    /// A log of another program.
    struct ForeignLog: Sendable {
        var path: String
        var log: any EvalLog
        var run: EvalRun
    }

    package let engine: any EvalDesk
    let now: @Sendable () -> Int64
    let isReadOnly: Bool
    var view = View.runs
    package var screen = Screen(PaneName.runs) {
        didSet {
            focuses[screen.focus.view] = screen.focus
            if screen.focus == .left { sides.side = .left }
            if screen.focus == .right { sides.side = .right }
        }
    }
    /// The last focus in each view.
    var focuses: [View: PaneName] = [:]
    /// The view that Esc returns to if several lead to the current one.
    var origin: View?
    var runs = EvalRunRows()
    /// Logs of other programs in the order of opening; the first has the number -1.
    var logs: [ForeignLog] = []
    /// Paths to open at the start.
    var paths: [String] = []
    /// Run whose samples are read.
    var open: OpenEval? {
        didSet {
            samples.count = open?.count ?? 0
            clusters.count = open?.failures?.clusters.count ?? 0
        }
    }
    /// Second reading of the open run. It replaces `open` when it is complete, so until then keys work on the old samples.
    var reopened: OpenEval?
    /// Run and sample to show once they are known.
    var wanted: Place?
    var samples = ListView()
    var sample: EvalSampleRecord? { didSet { steps.count = sample?.steps.count ?? 0 } }
    var steps = ListView()
    var about = About.overview
    var text = TextView([])
    /// Subject of the text. If it changes, the text starts at its top.
    var subject: TextSubject?
    var chart = EvalChart()
    /// Whether the chart shows its formulas and sums.
    var showsSums = false
    var diff = EvalPairs()
    var sides = EvalSides()
    var matrix = EvalGrid()
    var queue = EvalQueue()
    /// Groups of failed samples, and an example of the selected group.
    var clusters = ListView()
    var example = TextView([])
    /// Runs that existed when the page started a run; the first other run is the started one.
    var awaited: Set<Int64>?
    /// First errors of runs whose samples all ended in errors.
    var causes: [Int64: String] = [:]
    /// Counted errors of logs whose headers do not report them, by log number.
    var counted: [Int64: Int] = [:]
    /// Revision of the workspace that the list shows.
    var revision: Int?
    /// Titles of the runs that this page started.
    var working: Set<String> = []
    /// Maximum numbers of samples in flight that were chosen on this page, by run.
    var limits: [Int64: Int] = [:]
    /// Why the runs could not be read.
    var fault: String?

    package init(_ context: PanelContext) { self.init(context, desk: WorkspaceEvalDesk(context)) }

    package init(_ context: PanelContext, desk: any EvalDesk) {
        engine = desk
        now = context.now
        isReadOnly = context.workspace.access == .readOnly
    }

    // MARK: Targets

    /// Sample at the cursor of the list.
    var selectedSample: Int? { open?.sample(at: samples.selection) }

    /// Sample at the cursor of the list or the queue.
    var currentSample: Int? { view == .queue ? queue.sample : selectedSample }

    /// Target of actions: the run under the cursor in the list; elsewhere, the open run.
    var target: EvalRunEntry? {
        switch view {
        case .runs, .matrix: runs.selected
        case .diff, .sides: diff.new.flatMap { runs.entry($0.id) }
        case .failures: (wanted?.run ?? open?.id).flatMap { runs.entry($0) }
        case .samples, .queue: open.flatMap { runs.entry($0.id) }
        }
    }

    /// Targets of actions on several runs: the marked runs in the list; otherwise, the target.
    var chosen: [EvalRunEntry] {
        let marked = view == .runs ? runs.marked.compactMap { runs.entry($0) } : []
        return marked.isEmpty ? target.map { [$0] } ?? [] : marked
    }

    package var selection: Reference? {
        guard view == .samples || view == .queue else {
            return target.map { Reference(.evalRun, [$0.id], title: $0.title) }
        }
        guard let open, let sample = currentSample else { return nil }
        return Reference(
            .evalSample, [open.id, Int64(sample)], title: "\(runs.title(open)) \(open.row(sample)?.id ?? "")")
    }

    package mutating func open(_ reference: Reference) -> Work<Self>? {
        guard Self.about.opens.contains(reference.kind), let id = reference.path.first else { return nil }
        wanted = Place(run: id, sample: reference.path.count > 1 ? Int(exactly: reference.path[1]) : nil)
        go(to: reference.kind == .evalSample ? .samples : .runs)
        runs.select(id)
        return [show(id), runs.entry(id) == nil ? .again("runs") : []]
    }

    package func preview(of reference: Reference) -> Preview.Work {
        let isSample = reference.kind == .evalSample
        return { _ in .shows(isSample ? "the sample with its steps and scores" : "the run with its samples") }
    }

    // MARK: Saved state

    package mutating func archive(_ archive: inout Archive) {
        // One key recreates a diff or a matrix, and their runs may be gone.
        var saved = view == .samples || view == .queue ? View.samples : .runs
        var (run, sample) = (wanted?.run ?? open?.id, wanted?.sample ?? selectedSample)
        var open: [String] = []
        for path in logs.map(\.path) + paths where !open.contains(path) { open.append(path) }
        var (order, rater) = (runs.order, queue.rater)
        archive("page", &saved)
        archive("run", &run)
        archive("sample", &sample)
        archive("logs", &open)
        archive("about", &about)
        archive("chart", &chart.kind)
        archive("order", &order)
        archive("rater", &rater) { !$0.isEmpty }
        guard archive.isReading else { return }
        view = saved == .samples ? .samples : .runs
        if screen.focus.view != view { screen.focus = Self.first(of: view) }
        paths = open
        wanted = run.map { Place(run: $0, sample: sample) }
        runs.set(order: order)
        queue.rater = rater
    }
}

extension Reference.Kind {
    /// A run of an evaluation: `[row]`; negative for an open log of another program.
    public static let evalRun = Reference.Kind(rawValue: "eval-run")
    /// A sample of a run: `[run, place]`.
    public static let evalSample = Reference.Kind(rawValue: "eval-sample")
}
