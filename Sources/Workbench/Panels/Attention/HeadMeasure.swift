/// Scores for comparing heads. The page shows each definition in full.
package enum HeadMeasure: String, CaseIterable, Sendable {
    case induction, previousToken, duplicateToken, firstToken, currentToken

    /// The name in words, such as `previous token`.
    var title: String { rawValue.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) } }
}

/// Quantities that shade the tokens.
package enum TokenShading: String, CaseIterable, Sendable {
    /// Attention of the cursor's token to each token.
    case attendsTo = "attends to"
    /// Attention of each later token to the cursor's token.
    case attendedBy = "attended by"
    /// KL divergence of the changed text's next-token distribution from the unchanged one's.
    case divergence = "KL"

    func next(hasDivergence: Bool) -> TokenShading {
        self == .attendedBy && !hasDivergence ? .attendsTo : next
    }
}

/// Tabs of the reading pane.
package enum ReadingTab: String, CaseIterable, Sendable {
    case token, lens, norms, experts, sums

    var title: String {
        switch self {
        case .token: "Token"
        case .lens: "Logit lens"
        case .norms: "Residual"
        case .experts: "Experts"
        case .sums: "Sums"
        }
    }

    /// Returns the tabs that a model supports.
    static func all(hasExperts: Bool) -> [ReadingTab] { allCases.filter { $0 != .experts || hasExperts } }
}

extension [ReadingTab] {
    /// Returns the tab a number of places further, wrapping around.
    func moved(_ tab: ReadingTab, by step: Int) -> ReadingTab {
        self[((firstIndex(of: tab) ?? 0) + step + count) % count]
    }
}

/// Runs that the heads and the large head can show.
package enum ShownSide: String, CaseIterable, Sendable {
    case first = "A"
    case second = "B"
    case difference = "B - A"
}
