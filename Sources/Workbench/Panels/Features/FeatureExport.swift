internal import Console
internal import FeatureLab
internal import Glibc
internal import Interpretability
internal import System
internal import Tensors
internal import Traces

/// What a pane shows, as a file whose ending says how.
struct FeatureExport: Sendable {
    enum Subject: Sendable {
        case list(FeatureOrder)
        case card(Int)
        /// A text and, where features are changed, the other one; with the activations of a feature.
        case text(SteeringReading, feature: Int?)
    }

    var subject: Subject
    var dictionary: FeatureDictionary
    /// SVG of the pane.
    var picture: String

    /// An existing file is not overwritten.
    func write(to path: String, _ engine: FeatureEngine) throws {
        if path.hasSuffix(".svg") { return try write(picture, to: path) }
        switch subject {
        case .list(let order):
            let format = try format(path, also: "")
            try write(
                engine.store.exportList(
                    of: dictionary.id, as: format, by: order, descending: order.isBestFirst), to: path)
        case .card(let feature):
            if path.hasSuffix(".safetensors") { return try writeTensors(try tensors(of: feature, engine), to: path) }
            let format = try format(path, also: ".safetensors")
            let text = engine.tokenText(dictionary)
            try write(
                engine.store.exportDashboard(of: dictionary.id, feature: feature, as: format, text: text), to: path)
        case .text(let reading, let feature):
            if path.hasSuffix(".safetensors") { return try writeTensors(tensors(of: reading, feature), to: path) }
            guard path.hasSuffix(".csv") else { throw Self.ending(path, ".csv, .safetensors, or .svg") }
            try write(Self.csv(reading, feature), to: path)
        }
    }

    private func format(_ path: String, also other: String) throws -> ExportFormat {
        if path.hasSuffix(".csv") { return .csv }
        if path.hasSuffix(".json") { return .json }
        throw Self.ending(path, ".csv, .json, \(other.isEmpty ? "" : other + ", ")or .svg")
    }

    private static func ending(_ path: String, _ known: String) -> Problem {
        Problem(.unknown, path, "unknown file type", remedy: "End the name in \(known).")
    }

    private func write(_ text: String, to path: String) throws {
        try ExportFile.write(path, replacing: false) { try $0(text) }
    }

    // MARK: Tensors

    private func writeTensors(_ named: [(name: String, tensor: AnyTensor)], to path: String) throws {
        guard access(path, F_OK) != 0 else {
            throw Problem.exists(path)
        }
        var metadata = ["dictionary": dictionary.name, "hook": dictionary.hook, "model": dictionary.model]
        if case .card(let feature) = subject { metadata["feature"] = "\(feature)" }
        if case .text(_, let feature?) = subject { metadata["feature"] = "\(feature)" }
        try TensorFile.write(named, metadata: metadata, to: path)
    }

    private func tensors(
        of feature: Int, _ engine: FeatureEngine
    ) throws -> [(name: String, tensor: AnyTensor)] {
        let dashboard = try engine.store.dashboard(of: dictionary.id, feature: feature)
        let direction = try engine.weights(of: dictionary).featureDirection(feature)
        let counts = dashboard.histogram.counts.map(Float.init)
        return [
            ("direction", AnyTensor(direction)),
            ("histogram", AnyTensor(try Tensor<Float>(counts, shape: [counts.count]))),
        ]
    }

    /// The active features as compressed rows, and the shown one on every token.
    private func tensors(
        of reading: SteeringReading, _ feature: Int?
    ) throws -> [(name: String, tensor: AnyTensor)] {
        var named: [(name: String, tensor: AnyTensor)] = []
        func add<T: TensorScalar>(_ name: String, _ values: [T]) throws {
            named.append((name, AnyTensor(try Tensor<T>(values, shape: [values.count]))))
        }
        for (name, side) in [("untouched", reading.untouched), ("changed", reading.changed)] {
            guard let codes = side?.features else { continue }
            if let feature { try add("\(name).activations", codes.activations(of: feature, rows: 0..<codes.rows)) }
            try add("\(name).codes.features", codes.features)
            try add("\(name).codes.starts", codes.starts.map(Int32.init(clamping:)))
            try add("\(name).codes.values", codes.values)
        }
        if reading.changed != nil { try add("divergence", reading.divergences) }
        return named.sorted { $0.name < $1.name }
    }

    // MARK: Rows

    /// Returns CSV with one line per token and side.
    private static func csv(_ reading: SteeringReading, _ feature: Int?) -> String {
        var lines = ["side,position,token,feature,activation,active,kl_nats"]
        for (name, side) in [("untouched", reading.untouched), ("changed", reading.changed)] {
            guard let side else { continue }
            for (position, text) in side.texts.enumerated() {
                var cells = [name, "\(position)", quoted(text), feature.map(String.init) ?? "", "", "", ""]
                if let codes = side.features, position < codes.rows {
                    if let feature {
                        cells[4] = "\(codes.activations(of: feature, rows: position..<position + 1)[0])"
                    }
                    cells[5] = "\(codes.starts[position + 1] - codes.starts[position])"
                }
                if name == "changed", let divergence = reading.divergence(after: position) {
                    cells[6] = "\(divergence)"
                }
                lines.append(cells.joined(separator: ","))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + Escape.printable(text).replacing("\"", with: "\"\"") + "\""
    }
}

extension FeaturePanel {
    /// What the pane with the keys would write.
    private var exported: FeatureExport.Subject? {
        switch pane {
        case .list: return .list(list.query.order)
        case .card: return card.map { .card($0.feature) }
        case .text, .active: return text.reading.map { .text($0, feature: card?.feature) }
        }
    }

    func export(to path: String) -> [Effect<FeatureAnswer>] {
        guard let dictionary, let exported else { return [] }
        let engine = engine
        let export = FeatureExport(
            subject: exported, dictionary: dictionary, picture: path.hasSuffix(".svg") ? picture(of: pane) : "")
        return [
            .ask(key: "export") { _ in
                try export.write(to: path, engine)
                return .written("written to \(path)")
            }
        ]
    }

    var exportName: String {
        switch pane {
        case .list: "features.csv"
        case .card: card.map { "feature-\($0.feature).json" } ?? "feature.json"
        case .text, .active: "activations.csv"
        }
    }

    /// The formats that `FeatureExport` writes of the pane.
    var exportEndings: [String] {
        switch pane {
        case .list: [".csv", ".json", ".svg"]
        case .card: [".json", ".csv", ".safetensors", ".svg"]
        case .text, .active: [".csv", ".safetensors", ".svg"]
        }
    }

    /// A pane alone, for a light page.
    private func picture(of pane: Pane) -> String {
        var page = self
        page.turned = []
        let area = Rect(Size(pane == .text || pane == .card ? 100 : 64, pane == .active ? 24 : 40))
        page.area = area
        page.pane = pane
        page.isZoomed = true
        page.layoutPanes()
        var surface = Surface(Size(area.columns, area.rows))
        page.render(into: &surface, area: area, theme: .light)
        return surface.svg(theme: .light, options: SVGOptions(title: Self.title))
    }
}
