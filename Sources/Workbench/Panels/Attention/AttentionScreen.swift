internal import Console
internal import JSON

/// State of the panel that the next start restores.
struct AttentionScreen {
    var pane: AttentionPanel.Pane
    var isZoomed: Bool
    var measure: HeadMeasure
    var shading: TokenShading
    var tab: ReadingTab
    var isWeighted: Bool
    var model: String
    var text: String
    var layer: Int
    var head: Int

    init(_ panel: AttentionPanel) {
        pane = panel.pane
        isZoomed = panel.isZoomed
        measure = panel.measure
        shading = panel.shading
        tab = panel.request.tab
        isWeighted = panel.request.isWeighted
        model = panel.order.model
        // Save the text of a recorded answer, since the next start has no tokens.
        text = panel.order.text ?? panel.run?.tokens.joined() ?? ""
        layer = panel.request.layer
        head = panel.request.head
    }

    var json: String {
        var json = JSONWriter()
        json.object {
            $0.member("pane", pane.rawValue)
            $0.member("zoomed", isZoomed)
            $0.member("measure", measure.rawValue)
            $0.member("shading", shading.rawValue)
            $0.member("reading", tab.rawValue)
            $0.member("weighted", isWeighted)
            $0.member("model", model)
            $0.member("text", text)
            $0.member("layer", Int64(layer))
            $0.member("head", Int64(head))
        }
        return json.text
    }

    init?(json text: String) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self = document.withRoot { AttentionScreen($0) }
    }

    private init(_ root: JSONNode) {
        pane = root["pane"]?.string.flatMap(AttentionPanel.Pane.init(rawValue:)) ?? .tokens
        isZoomed = root["zoomed"]?.bool ?? false
        measure = root["measure"]?.string.flatMap(HeadMeasure.init(rawValue:)) ?? .induction
        shading = root["shading"]?.string.flatMap(TokenShading.init(rawValue:)) ?? .attendsTo
        tab = root["reading"]?.string.flatMap(ReadingTab.init(rawValue:)) ?? .token
        isWeighted = root["weighted"]?.bool ?? false
        model = root["model"]?.string ?? ""
        self.text = root["text"]?.string ?? ""
        layer = Int(clamping: max(0, root["layer"]?.int ?? 0))
        head = Int(clamping: max(0, root["head"]?.int ?? 0))
    }

    func apply(to panel: inout AttentionPanel) {
        panel.pane = pane
        panel.isZoomed = isZoomed
        panel.measure = measure
        panel.shading = shading == .divergence ? .attendsTo : shading
        panel.request.tab = tab
        panel.request.isWeighted = isWeighted
        panel.request.layer = layer
        panel.request.head = head
        panel.order = AttentionOrder(model: model, content: .text(text))
    }
}
