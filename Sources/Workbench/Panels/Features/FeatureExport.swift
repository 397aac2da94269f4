internal import Console
internal import FeatureLab
internal import Interpretability
internal import Tensors

/// Content of a pane of features, for a file.
struct FeatureExport: Sendable {
    enum Subject: Sendable {
        case list(FeatureOrder)
        case card(Int)
        /// A text and its changed version, with the activations of a feature.
        case text(SteeringReading, feature: Int?)
    }

    var subject: Subject
    var dictionary: FeatureDictionary

    func write(to file: PaneFile, _ engine: FeatureEngine) throws {
        switch subject {
        case .list(let order):
            func list(_ format: ExportFormat) throws -> String {
                try engine.store.exportList(
                    of: dictionary.id, as: format, by: order, descending: order.isBestFirst)
            }
            try file.write(csv: { try list(.csv) }, json: { try list(.json) })
        case .card(let feature):
            let text = engine.tokenText(dictionary)
            func card(_ format: ExportFormat) throws -> String {
                try engine.store.exportDashboard(of: dictionary.id, feature: feature, as: format, text: text)
            }
            try file.write(
                csv: { try card(.csv) }, json: { try card(.json) },
                tensors: { try TensorFile.write(try tensors(of: feature, engine), metadata: metadata, to: $0) })
        case .text(let reading, let feature):
            try file.write(
                csv: { Self.csv(reading, feature) },
                tensors: { try TensorFile.write(try tensors(of: reading, feature), metadata: metadata, to: $0) })
        }
    }

    // MARK: Tensors

    private var metadata: [String: String] {
        var metadata = ["dictionary": dictionary.name, "hook": dictionary.hook, "model": dictionary.model]
        switch subject {
        case .card(let feature), .text(_, let feature?): metadata["feature"] = "\(feature)"
        default: break
        }
        return metadata
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

    /// Returns the active features as compressed rows, and the shown one on every token.
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
