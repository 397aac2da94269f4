internal import Console
internal import Interpretability

extension FeaturePage {
    func copy() -> Work<Self> {
        if showsCircuits { return circuit.reading.map { .copy($0.markdown, what: "the map") } ?? [] }
        return card.map { .copy($0.markdown, what: "feature \($0.feature)") } ?? []
    }

    func askExport() -> Work<Self> {
        let (name, endings): (String, [String]) =
            switch screen.focus {
            case .list: ("features.csv", [".csv", ".json", ".svg"])
            case .card:
                (
                    card.map { "feature-\($0.feature).json" } ?? "feature.json",
                    [".json", ".csv", ".safetensors", ".svg"]
                )
            case .text, .active: ("activations.csv", [".csv", ".safetensors", ".svg"])
            case .parts: ("parts.csv", [".csv", ".safetensors", ".svg"])
            case .map, .cell: ("circuit.csv", [".csv", ".safetensors", ".svg"])
            }
        return .export("Export the pane", name: name, endings: endings) { $0.export(to: $1.trimmed) }
    }

    private func export(to path: String) -> Work<Self> {
        let pane = screen.focus
        let file = PaneFile(path: path, picture: path.hasSuffix(".svg") ? picture(of: pane) : "")
        if showsCircuits {
            guard let reading = circuit.reading else { return whyNoMap.map { .notify($0, .warning) } ?? [] }
            return write {
                _ in
                try reading.write(pane, to: file)
            } then: { _, _ in
                .notify("written to \(path)", .success)
            }
        }
        guard let dictionary, let subject = exported else { return [] }
        let export = FeatureExport(subject: subject, dictionary: dictionary)
        return write {
            try export.write(to: file, $0)
        } then: { _, _ in
            .notify("written to \(path)", .success)
        }
    }

    /// Content of the focused pane.
    private var exported: FeatureExport.Subject? {
        switch screen.focus {
        case .list: .list(list.query.order)
        case .text, .active: text.reading.map { .text($0, feature: card?.feature) }
        default: card.map { .card($0.feature) }
        }
    }

    /// Returns SVG of a pane without its formulas, for a light background.
    private func picture(of name: PaneName) -> String {
        var page = self
        page.turned = []
        page.screen.focus = name
        let circuitRows = name == .parts ? circuit.parts.count : circuit.reading?.map.rows.labels.count ?? 0
        let size =
            switch name {
            case .list: Size(64, 40)
            case .active: Size(64, 24)
            case .card, .text: Size(100, 40)
            case .map, .parts, .cell: Size(120, max(16, min(circuitRows, 60) + 8))
            }
        var surface = Surface(size)
        guard let pane = Self.panes.first(where: { $0.name == name && $0.isPresent(page) }) else { return "" }
        pane.layOut(&page, in: pane.contentArea(in: surface.bounds))
        pane.draw(page, into: &surface, in: surface.bounds, theme: .light, isFocused: true, hidden: [])
        return surface.svg(theme: .light, options: SVGOptions(title: showsCircuits ? "Circuits" : Self.about.title))
    }
}
