internal import Formatting

extension Stage.Kind {
    /// Number of decimals of a score. It depends only on the kind of stage, so columns align.
    var digits: Int {
        switch self {
        case .lexical, .context: 2
        case .dense, .reranked, .retrieved: 3
        // Sums of reciprocal ranks are small numbers.
        case .fused: 4
        }
    }

    /// Returns a score: `6.45` lexical, `0.812` dense, `0.0328` fused.
    public func text(_ score: Double) -> String { Format.fixed(score, digits: digits) }
}

/// A score as a sum of its parts. The shown digits add up.
public struct ScoreSum: Hashable, Sendable {
    /// Contributions to the score, largest first.
    public var addends: [Addend]
    /// The formatted score.
    public var total: String

    /// A query term or a ranking, with its contribution.
    public struct Addend: Hashable, Sendable {
        /// `torque`, or `dense rank 2`.
        public var name: String
        public var figure: String
    }

    /// Splits a score into its parts.
    ///
    /// - Parameter values: Must add up to `score`.
    public init(_ values: [(name: String, value: Double)], score: Double, _ kind: Stage.Kind) {
        let sorted = values.enumerated().sorted {
            ($1.element.value, $0.offset) < ($0.element.value, $1.offset)
        }.map(\.element)
        let figures = Format.parts(sorted.map(\.value), of: score, digits: kind.digits)
        addends = zip(sorted, figures).map { Addend(name: $0.name, figure: $1) }
        total = kind.text(score)
    }

    /// `torque 2.12 + bolts 1.98 = 4.10`; a single addend stands alone.
    public var line: String {
        let sum = addends.map { "\($0.name) \($0.figure)" }.joined(separator: " + ")
        return addends.count > 1 ? "\(sum) = \(total)" : sum
    }
}

extension StageExplanation {
    /// The score as a sum over terms or fused rankings; `nil` if the stage's score is not such a sum.
    public var sum: ScoreSum? {
        guard let score else { return nil }
        let values =
            parts.isEmpty
            ? terms.filter { $0.contribution != 0 }.map { (name: $0.word, value: $0.contribution) }
            : parts.map { (name: "\($0.stage) rank \($0.rank)", value: $0.value) }
        return values.isEmpty ? nil : ScoreSum(values, score: score, kind)
    }
}
