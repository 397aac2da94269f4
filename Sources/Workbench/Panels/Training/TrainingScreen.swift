internal import JSON
internal import TrainingLab

/// State of the panel that the next start restores.
struct TrainingScreen {
    var pane: TrainingPanel.Pane
    var isZoomed: Bool
    var view: TrainingPanel.View
    var shown: Int64?
    var overlays: [Int64]
    var chart: CurveChart
    var figure: LayerView.Figure
    var isSortedByFigure: Bool

    init(_ panel: TrainingPanel) {
        pane = panel.pane
        isZoomed = panel.isZoomed
        view = panel.view
        shown = panel.shown?.summary.id ?? panel.wanted
        overlays = panel.overlays
        chart = panel.chart
        figure = panel.layers.figure
        isSortedByFigure = panel.layers.isSortedByFigure
    }

    var text: String {
        var json = JSONWriter()
        json.object {
            $0.member("pane", pane.rawValue)
            $0.member("zoomed", isZoomed)
            $0.member("view", view.rawValue)
            $0.member("shown", ifPresent: shown)
            $0.member("overlays", overlays.map { Int($0) })
            $0.member("series", ifPresent: chart.series)
            $0.member("axis", chart.axis.word)
            $0.member("smoothing", chart.smoothing)
            $0.member("log_vertical", chart.isLogVertical)
            $0.member("log_horizontal", chart.isLogHorizontal)
            $0.member("figure", figure.rawValue)
            $0.member("sorted", isSortedByFigure)
        }
        return json.text
    }

    init?(text: String) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self = document.withRoot { TrainingScreen($0) }
    }

    private init(_ root: JSONNode) {
        pane = root["pane"]?.string.flatMap(TrainingPanel.Pane.init(rawValue:)) ?? .runs
        isZoomed = root["zoomed"]?.bool ?? false
        view = root["view"]?.string.flatMap(TrainingPanel.View.init(rawValue:)) ?? .overview
        shown = root["shown"]?.int
        overlays = (root["overlays"]?.elements).map { $0.compactMap(\.int) } ?? []
        chart = CurveChart()
        chart.series = root["series"]?.string
        chart.axis = root["axis"]?.string.flatMap { word in CurveAxis.allCases.first { $0.word == word } } ?? .step
        let smoothing = root["smoothing"]?.double ?? chart.smoothing
        chart.smoothing = CurveChart.smoothings.contains(smoothing) ? smoothing : chart.smoothing
        chart.isLogVertical = root["log_vertical"]?.bool ?? false
        chart.isLogHorizontal = root["log_horizontal"]?.bool ?? false
        figure = root["figure"]?.string.flatMap(LayerView.Figure.init(rawValue:)) ?? .updateRatio
        isSortedByFigure = root["sorted"]?.bool ?? false
    }

    func apply(to panel: inout TrainingPanel) {
        panel.pane = pane
        panel.isZoomed = isZoomed
        panel.view = view
        panel.wanted = shown
        panel.overlays = Array(overlays.prefix(TrainingPanel.mostOverlays))
        panel.chart = chart
        panel.layers.restore(figure, isSortedByFigure: isSortedByFigure)
    }
}
