internal import JSON

/// What the panel brings back at the next start.
struct EvalScreen {
    var page = EvalPanel.Page.runs
    var run: Int64?
    var sample: Int?
    var paths: [String] = []
    var about = EvalPanel.About.overview
    var chart = EvalChart.Kind.bars
    var order = EvalRunRows.Order.time
    var rater: String?

    init(_ panel: EvalPanel) {
        // One key recreates a diff or a matrix, and their runs may be gone.
        page = panel.page == .samples || panel.page == .queue ? .samples : .runs
        run = panel.wanted?.run ?? panel.open?.id
        sample = panel.wanted?.sample ?? panel.selectedSample
        for log in panel.logs where !paths.contains(log.path) { paths.append(log.path) }
        paths += panel.paths.filter { !paths.contains($0) }
        about = panel.about
        chart = panel.chart.kind
        order = panel.runs.order
        rater = panel.queue.rater
    }

    var text: String {
        var json = JSONWriter()
        json.object {
            $0.member("page", page.rawValue)
            $0.member("run", ifPresent: run)
            $0.member("sample", ifPresent: sample.map { Int64($0) })
            $0.member("logs", paths)
            $0.member("about", about.rawValue)
            $0.member("chart", chart.rawValue)
            $0.member("order", order.rawValue)
            $0.member("rater", ifPresent: rater)
        }
        return json.text
    }

    init?(text: String) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self = document.withRoot { EvalScreen($0) }
    }

    private init(_ root: JSONNode) {
        page = root["page"]?.string.flatMap(EvalPanel.Page.init(rawValue:)) ?? .runs
        run = root["run"]?.int
        sample = root["sample"]?.int.flatMap { Int(exactly: $0) }
        paths = (root["logs"]?.elements).map { $0.compactMap(\.string) } ?? []
        about = root["about"]?.string.flatMap(EvalPanel.About.init(rawValue:)) ?? .overview
        chart = root["chart"]?.string.flatMap(EvalChart.Kind.init(rawValue:)) ?? .bars
        order = root["order"]?.string.flatMap(EvalRunRows.Order.init(rawValue:)) ?? .time
        rater = root["rater"]?.string
    }

    func apply(to panel: inout EvalPanel) {
        panel.page = page == .samples ? .samples : .runs
        panel.paths = paths
        if let run { panel.wanted = EvalPanel.Wanted(run: run, sample: sample) }
        panel.about = about
        panel.chart.kind = chart
        panel.runs.set(order: order)
        if let rater, !rater.isEmpty { panel.queue.rater = rater }
    }
}
