public import Interpretability
internal import System
public import Tokenizers

/// Whole sequences and what was active on each of their tokens.
public struct FeatureBlock: Equatable, Sendable {
    /// Tokens, in the order of the text.
    public var sequences: [[TokenID]]
    /// A row for each token of all sequences, one after the other.
    public var codes: SparseCodes

    /// Leading rows of each sequence that do not count: they were not encoded, or a dictionary was not trained for them.
    /// Their tokens stay in the text; nothing is active on them, and densities are not shares of them.
    public var uncounted: Int

    /// A block of which all rows count, unless some are said not to.
    public init(sequences: [[TokenID]], codes: SparseCodes, uncounted: Int = 0) {
        self.sequences = sequences
        self.codes = codes
        self.uncounted = uncounted
    }

    /// Tokens of all sequences.
    public var tokenCount: Int { sequences.reduce(0) { $0 + $1.count } }

    /// - Throws: An error if codes are not those of the tokens, or not in the order and range that codes have.
    func check(features: Int) throws(Problem) {
        guard codes.width == features else {
            throw Self.wrong("codes have \(codes.width) features, expected \(features)")
        }
        guard uncounted >= 0 else { throw Self.wrong("the number of uncounted rows is negative: \(uncounted)") }
        guard codes.rows == tokenCount else {
            throw Self.wrong("there are \(tokenCount) tokens, but codes for \(codes.rows)")
        }
        guard codes.features.count == codes.values.count, codes.starts.first == 0,
            codes.starts.last == codes.features.count
        else { throw Self.wrong("row starts do not match the features and values") }
        for row in 0..<codes.rows {
            let range = (codes.starts[row], codes.starts[row + 1])
            guard range.0 >= 0, range.0 <= range.1, range.1 <= codes.features.count else {
                throw Self.wrong("row starts do not increase")
            }
            var before: Int32 = -1
            for entry in range.0..<range.1 {
                let (feature, value) = (codes.features[entry], codes.values[entry])
                guard feature > before, feature < features else {
                    throw Self.wrong(
                        "feature \(feature) of row \(row) must be above the previous one and below \(features)")
                }
                guard value > 0, value.isFinite else {
                    throw Self.wrong("feature \(feature) of row \(row) has an invalid activation: \(value)")
                }
                before = feature
            }
        }
    }

    /// Takes what is active on rows that do not count away; the rows stay.
    mutating func silenceUncounted() {
        guard uncounted > 0 else { return }
        var kept = SparseCodes(width: codes.width)
        var row = 0
        for sequence in sequences {
            for place in sequence.indices {
                if place >= uncounted {
                    kept.features.append(contentsOf: codes.features[codes.starts[row]..<codes.starts[row + 1]])
                    kept.values.append(contentsOf: codes.values[codes.starts[row]..<codes.starts[row + 1]])
                }
                kept.starts.append(kept.features.count)
                row += 1
            }
        }
        codes = kept
    }

    private static func wrong(_ problem: String) -> Problem {
        Problem(.failed, "block of activations", problem, remedy: "Use whole sequences and the codes of their tokens.")
    }
}
