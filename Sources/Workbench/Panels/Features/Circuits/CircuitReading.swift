package import Interpretability

/// What a question found, as values to be drawn.
package struct CircuitReading: Sendable {
    var question: CircuitQuestion
    var map: PatchMap
    /// Texts of the clean prompt's tokens.
    var tokens: [String]
    /// The metric with the answers' texts.
    var metric: String
    var answers: (right: String, wrong: String)
    /// The logit difference of the clean prompt, taken apart.
    var sum: CircuitSum

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

    /// Columns of the map are tokens of the prompt.
    var isByPosition: Bool { map.columns.name == "position" }

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

/// A logit difference as the sum of what each part of the model adds to it, strongest first.
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
    /// The difference as the model said it.
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
    /// Terms are 32-bit numbers: their sum is as exact as the largest of them.
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
    /// The prompt that was changed.
    var base: String
    /// The metric with the change.
    var value: Double
    /// The best next tokens: untouched, and with the cell's change.
    var before: [Choice]
    var after: [Choice]
}
