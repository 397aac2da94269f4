/// A definition of a head score, with its name and explanation for the screen.
///
/// Two families are in use and differ in scale, so that the one in use is always named.
public struct HeadScoreDefinition: Hashable, Sendable, CaseIterable {
    /// The keys that a query is expected to look at.
    public enum Target: String, Hashable, Sendable, CaseIterable {
        case previousToken = "previous token"
        /// Earlier places of the same token.
        case duplicateToken = "duplicate token"
        /// The token after an earlier place of the same token.
        case induction
        case firstToken = "first token"
        case currentToken = "current token"
    }

    /// How attention to them becomes a number.
    public enum Measure: String, Hashable, Sendable, CaseIterable {
        /// The mean of the attention that goes there, over the queries that have such a key.
        case mean
        /// Σ A D / Σ A with the detection matrix D: TransformerLens' detector, "mul".
        case product = "mul"
        /// 1 − T · mean |A − D|, to three places: TransformerLens' detector, "abs".
        case difference = "abs"
    }

    public var target: Target
    public var measure: Measure

    public init(_ target: Target, _ measure: Measure = .mean) {
        self.target = target
        self.measure = measure
    }

    /// All targets by their means, then by the detectors.
    public static var allCases: [HeadScoreDefinition] {
        Measure.allCases.flatMap { measure in Target.allCases.map { HeadScoreDefinition($0, measure) } }
    }

    /// `induction`, `induction (mul)`.
    public var name: String { measure == .mean ? target.rawValue : "\(target.rawValue) (\(measure.rawValue))" }

    /// What the number means.
    public var sentence: String {
        switch measure {
        case .mean: "Mean of A[q, \(key)] over the queries with such a key; 1 if the head attends to nothing else."
        case .product:
            "Share of all attention that goes to \(key): Σ A·D / Σ A over all queries. The maximum "
                + "is the share of queries with such a key (TransformerLens, mul)."
        case .difference:
            "1 − T·mean|A − D| with D = 1 at \(key), rounded to 0.001; at least -1 with one key per query "
                + "(TransformerLens, abs)."
        }
    }

    private var key: String {
        switch target {
        case .previousToken: "q−1"
        case .duplicateToken: "earlier positions of token q"
        case .induction: "the token after an earlier position of token q"
        case .firstToken: "0"
        case .currentToken: "q"
        }
    }
}
