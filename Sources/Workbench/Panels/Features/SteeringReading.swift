package import Interpretability

/// The reading of a text and of its version with changed features, as values to draw.
package struct SteeringReading: Sendable {
    /// One of the two texts.
    package struct Side: Sendable {
        /// Two readings of one run have the same number: what came is added at the end.
        package var run = 0
        package var texts: [String] = []
        package var promptCount = 0
        /// Tokens that the model has read.
        package var readCount = 0
        /// A row of active features for each token that was read.
        package var features: SparseCodes?
        var tokensPerSecond = 0.0
        /// Nothing more can come.
        package var isOver = false

        package init() {}
    }

    var untouched: Side
    /// The changed text; `nil` without changes.
    var changed: Side?
    /// The first token that was run with changes.
    package var from = 0
    /// KL of the changed model's next token from the untouched one's, after token `from + i` of the changed text; nats.
    package var divergences: [Float] = []
    /// Where the texts part.
    package var firstDifference: Int?

    package init(untouched: Side, changed: Side? = nil) {
        self.untouched = untouched
        self.changed = changed
    }

    /// The side that the cursor is in.
    func side(_ isChanged: Bool) -> Side { isChanged ? changed ?? untouched : untouched }

    var meanDivergence: Double {
        divergences.isEmpty ? 0 : divergences.reduce(0) { $0 + Double($1) } / Double(divergences.count)
    }

    /// The divergence after a token of the changed text.
    func divergence(after token: Int) -> Float? {
        divergences.indices.contains(token - from) ? divergences[token - from] : nil
    }
}

extension SparseCodes {
    /// A feature's activation on the tokens of a range.
    func activations(of feature: Int, rows: Range<Int>) -> [Float] {
        rows.map { row in
            let range = starts[row]..<starts[row + 1]
            return features[range].firstIndex(of: Int32(feature)).map { values[$0] } ?? 0
        }
    }
}
