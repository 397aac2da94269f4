internal import Console
internal import EvalLogs
internal import Evals

/// Runs of evaluations, our own and those of other programs: their figures with how sure they are, every sample down to
/// the step at which it went wrong, what changed from one run to another, and what people say of the answers.
package struct EvalPanel: Panel {
    package static let identifier = "evals"
    package static let title = "Evals"
    package static let opens: Set<Reference.Kind> = [.evalRun, .evalSample]

    /// The pages; a page has panes of its own.
    package enum Page: String, CaseIterable, Sendable {
        case runs, samples, failures, diff, sides, matrix, queue
    }

    package enum Pane: String, CaseIterable, Sendable {
        case runs, about, chart
        case samples, sample, steps
        case causes, cause
        case pairs, before, after
        case rows, left, right
        case matrix
        case queue, agreement
    }

    /// Views of the selected run in the pane next to the list.
    enum About: String, CaseIterable, Sendable {
        case overview, slices, settings
    }

    let desk: any EvalDesk
    let now: @Sendable () -> Int64
    var area = Rect(Size(0, 0))
    var page = Page.runs
    /// The pane that has the keys, on each page.
    var panes: [Page: Pane] = [:]
    var isZoomed = false
    var runs = EvalRunRows()
    /// Logs of others, in the order in which they were opened, with their paths; the first has the number -1.
    var logs: [(path: String, log: any EvalLog, run: EvalRun)] = []
    /// The run whose samples are read.
    var open: OpenEval?
    /// What is to be shown once it is known.
    var wanted: Wanted?
    /// Paths to open at the start.
    var paths: [String] = []
    var samples = ListView()
    var sample: EvalSampleRecord?
    var steps = ListView()
    var about = About.overview
    var text = TextView([])
    var chart = EvalChart()
    /// Panes that show their formulas and sums instead.
    var turned: Set<Pane> = []
    var diff = EvalDiffPage()
    var matrix = EvalMatrixPage()
    var queue = ReviewPage()
    var sides = SidesPage()
    var failures = FailurePage()
    /// The run being read again. It replaces `open` when its first rows arrive, so until then keys work on the old
    /// samples.
    var reopened: OpenEval?
    /// Where Esc leads back to from a page that is reached from several.
    var origin: Page?
    /// The runs that there were when one was started here: the first other one is it.
    var awaited: Set<Int64>?
    /// Why nothing came of runs of which every sample ended in an error.
    var causes: [Int64: String] = [:]
    /// Counted errors of logs whose headers do not report them, by log number.
    var counted: [Int64: Int] = [:]
    /// Of the workspace as the list shows it.
    var revision: Int?
    /// Titles of the runs that were started here.
    var working: Set<String> = []
    /// Maximum number of samples in flight that was chosen here, by run.
    var mosts: [Int64: Int] = [:]
    var hasFailed: String?
    /// Tasks that were chosen here and need a model that judges.
    var judged: Set<String> = []

    struct Wanted: Hashable, Sendable {
        var run: Int64
        var sample: Int?
    }

    package init(_ context: PanelContext) {
        self.init(context, desk: WorkspaceEvalDesk(context))
    }

    package init(_ context: PanelContext, desk: any EvalDesk) {
        self.desk = desk
        now = context.now
    }

    /// The pane that has the keys.
    var pane: Pane {
        get {
            let own = Self.panes(of: page)
            return panes[page].flatMap { own.contains($0) ? $0 : nil } ?? own[0]
        }
        set { panes[page] = newValue }
    }

    static func panes(of page: Page) -> [Pane] {
        switch page {
        case .runs: [.runs, .about, .chart]
        case .samples: [.samples, .sample, .steps]
        case .failures: [.causes, .cause]
        case .diff: [.pairs, .before, .after]
        case .sides: [.rows, .left, .right]
        case .matrix: [.matrix]
        case .queue: [.queue, .agreement]
        }
    }

    /// The sample under the cursor, of the run whose samples are read.
    var selectedSample: Int? { open?.sample(at: samples.selection) }

    /// Target of keys: the run under the cursor in the list, otherwise the open run.
    var target: EvalRunEntry? {
        switch page {
        case .runs, .matrix: runs.selected
        case .diff, .sides: diff.new.flatMap { runs.entry($0.id) }
        case .failures: failures.run.flatMap { runs.entry($0) }
        case .samples, .queue: open.flatMap { runs.entry($0.id) }
        }
    }

    /// Targets of keys that accept several runs: the marked runs in the list, otherwise the target run.
    var chosen: [EvalRunEntry] {
        let marked = page == .runs ? runs.marked.compactMap { runs.entry($0) } : []
        return marked.isEmpty ? target.map { [$0] } ?? [] : marked
    }

    package var selection: Reference? {
        switch page {
        case .samples, .queue:
            guard let open, let sample = page == .queue ? queue.sample : selectedSample else { return nil }
            return Reference(
                .evalSample, [open.id, Int64(sample)], title: "\(runs.title(open)) \(open.row(sample)?.id ?? "")")
        default: return target.map { Reference(.evalRun, [$0.id], title: $0.title) }
        }
    }

    package mutating func open(_ reference: Reference) -> [Effect<EvalAnswer>]? {
        guard Self.opens.contains(reference.kind), let id = reference.path.first else { return nil }
        let sample = reference.path.count > 1 ? Int(exactly: reference.path[1]) : nil
        wanted = Wanted(run: id, sample: sample)
        page = reference.kind == .evalSample ? .samples : .runs
        runs.select(id)
        layoutPanes()
        return show(id) + (runs.entry(id) == nil ? reload() : [])
    }

    package mutating func update(_ event: Event<EvalAction, EvalAnswer>) -> [Effect<EvalAnswer>] {
        switch event {
        case .start(let saved): start(saved)
        case .action(let action): perform(action)
        case .mouse(let mouse): click(mouse)
        case .resize(let area): place(area)
        case .answer(let answer): receive(answer)
        case .failed(let key, let sentence): fail(key, sentence)
        case .changed: reload()
        }
    }

    package func save() -> String { EvalScreen(self).text }
}

extension Reference.Kind {
    /// A run of an evaluation: `[row]`; below 0 a log of another program that is open.
    public static let evalRun = Reference.Kind(rawValue: "eval-run")
    /// A sample of a run: `[run, place]`.
    public static let evalSample = Reference.Kind(rawValue: "eval-sample")
}
