public import JSON
public import System

/// Selects the first answer.
public struct TakeFirst: AnswerFilter {
    public static let name = "take_first"

    public init(_ settings: ScorerSettings) throws(Problem) { try settings.allow([], for: Self.name) }

    public func apply(_ answers: JSONValue, of fields: JSONValue) -> JSONValue {
        AnswerFilters.elements(answers).first ?? .string("")
    }
}

/// Selects the first k answers.
public struct TakeFirstFew: AnswerFilter {
    public static let name = "take_first_k"
    private let count: Int

    public init(_ settings: ScorerSettings) throws(Problem) {
        try settings.allow(["k"], for: Self.name)
        guard let count = settings["k"]?.int, count > 0 else {
            throw settings.error("`take_first_k` needs `k`, a whole number of at least 1")
        }
        self.count = count
    }

    public func apply(_ answers: JSONValue, of fields: JSONValue) -> JSONValue {
        .array(Array(AnswerFilters.elements(answers).prefix(count)))
    }
}

/// Selects the most common answer; of equally common ones the earliest.
public struct MajorityVote: AnswerFilter {
    public static let name = "majority_vote"

    public init(_ settings: ScorerSettings) throws(Problem) { try settings.allow([], for: Self.name) }

    public func apply(_ answers: JSONValue, of fields: JSONValue) -> JSONValue {
        let elements = AnswerFilters.elements(answers)
        var counts: [JSONValue: Int] = [:]
        for element in elements { counts[element, default: 0] += 1 }
        guard let most = counts.values.max(), let winner = elements.first(where: { counts[$0] == most }) else {
            return .array([])
        }
        return .array([winner])
    }
}
