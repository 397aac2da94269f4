/// By which number the heads of a model are compared. What each means is said in full where it is shown.
package enum HeadMeasure: String, CaseIterable, Sendable {
    case induction, previousToken, duplicateToken, firstToken, currentToken

    var title: String {
        switch self {
        case .induction: "induction"
        case .previousToken: "previous token"
        case .duplicateToken: "duplicate token"
        case .firstToken: "first token"
        case .currentToken: "current token"
        }
    }

    var next: HeadMeasure {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}

/// What the grounds of the tokens show.
package enum TokenShading: String, CaseIterable, Sendable {
    /// The weight that the cursor's token gives to each token.
    case attendsTo = "attends to"
    /// The weight that each later token gives to the cursor's.
    case attendedBy = "attended by"
    /// How far the changed text's next-token distribution is from the untouched one's.
    case divergence = "KL"

    func next(hasDivergence: Bool) -> TokenShading {
        switch self {
        case .attendsTo: .attendedBy
        case .attendedBy: hasDivergence ? .divergence : .attendsTo
        case .divergence: .attendsTo
        }
    }
}

/// What the reading pane shows.
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

    /// The readings that a model supports.
    static func all(hasExperts: Bool) -> [ReadingTab] { allCases.filter { $0 != .experts || hasExperts } }
}

extension [ReadingTab] {
    /// The reading this many places further, wrapping around.
    func moved(_ tab: ReadingTab, by step: Int) -> ReadingTab {
        self[((firstIndex(of: tab) ?? 0) + step + count) % count]
    }
}

/// Which of two runs the heads and the head show.
package enum ShownSide: String, CaseIterable, Sendable {
    case first = "A"
    case second = "B"
    case difference = "B - A"

    var next: ShownSide {
        switch self {
        case .first: .second
        case .second: .difference
        case .difference: .first
        }
    }
}
