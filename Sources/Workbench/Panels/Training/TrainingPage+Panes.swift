internal import Console
internal import Formatting
internal import Presentation
internal import Tables
internal import Training
internal import TrainingLab

extension TrainingPage {
    package static var panes: [Pane<Self>] { [runList, curveChart, layerTable, detail] }

    // MARK: Runs

    private static var runList: Pane<Self> {
        .list(
            .runs, \.runs, frame: { Frame("Runs", count: FrameLabel(Format.count($0.runs.count))) },
            empty: { page in
                guard page.runs.isEmpty else { return nil }
                return [
                    "no runs yet", "", "r  trains from a configuration file", "i  imports a log from another program",
                ]
            }, columns: { $0.addRunColumns(to: &$1) })
    }

    /// Adds the columns. The column of states is as wide as its content; names get the rest, and the narrowest list shows
    /// only names.
    private func addRunColumns(to columns: inout Columns<RunSummary>) {
        let glyphs = columns.theme.glyphs
        let nothing = Table.Cell(String(Character(glyphs.nothing)), .faint)
        let states = runs.rows.map { DisplayWidth.of($0.standing) }.max() ?? 0
        let now = Int(engine.now() / 1_000_000_000)
        columns.add("", minimum: 1) { .init(chart.sign(of: $0.id, glyphs) ?? "", chart.role(of: $0.id) ?? .text) }
        columns.add(shared: "run", of: \.self, minimum: 10, weight: 1) {
            $0.id == shown?.summary.id ? .accent : .text
        }
        columns.add("state", minimum: max(6, states), priority: 1) { .init($0.standing, $0.state.role) }
        columns.add("step", align: .right, minimum: 6, priority: 3) { .init(Format.compact($0.step), .dim) }
        columns.add(shared: "loss", of: \.self, minimum: 6, priority: 2) {
            $0.loss?.isFinite == false ? .failure : .text
        }
        columns.add("started", align: .right, minimum: 10, priority: 4) { run in
            run.started.map { .init(Format.clock(Int($0 / 1_000_000_000), now: now), .dim) } ?? nothing
        }
    }

    // MARK: Chart

    private static var curveChart: Pane<Self> {
        .canvas(
            .chart, frame: \.chartFrame, move: { $0.chart.move($1) },
            press: { page, point, area in
                if let place = page.chart.place(at: point, in: area, page.chartLabels) { page.chart.cursor = place }
            }, scroll: { $0.chart.zoom(by: $1 < 0 ? 0.5 : 2) },
            draw: { page, surface, area, theme in
                guard page.shown != nil else { return }
                if let small = page.chart.draw(into: &surface, in: area, page.chartLabels, theme: theme) {
                    ProseLines.draw("no room for the chart: z zooms", .dim, into: &surface, in: small, theme: theme)
                }
            })
    }

    private var chartFrame: Frame {
        let title = series.map { curves?.question.companion == nil ? $0 : CurvePairs.title($0) } ?? "Curve"
        var frame = Frame(FrameLabel(title))
        guard let shown else { return frame }
        if let index = series.flatMap({ shown.names.firstIndex(of: $0) }), shown.names.count > 1 {
            frame.count = FrameLabel("\(index + 1) of \(Format.count(shown.names.count))")
        }
        frame.details = [FrameLabel(shown.summary.name, role: .dim)] + chartDetails
        frame.trailing = [FrameLabel(shown.summary.standing, role: shown.summary.state.role)]
        return frame
    }

    /// Settings of the chart that change how the curve looks.
    private var chartDetails: [FrameLabel] {
        var details: [FrameLabel] = []
        if chart.smoothing > 0 { details.append("smoothed \(Format.compact(chart.smoothing))") }
        switch (chart.isLogVertical, chart.isLogHorizontal) {
        case (true, true): details.append("log-log")
        case (true, false): details.append("log")
        case (false, true): details.append("log axis")
        case (false, false): break
        }
        if chart.window != nil { details.append(FrameLabel("zoomed", role: .accent)) }
        return details
    }

    private var chartLabels: TrendLabels {
        let companion = curves?.question.companion
        return TrendLabels(
            series.map { companion == nil && chart.order.count == 1 ? $0 : CurvePairs.side($0) },
            companion: companion.map(CurvePairs.side), marks: shown?.marks(on: curves?.axis ?? axis) ?? [],
            absence: "the run has no such curve", value: { Format.loss($0) },
            name: { id in runs.rows.first { $0.id == id }?.name ?? "run \(id)" })
    }

    // MARK: Layers

    /// Per-layer norms. A run without them has no such pane; the overview says so.
    private static var layerTable: Pane<Self> {
        .list(
            .layers, \.layers,
            frame: { page in
                Frame(
                    "Layers", count: FrameLabel(Format.count(page.layers.count)),
                    details: [
                        FrameLabel(page.figure.word, role: .dim),
                        FrameLabel(page.isSortedByFigure ? "largest first" : "in model order", role: .dim),
                    ])
            }, isPresent: { !$0.layers.isEmpty }, columns: { $0.addLayerColumns(to: &$1) })
    }

    private func addLayerColumns(to columns: inout Columns<LayerRow>) {
        let theme = columns.theme
        columns.add("layer", minimum: 14, weight: 1) { .init($0.name, .text) }
        for kind in LayerFigure.allCases where columns.width >= 64 || kind == figure {
            columns.add(
                kind.word, align: .right, minimum: max(8, kind.word.count), priority: kind == figure ? 0 : 1
            ) { row in
                guard let value = kind.measure(of: row)?.latest else { return .init("", .faint) }
                return .init(kind.text(value), kind.role(of: value) ?? (kind == figure ? .text : .dim))
            }
        }
        columns.add("over the run", minimum: TrainingEngine.trend, priority: 2) { row, surface, area in
            guard let measure = figure.measure(of: row) else { return }
            Sparkline(measure.trend).draw(into: &surface, in: area, style: theme[.series1], theme: theme)
        }
    }

    // MARK: Text

    private static var detail: Pane<Self> {
        .text(
            .detail, \.text,
            frame: { page in
                var frame = Frame(FrameLabel(page.view.title))
                switch page.view {
                case .samples: frame.count = page.shown.map { FrameLabel(Format.count($0.samples.count)) }
                case .events: frame.count = page.shown.map { FrameLabel(Format.count($0.events.count)) }
                case .overview, .configuration: break
                }
                return frame
            })
    }
}
