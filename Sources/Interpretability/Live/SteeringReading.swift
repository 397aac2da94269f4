/// The state of a text and of its version with changed features.
package struct SteeringReading: Sendable {
    /// One of the two texts.
    package struct Side: Sendable {
        /// Number of the run; later readings of a run only add tokens.
        package var run = 0
        package var texts: [String] = []
        package var promptCount = 0
        /// Number of tokens that the model has read.
        package var readCount = 0
        /// Active features of each token that was read.
        package var features: SparseCodes?
        package var tokensPerSecond = 0.0
        /// Whether the text has ended.
        package var isOver = false

        package init() {}
    }

    package var untouched: Side
    /// The changed text; `nil` without changes.
    package var changed: Side?
    /// First token that was run with changes.
    package var from = 0
    /// KL divergence of the next-token distributions after token `from + i` of the changed text, in nats.
    package var divergences: [Float] = []
    /// First token at which the texts differ.
    package var firstDifference: Int?

    package init(untouched: Side, changed: Side? = nil) {
        self.untouched = untouched
        self.changed = changed
    }

    /// Returns one of the sides; the untouched one if there are no changes.
    package func side(_ isChanged: Bool) -> Side { isChanged ? changed ?? untouched : untouched }

    package var meanDivergence: Double {
        divergences.isEmpty ? 0 : divergences.reduce(0) { $0 + Double($1) } / Double(divergences.count)
    }

    /// Returns the divergence after a token of the changed text.
    package func divergence(after token: Int) -> Float? {
        divergences.indices.contains(token - from) ? divergences[token - from] : nil
    }
}

extension SparseCodes {
    /// Returns the activations of a feature on a range of tokens.
    package func activations(of feature: Int, rows: Range<Int>) -> [Float] {
        rows.map { row in
            let range = starts[row]..<starts[row + 1]
            return features[range].firstIndex(of: Int32(feature)).map { values[$0] } ?? 0
        }
    }
}
