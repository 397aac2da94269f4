internal import JSON
internal import Traces

/// State of the panel that the next start restores.
struct TraceScreen {
    var pane: TracePanel.Pane
    var isZoomed: Bool
    var filter: String
    var scope: String
    var order: String
    var isDescending: Bool
    var trace: Int64?
    var span: Int?
    var positions: [Int64: Int]

    init(_ panel: TracePanel) {
        pane = panel.pane
        isZoomed = panel.isZoomed
        filter = panel.runs.filter.text
        scope = panel.runs.scope.identifier
        order = panel.runs.order.column.rawValue
        isDescending = panel.runs.order.isDescending
        trace = panel.run?.trace.summary.id ?? panel.loading?.trace
        span = panel.run?.selected ?? panel.loading?.span
        positions = panel.positions
    }

    var text: String {
        var json = JSONWriter()
        json.object {
            $0.member("pane", pane.rawValue)
            $0.member("zoomed", isZoomed)
            $0.member("filter", filter)
            $0.member("scope", scope)
            $0.member("order", order)
            $0.member("descending", isDescending)
            $0.member("trace", ifPresent: trace)
            $0.member("span", ifPresent: span)
            $0.member("positions") { json in
                json.object {
                    for (trace, span) in positions.sorted(by: { $0.key < $1.key }).suffix(200) {
                        $0.member(String(trace), span)
                    }
                }
            }
        }
        return json.text
    }

    init?(text: String) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self = document.withRoot { root in
            var positions: [Int64: Int] = [:]
            if let saved = root["positions"] {
                for (key, value) in saved.members {
                    if let trace = key.string.flatMap({ Int64($0) }), let span = value.int {
                        positions[trace] = Int(span)
                    }
                }
            }
            return TraceScreen(
                pane: root["pane"]?.string.flatMap(TracePanel.Pane.init(rawValue:)) ?? .runs,
                isZoomed: root["zoomed"]?.bool ?? false, filter: root["filter"]?.string ?? "",
                scope: root["scope"]?.string ?? "",
                order: root["order"]?.string ?? "", isDescending: root["descending"]?.bool ?? true,
                trace: root["trace"]?.int, span: root["span"]?.int.map { Int($0) },
                positions: positions)
        }
    }

    private init(
        pane: TracePanel.Pane, isZoomed: Bool, filter: String, scope: String, order: String, isDescending: Bool,
        trace: Int64?, span: Int?, positions: [Int64: Int]
    ) {
        self.pane = pane
        self.isZoomed = isZoomed
        self.filter = filter
        self.scope = scope
        self.order = order
        self.isDescending = isDescending
        self.trace = trace
        self.span = span
        self.positions = positions
    }

    func apply(to panel: inout TracePanel) {
        // A filter that this version cannot parse and an unknown scope count as none.
        panel.runs.filter = (try? Filter(parsing: filter)) ?? .everything
        panel.runs.scope = RunScope(identifier: scope) ?? .agents
        if let column = TraceOrder.Column(rawValue: order) {
            panel.runs.order = TraceOrder(column, isDescending: isDescending)
        }
        panel.positions = positions
        guard let trace else { return }
        panel.pane = pane
        panel.isZoomed = isZoomed
        panel.loading = TracePanel.Loading(trace: trace, span: span)
    }
}
