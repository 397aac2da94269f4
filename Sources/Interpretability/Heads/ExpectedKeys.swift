internal import Tokenizers

/// The keys that each query of a text is expected to look at, for each target of a score.
///
/// An earlier place is one where the query's token stands. In a repeated prompt it can also be the place one period
/// before alone: of a token that was drawn twice the other places say nothing about a head that copies.
struct ExpectedKeys: Sendable {
    /// Which earlier places count.
    enum Rule: Hashable, Sendable {
        case sameToken
        case onePeriodBefore
    }

    /// Earlier positions of each query's token, ascending; empty if no score needs them.
    private let places: [[Int32]]
    private let before: [[Int32]]

    init(_ tokens: [TokenID], _ prompt: RepeatedPrompt?, rules: Set<Rule>) {
        if let prompt, rules.contains(.onePeriodBefore) {
            before = tokens.indices.map { $0 >= prompt.start + prompt.period ? [Int32($0 - prompt.period)] : [] }
        } else {
            before = []
        }
        guard rules.contains(.sameToken) else {
            places = []
            return
        }
        var known: [TokenID: [Int32]] = [:]
        places = tokens.enumerated().map { place, token in
            defer { known[token, default: []].append(Int32(place)) }
            return known[token] ?? []
        }
    }

    /// Calls `body` with each key that is expected of a query.
    @inline(__always)
    func each(_ target: HeadScoreDefinition.Target, _ rule: Rule, _ query: Int, _ body: (Int) -> Void) {
        switch target {
        case .duplicateToken, .induction:
            Self.each(target, query, earlier: rule == .sameToken ? places[query] : before[query], body)
        default: Self.each(target, query, earlier: [], body)
        }
    }

    /// - Parameter earlier: Positions before the query that count as occurrences of its token.
    @inline(__always)
    static func each(_ target: HeadScoreDefinition.Target, _ query: Int, earlier: [Int32], _ body: (Int) -> Void) {
        switch target {
        case .previousToken: if query > 0 { body(query - 1) }
        case .firstToken: body(0)
        case .currentToken: body(query)
        case .duplicateToken: for key in earlier { body(Int(key)) }
        case .induction: for key in earlier where Int(key) < query { body(Int(key) + 1) }
        }
    }
}

extension HeadScoreDefinition {
    /// Which earlier places count: one period before for the means of a repeated prompt. A detector takes every place
    /// of the same token, as TransformerLens does.
    func rule(_ prompt: RepeatedPrompt?) -> ExpectedKeys.Rule {
        guard prompt != nil, measure == .mean else { return .sameToken }
        switch target {
        case .duplicateToken, .induction: return .onePeriodBefore
        case .previousToken, .firstToken, .currentToken: return .sameToken
        }
    }
}
