package import Console
internal import Training
internal import TrainingLab

/// The training page: curves of Orrery's own and imported training runs, gradients per layer, sample texts, and changes
/// to a run while it trains.
package struct TrainingPage: Page {
    package static let about = PageInfo("training", "Training", opens: [.trainingRun])

    package enum PaneName: String, Sendable {
        case runs, chart, layers, detail
    }

    /// Views of the text pane.
    enum View: String, CaseIterable, Sendable {
        case overview, samples, events, configuration

        /// Title in the frame.
        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
    }

    package let engine: TrainingEngine
    package var screen = Screen(PaneName.runs)
    var runs = RowList<RunSummary>()
    /// Run shown in the chart, the layers, and the text.
    var shown: OpenTrainingRun?
    /// Runs with overlaid curves, in the order of marking.
    var overlays: [Int64] = []
    var chart = TrendChart()
    /// Name of the curve; `nil` until a run is visible.
    var series: String?
    var axis = CurveAxis.step
    /// Curves as last read.
    var curves: CurveSet?
    var layers = RowList<LayerRow>()
    var figure = LayerFigure.updateRatio
    var isSortedByFigure = false
    var text = TextView([])
    var view = View.overview
    /// Run to show once it is read.
    var wanted: Int64?
    /// Runs that could not be opened, as they were then.
    var unreadable: [Int64: RunSummary] = [:]
    /// Folder of a run started here, to show once the list has it.
    var awaited: String?
    /// Job titles of runs training here, by folder.
    var training: [String: String] = [:]
    /// Problem that stops following the log of the visible run.
    var fault: String?
    var ownChanges: [OwnChange] = []

    package init(_ context: PanelContext) {
        engine = TrainingEngine(context.workspace, now: context.now)
    }

    /// Run that actions apply to: the selected row if the list has the focus; otherwise, the visible run.
    var target: RunSummary? { screen.focus == .runs ? runs.selected : shown?.summary }

    package var selection: Reference? {
        shown.map { Reference(.trainingRun, [$0.summary.id], title: $0.summary.name) }
    }

    package mutating func open(_ reference: Reference) -> Work<Self>? {
        guard reference.kind == .trainingRun, let id = reference.path.first else { return nil }
        screen.focus = .chart
        runs.select(id)
        wanted = id
        return .again("open")
    }

    package func preview(of reference: Reference) -> Preview.Work {
        { [engine = engine] _ in
            guard let id = reference.path.first, let run = try engine.store.run(id) else {
                return .nothing("the run is no longer in the workspace")
            }
            return .shows("the curves of \(run.name)")
        }
    }

    package static func reads(_ reads: inout Reads<Self>) {
        reads.add(
            "runs", for: { _ in true }, in: .runs, read: { engine, _ in try engine.store.runs() },
            then: { $0.list($1) })
        reads.add(
            "open", for: { $0.wanted ?? $0.shown?.summary.id }, in: .detail, read: { try $0.open($1) },
            then: { $0.adopt($1) },
            failed: { page, _ in page.leaveUnreadable() })
        reads.add(
            "curves", for: \.curveQuestion, read: { try $0.curves($1) }, show: { $0.show($1) })
    }

    package mutating func archive(_ archive: inout Archive) {
        archive("view", &view)
        if !archive.isReading { wanted = shown?.summary.id ?? wanted }
        archive("shown", &wanted)
        archive("overlays", &overlays) { $0.count <= Self.mostOverlays }
        archive("series", &series)
        archive("axis", &axis)
        archive("smoothing", &chart.smoothing) { TrendChart.smoothings.contains($0) }
        archive("log_vertical", &chart.isLogVertical)
        archive("log_horizontal", &chart.isLogHorizontal)
        archive("figure", &figure)
        archive("sorted", &isSortedByFigure)
    }

    /// Divides the screen: the list and the layers get the rows that they need, the text and the chart the remaining
    /// rows. Narrow screens show the chart and the focused pane, small screens one pane.
    package func layout(in size: Size) -> PaneTree<PaneName> {
        func rows(of pane: PaneName, atMost most: Int) -> Int {
            switch pane {
            // Without runs, the list explains in four lines how to start one.
            case .runs: min(most, runs.isEmpty ? 7 : max(5, runs.count + 3))
            case .layers: min(most, layers.count + 3)
            case .chart, .detail: most
            }
        }
        guard size.columns >= 110 else {
            guard size.rows >= 18 else { return .pane(screen.focus) }
            let lower: PaneName = screen.focus == .chart ? .runs : screen.focus
            return .rows([.init(.weight(1), .chart), .init(.fixed(rows(of: lower, atMost: size.rows / 2)), lower)])
        }
        let most = size.rows * 2 / 5
        let right: PaneTree<PaneName> =
            layers.isEmpty
            ? .pane(.chart)
            : .rows([.init(.weight(1), .chart), .init(.fixed(rows(of: .layers, atMost: most)), .layers)])
        return .columns([
            .init(
                .fixed(min(66, max(48, size.columns / 3))),
                .rows([.init(.fixed(rows(of: .runs, atMost: most)), .runs), .init(.weight(1), .detail)])),
            .init(.weight(1), right),
        ])
    }
}

extension Reference.Kind {
    /// A training run: `[row]`.
    public static let trainingRun = Reference.Kind(rawValue: "training-run")
}
