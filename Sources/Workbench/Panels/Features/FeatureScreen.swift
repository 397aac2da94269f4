internal import FeatureLab
internal import JSON

/// What the panel brings back at the next start.
struct FeatureScreen {
    var pane: FeaturePanel.Pane
    var isZoomed: Bool
    var showsCircuits: Bool
    var dictionary: Int64?
    var feature: Int?
    var query: String
    var order: FeatureOrder
    var prompt: String
    var circuits: String

    init(_ panel: FeaturePanel) {
        pane = panel.pane
        isZoomed = panel.isZoomed
        showsCircuits = panel.showsCircuits
        dictionary = panel.dictionary?.id ?? panel.wanted?.dictionary
        feature = panel.card?.feature ?? panel.wanted?.feature
        query = panel.list.query.typed
        order = panel.list.query.order
        prompt = panel.text.prompt.text
        circuits = panel.circuits.saved
    }

    var text: String {
        var json = JSONWriter()
        json.object {
            $0.member("pane", pane.rawValue)
            $0.member("zoomed", isZoomed)
            $0.member("shows_circuits", showsCircuits)
            $0.member("dictionary", ifPresent: dictionary)
            $0.member("feature", ifPresent: feature)
            $0.member("query", query)
            $0.member("order", order.rawValue)
            $0.member("prompt", prompt)
            $0.member("circuits", circuits)
        }
        return json.text
    }

    init?(text: String) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self = document.withRoot { FeatureScreen($0) }
    }

    private init(_ root: JSONNode) {
        pane = root["pane"]?.string.flatMap(FeaturePanel.Pane.init(rawValue:)) ?? .list
        isZoomed = root["zoomed"]?.bool ?? false
        showsCircuits = root["shows_circuits"]?.bool ?? false
        dictionary = root["dictionary"]?.int
        feature = root["feature"]?.int.map(Int.init)
        query = root["query"]?.string ?? ""
        order = root["order"]?.string.flatMap(FeatureOrder.init(rawValue:)) ?? .meaning
        prompt = root["prompt"]?.string ?? ""
        circuits = root["circuits"]?.string ?? ""
    }

    func apply(to panel: inout FeaturePanel) {
        panel.pane = pane
        panel.isZoomed = isZoomed
        panel.showsCircuits = showsCircuits
        panel.wanted = FeaturePanel.Wanted(dictionary: dictionary, feature: feature)
        panel.list.query = query.isEmpty ? .all(order) : FeatureQuery(typed: query)
        panel.text.set(prompt: FeaturePrompt(prompt))
        panel.circuits.restore(circuits)
    }
}
