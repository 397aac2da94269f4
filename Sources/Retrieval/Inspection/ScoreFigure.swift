/// Formats scores the same way everywhere: in columns, explanations, command output, and Markdown.
public enum ScoreFigure {
    /// Digits after the decimal point. They depend only on the kind of stage, so columns align.
    public static func digits(_ kind: Stage.Kind) -> Int {
        switch kind {
        case .lexical, .context: 2
        case .dense, .reranked, .retrieved: 3
        // Sums of reciprocal ranks are small numbers.
        case .fused: 4
        }
    }

    /// Returns a score: `6.45` lexical, `0.812` dense, `0.0328` fused.
    public static func text(_ score: Double, _ kind: Stage.Kind) -> String { fixed(score, digits: digits(kind)) }

    /// Rounds the parts of a score so that the shown digits add up to the shown score: parts are rounded down, and the
    /// rest goes to the largest remainders (Hamilton's method).
    ///
    /// Parts that do not add up to the score are rounded individually.
    public static func parts(_ values: [Double], of score: Double, _ kind: Stage.Kind) -> [String] {
        let digits = digits(kind)
        let scale = scale(digits)
        let exact = values.map { $0 * scale }
        guard score.isFinite, exact.allSatisfy({ $0.magnitude < 1e15 }), score.magnitude * scale < 1e15 else {
            return values.map { fixed($0, digits: digits) }
        }
        var whole = exact.map { Int($0.rounded(.down)) }
        let missing = shown(score, scale) - whole.reduce(0, +)
        guard (0...values.count).contains(missing) else { return values.map { fixed($0, digits: digits) } }
        let byRemainder = exact.indices.sorted {
            (Double(whole[$0]) - exact[$0], $0) < (Double(whole[$1]) - exact[$1], $1)
        }
        for index in byRemainder.prefix(missing) { whole[index] += 1 }
        return whole.map { text(of: $0, digits: digits) }
    }

    /// Formats a number with this many decimals, rounded half away from zero.
    static func fixed(_ value: Double, digits: Int) -> String {
        let scale = scale(digits)
        guard value.isFinite, value.magnitude * scale < 1e15 else { return "\(value)" }
        return text(of: shown(value, scale), digits: digits)
    }

    private static func scale(_ digits: Int) -> Double { (0..<digits).reduce(1.0) { scale, _ in scale * 10 } }

    /// Returns the number in units of its last shown digit.
    private static func shown(_ value: Double, _ scale: Double) -> Int {
        let magnitude = Int((value.magnitude * scale).rounded())
        return value < 0 ? -magnitude : magnitude
    }

    private static func text(of number: Int, digits: Int) -> String {
        let unit = Int(scale(digits))
        let rest = String(number.magnitude % unit.magnitude)
        let zeros = String(repeating: "0", count: max(0, digits - rest.count))
        return (number < 0 ? "-" : "") + "\(number.magnitude / unit.magnitude)" + (digits > 0 ? ".\(zeros)\(rest)" : "")
    }
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
        let figures = ScoreFigure.parts(sorted.map(\.value), of: score, kind)
        addends = zip(sorted, figures).map { Addend(name: $0.name, figure: $1) }
        total = ScoreFigure.text(score, kind)
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
