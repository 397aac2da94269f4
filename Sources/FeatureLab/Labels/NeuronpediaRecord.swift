internal import Interpretability
internal import JSON
internal import System

/// One record of Neuronpedia's JSON: a feature, an explanation of one, or an activation of one.
struct NeuronpediaRecord {
    var index: Int
    var explanations: [(text: String, source: String)] = []
    var maximum: Float?
    var density: Double?
    var positive: [TokenLogit] = []
    var negative: [TokenLogit] = []
    var histogram: [Int] = []
    var examples: [ImportedFeature.Example] = []

    init(_ node: JSONNode) throws(Problem) {
        guard node.kind == .object else { throw Problem(.invalid, "", "is not a JSON object") }
        guard let number = node["index"]?.lenientInt, let index = Int(exactly: number) else {
            throw Problem(.invalid, "", "has no feature index")
        }
        self.index = index
        try readExplanations(node)
        maximum = try Self.number(node["maxActApprox"], "maxActApprox").map { Float($0) }
        density = try Self.number(node["frac_nonzero"], "frac_nonzero")
        if let maximum, !(maximum.isFinite && maximum >= 0) {
            throw Problem(.invalid, "", "has an invalid maximum: \(maximum)")
        }
        if let density, !(0...1).contains(density) { throw Problem(.invalid, "", "has an invalid density: \(density)") }
        positive = try Self.logits(node["pos_str"], node["pos_values"], "pos")
        negative = try Self.logits(node["neg_str"], node["neg_values"], "neg")
        for count in try Self.list(node["freq_hist_data_bar_heights"], "freq_hist_data_bar_heights") {
            guard let height = count.double, height >= 0, height < 1e15 else {
                throw Problem(
                    .invalid, "", "has an invalid histogram: freq_hist_data_bar_heights needs counts of 0 or more")
            }
            histogram.append(Int(height))
        }
        for activation in try Self.list(node["activations"], "activations") { try readExample(activation) }
        if node["tokens"] != nil { try readExample(node) }
    }

    private mutating func readExplanations(_ node: JSONNode) throws(Problem) {
        try readExplanation(node)
        for explanation in try Self.list(node["explanations"], "explanations") { try readExplanation(explanation) }
    }

    private mutating func readExplanation(_ node: JSONNode) throws(Problem) {
        guard let description = node["description"], !description.isNull else { return }
        guard let text = description.string else {
            throw Problem(.invalid, "", "has a description that is not a string")
        }
        if text.isEmpty { return }
        guard text.utf8.count <= 1 << 16 else {
            throw Problem(.invalid, "", "has a description of \(text.utf8.count) bytes, above the limit of 65,536")
        }
        let source = node["explanationModelName"]?.string ?? node["typeName"]?.string ?? ""
        explanations.append((text, source.isEmpty ? "neuronpedia" : source))
    }

    private mutating func readExample(_ node: JSONNode) throws(Problem) {
        let texts = try Self.list(node["tokens"], "tokens")
        let values = try Self.list(node["values"], "values")
        guard texts.count == values.count else {
            throw Problem(.invalid, "", "has an activation with \(texts.count) tokens but \(values.count) values")
        }
        if texts.isEmpty { return }
        var example = ImportedFeature.Example(texts: [], values: [])
        for (text, value) in zip(texts, values) {
            guard let text = text.string, let value = value.double.map({ Float($0) }), value.isFinite else {
                throw Problem(
                    .invalid, "", "has an activation with a token that is not a string or a value that is not a number")
            }
            example.texts.append(text)
            example.values.append(value)
        }
        examples.append(example)
    }

    private static func logits(
        _ texts: JSONNode?, _ values: JSONNode?, _ name: String
    ) throws(Problem) -> [TokenLogit] {
        let texts = try list(texts, name + "_str")
        let values = try list(values, name + "_values")
        guard values.isEmpty || texts.count == values.count else {
            throw Problem(.invalid, "", "has \(texts.count) \(name)_str but \(values.count) \(name)_values")
        }
        var logits: [TokenLogit] = []
        for (number, text) in texts.enumerated() {
            let value = values.isEmpty ? 0 : values[number].double
            guard let text = text.string, let value, Float(value).isFinite else {
                throw Problem(
                    .invalid, "", "has a \(name)_str that is not a string or a \(name)_values that is not a number")
            }
            logits.append(TokenLogit(token: nil, text: text, value: Float(value)))
        }
        return logits
    }

    private static func number(_ node: JSONNode?, _ name: String) throws(Problem) -> Double? {
        guard let node, !node.isNull else { return nil }
        guard let number = node.double else { throw Problem(.invalid, "", "has a \(name) that is not a number") }
        return number
    }

    private static func list(_ node: JSONNode?, _ name: String) throws(Problem) -> [JSONNode] {
        guard let node, !node.isNull else { return [] }
        guard node.kind == .array else { throw Problem(.invalid, "", "has an invalid \(name): expected an array") }
        return Array(node.elements)
    }
}
