internal import Console
internal import JSON
internal import ModelLab

/// State of the panel that the next start restores.
struct TokenScreen {
    var pane: TokenPanel.Pane
    var isZoomed: Bool
    var coloring: TokenColoring
    var session: Int64?
    var answer: Int64?
    var step: Int?

    init(_ panel: TokenPanel) {
        pane = panel.pane
        isZoomed = panel.isZoomed
        coloring = panel.coloring
        session = panel.session?.session.id
        answer = panel.answer.flatMap { $0.id == 0 ? nil : $0.id }
        step = panel.step?.index
    }

    var text: String {
        var json = JSONWriter()
        json.object {
            $0.member("pane", pane.rawValue)
            $0.member("zoomed", isZoomed)
            $0.member("coloring", coloring.rawValue)
            $0.member("session", ifPresent: session)
            $0.member("answer", ifPresent: answer)
            $0.member("step", ifPresent: step)
        }
        return json.text
    }

    init?(text: String) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self = document.withRoot { TokenScreen($0) }
    }

    private init(_ root: JSONNode) {
        pane = root["pane"]?.string.flatMap(TokenPanel.Pane.init(rawValue:)) ?? .sessions
        isZoomed = root["zoomed"]?.bool ?? false
        coloring = root["coloring"]?.string.flatMap(TokenColoring.init(rawValue:)) ?? .probability
        session = root["session"]?.int
        answer = root["answer"]?.int
        step = root["step"]?.int.map { Int($0) }
    }
}
