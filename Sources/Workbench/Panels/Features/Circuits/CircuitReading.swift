package import Interpretability

/// Results of a question, as values to draw.
package struct CircuitReading: Sendable {
    var question: CircuitQuestion
    var map: PatchMap
    /// Texts of the clean prompt's tokens.
    var tokens: [String]
    /// The metric with the answers' texts.
    var metric: String
    var answers: (right: String, wrong: String)
    /// The logit difference of the clean prompt as a sum over the parts.
    var sum: CircuitSum
    /// Progress of the run; `nil` before its first cell and after its last.
    var progress: PatchProgress?

    package init(
        question: CircuitQuestion, map: PatchMap, tokens: [String], metric: String,
        answers: (right: String, wrong: String), sum: CircuitSum
    ) {
        self.question = question
        self.map = map
        self.tokens = tokens
        self.metric = metric
        self.answers = answers
        self.sum = sum
    }

    /// Whether the columns of the map are tokens of the prompt.
    var isByPosition: Bool { map.columns.name == "position" }

    /// Returns the metric of a cell; `nil` outside the map.
    func value(row: Int, column: Int) -> Double? {
        let index = row * map.columns.labels.count + column
        return map.values.indices.contains(index) ? map.values[index] : nil
    }

    func rowName(_ row: Int) -> String {
        guard map.rows.labels.indices.contains(row) else { return "" }
        return (map.rows.name == "layer" ? "L" : "") + map.rows.labels[row]
    }

    func columnName(_ column: Int) -> String {
        guard map.columns.labels.indices.contains(column) else { return "" }
        if isByPosition, tokens.indices.contains(column) { return tokens[column] }
        let label = map.columns.labels[column]
        return map.columns.name == "head" && Int(label) != nil ? "H\(label)" : label
    }
}

/// A logit difference as the sum over the parts of the model, strongest first.
package struct CircuitSum: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        var label: String
        var value: Double

        package init(label: String, value: Double) {
            self.label = label
            self.value = value
        }
    }

    var parts: [Part]
    /// Difference of the model's logits.
    var logit: Double
    /// Σ of the parts.
    var sum: Double

    package init(parts: [Part], logit: Double) {
        self.parts = parts.sorted { abs($0.value) > abs($1.value) }
        self.logit = logit
        sum = parts.reduce(0) { $0 + $1.value }
    }

    init(_ attribution: AttributionSum) {
        self.init(
            parts: attribution.terms.map { Part(label: $0.part.label, value: $0.value) }, logit: attribution.logit)
    }

    var greatest: Double { parts.first.map { abs($0.value) } ?? 0 }
    var error: Double { abs(sum - logit) }
    /// Whether the sum is equal to the difference; terms are 32-bit numbers, so the largest one limits the precision.
    var holds: Bool { error <= 1e-3 * max(1, greatest, abs(logit)) }
}

/// One cell of a map, run again.
struct CircuitCell: Hashable, Sendable {
    struct Choice: Hashable, Sendable {
        var text: String
        var probability: Double
    }

    var row: Int
    var column: Int
    /// Prompt whose activations were changed.
    var base: String
    /// The metric with the change.
    var value: Double
    /// The most likely next tokens, without and with the change.
    var before: [Choice]
    var after: [Choice]
}
