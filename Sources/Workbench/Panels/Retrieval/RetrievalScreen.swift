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
    /// The current pipeline and the saved one, as file texts.
    var definition: String
    var base: String

    init(_ panel: RetrievalPanel) {
        pane = panel.pane
        isZoomed = panel.isZoomed
        view = panel.view
        corpus = panel.corpus?.name
        query = panel.query
        pipeline = panel.pipeline.named.name
        definition = panel.pipeline.definition.toml
        base = panel.pipeline.base.toml
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
            $0.member("definition", definition)
            $0.member("base", base)
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
        definition = root["definition"]?.string ?? ""
        base = root["base"]?.string ?? definition
    }

    func apply(to panel: inout RetrievalPanel) {
        panel.pane = pane
        panel.isZoomed = isZoomed
        panel.view = view
        panel.query = query
        panel.wanted = corpus
        // Failure is harmless: where this version cannot read the saved file, the standard pipeline stays in place.
        if let definition = try? PipelineDefinition(definition, path: pipeline),
            let base = try? PipelineDefinition(base, path: pipeline)
        {
            panel.pipeline = PipelineChoice(NamedPipeline(name: pipeline, definition: definition), base: base)
        }
    }
}
