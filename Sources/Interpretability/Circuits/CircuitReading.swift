/// Results of a question, as values to draw.
package struct CircuitReading: Sendable {
    package var question: CircuitQuestion
    package var map: PatchMap
    /// Texts of the clean prompt's tokens.
    package var tokens: [String]
    /// The metric with the answers' texts.
    package var metric: String
    package var answers: (right: String, wrong: String)
    /// The logit difference of the clean prompt as a sum over the parts, the largest first.
    package var sum: AttributionSum
    /// Progress of the run; `nil` before its first cell and after its last.
    package var progress: PatchProgress?

    package init(
        question: CircuitQuestion, map: PatchMap, tokens: [String], metric: String,
        answers: (right: String, wrong: String), sum: AttributionSum
    ) {
        self.question = question
        self.map = map
        self.tokens = tokens
        self.metric = metric
        self.answers = answers
        self.sum = sum.ordered
    }

    /// Whether the columns of the map are tokens of the prompt.
    package var isByPosition: Bool { map.columns.name == "position" }

    /// Returns the metric of a cell; `nil` outside the map.
    package func value(row: Int, column: Int) -> Double? {
        let index = row * map.columns.labels.count + column
        return map.values.indices.contains(index) ? map.values[index] : nil
    }

    package func rowName(_ row: Int) -> String {
        guard map.rows.labels.indices.contains(row) else { return "" }
        return (map.rows.name == "layer" ? "L" : "") + map.rows.labels[row]
    }

    package func columnName(_ column: Int) -> String {
        guard map.columns.labels.indices.contains(column) else { return "" }
        if isByPosition, tokens.indices.contains(column) { return tokens[column] }
        let label = map.columns.labels[column]
        return map.columns.name == "head" && Int(label) != nil ? "H\(label)" : label
    }
}

extension AttributionSum {
    /// The sum with its terms ordered by magnitude, the largest first.
    package var ordered: AttributionSum {
        AttributionSum(target: target, position: position, terms: top(terms.count), logit: logit)
    }

    /// Whether the sum is equal to the logit; terms are 32-bit numbers, so the largest one limits the precision.
    package var holds: Bool { error <= 1e-3 || relativeError <= 1e-3 }
}

/// One cell of a map, run again.
package struct CircuitCell: Hashable, Sendable {
    package struct Choice: Hashable, Sendable {
        package var text: String
        package var probability: Double
    }

    package var row: Int
    package var column: Int
    /// Prompt whose activations were changed.
    package var base: String
    /// The metric with the change.
    package var value: Double
    /// The most likely next tokens, without and with the change.
    package var before: [Choice]
    package var after: [Choice]
}
