internal import JSON
internal import Retrieval

/// What the panel brings back at the next start.
struct RetrievalScreen {
    var pane: RetrievalPanel.Pane
    var isZoomed: Bool
    var view: PassageReading.View
    var corpus: String?
    var query: String
    var pipeline: String
    var changes: String

    init(_ panel: RetrievalPanel) {
        pane = panel.pane
        isZoomed = panel.isZoomed
        view = panel.view
        corpus = panel.corpus?.name
        query = panel.query
        pipeline = panel.pipeline.named.name
        changes = panel.pipeline.definition.toml
    }

    var text: String {
        var json = JSONWriter()
        json.object {
            $0.member("pane", pane.rawValue)
            $0.member("zoomed", isZoomed)
            $0.member("view", view.rawValue)
            $0.member("corpus", ifPresent: corpus)
            $0.member("query", query)
            $0.member("pipeline", pipeline)
            $0.member("definition", changes)
        }
        return json.text
    }

    init?(text: String) {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        self = document.withRoot { RetrievalScreen($0) }
    }

    private init(_ root: JSONNode) {
        pane = root["pane"]?.string.flatMap(RetrievalPanel.Pane.init(rawValue:)) ?? .stages
        isZoomed = root["zoomed"]?.bool ?? false
        view = root["view"]?.string.flatMap(PassageReading.View.init(rawValue:)) ?? .chunk
        corpus = root["corpus"]?.string
        query = root["query"]?.string ?? ""
        pipeline = root["pipeline"]?.string ?? Retriever.standardName
        changes = root["definition"]?.string ?? ""
    }

    func apply(to panel: inout RetrievalPanel) {
        panel.pane = pane
        panel.isZoomed = isZoomed
        panel.view = view
        panel.query = query
        panel.wanted = corpus
        if let definition = try? PipelineDefinition(changes, path: pipeline) {
            panel.pipeline = PipelineChoice(NamedPipeline(name: pipeline, definition: definition))
        }
    }
}
