internal import Configuration
import LanguageModels

/// An error for a value that does not fit its field.
struct FilterValueProblem: Error {
    var what: String
    var suggestion: String?
}

extension FilterField {
    /// Remedy for error messages, with examples.
    var example: String {
        switch shape {
        case .choice(let choices): "Use one of \(choices.joined(separator: ", "))."
        case .text: "Write text, with quotes if it contains spaces: \(rawValue):\"two words\"."
        case .count: "Examples: \(rawValue)>1000, \(rawValue)>1.5k."
        case .dollars: "Example: cost>0.10."
        case .duration: "Examples: duration>500ms, duration>2s, duration>1m."
        case .moment: "Examples, in UTC: start>2026-03-01, start<2026-03-01T09:30."
        }
    }

    /// Returns the condition of an operator and a value for this field.
    func condition(_ comparison: String, _ value: String) -> Result<FilterCondition, FilterValueProblem> {
        switch shape {
        case .choice(let choices): return choice(comparison, value, of: choices)
        case .text: return textCondition(comparison, value)
        case .count:
            guard let number = FilterNumber.count(value) else { return unreadable(value, "a number") }
            return .success(.count(self, order(comparison), number))
        case .dollars:
            guard let number = FilterNumber.dollars(value) else { return unreadable(value, "an amount in dollars") }
            return .success(.cost(order(comparison), number))
        case .duration:
            guard let nanoseconds = FilterNumber.duration(value) else { return unreadable(value, "a duration") }
            return .success(.duration(order(comparison), nanoseconds))
        case .moment:
            guard let moment = QueryMoment(value, years: 1678...2260) else { return unreadable(value, "a date") }
            return startCondition(comparison, value, moment)
        }
    }

    private func choice(
        _ comparison: String, _ value: String, of choices: [String]
    ) -> Result<FilterCondition, FilterValueProblem> {
        guard comparison == ":" || comparison == "=" || comparison == "!=" else { return unordered(comparison) }
        var chosen: Set<String> = []
        for word in value.lowercased().split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard choices.contains(word) else {
                let near = NearestName.suggestion(for: word, among: choices)
                return .failure(
                    FilterValueProblem(
                        what: word.isEmpty ? "\(rawValue) has an empty value" : "unknown \(rawValue) \"\(word)\"",
                        suggestion: near ?? example))
            }
            chosen.insert(word)
        }
        if comparison == "!=" { chosen = Set(choices).subtracting(chosen) }
        switch self {
        case .origin: return .success(.origin(Set(TraceOrigin.allCases.filter { chosen.contains($0.name) })))
        case .kind: return .success(.kind(Set(SpanKind.allCases.filter { chosen.contains($0.name) })))
        default: return .success(.status(Set(SpanStatus.allCases.filter { chosen.contains($0.name) })))
        }
    }

    private func textCondition(_ comparison: String, _ value: String) -> Result<FilterCondition, FilterValueProblem> {
        switch comparison {
        case ":": .success(.text(self, .contains, value))
        case "=": .success(.text(self, .equals, value))
        case "!=": .success(.text(self, .differs, value))
        default: unordered(comparison)
        }
    }

    private func startCondition(
        _ comparison: String, _ value: String, _ moment: QueryMoment
    ) -> Result<FilterCondition, FilterValueProblem> {
        let (first, next) = (moment.first * 1_000_000_000, moment.next * 1_000_000_000)
        return switch comparison {
        case "<": .success(.start(from: nil, before: first))
        case "<=": .success(.start(from: nil, before: next))
        case ">": .success(.start(from: next, before: nil))
        case ">=": .success(.start(from: first, before: nil))
        case "!=":
            .failure(
                FilterValueProblem(
                    what: "start does not support !=", suggestion: "Use not start:\(value)."))
        default: .success(.start(from: first, before: next))
        }
    }

    private func order(_ sign: String) -> QueryComparison { QueryComparison(sign: sign) ?? .equal }

    private func unordered<Success>(_ comparison: String) -> Result<Success, FilterValueProblem> {
        .failure(
            FilterValueProblem(
                what: "\(rawValue) does not support \(comparison)",
                suggestion: "Use \(rawValue): or \(rawValue)!=."))
    }

    private func unreadable<Success>(_ value: String, _ what: String) -> Result<Success, FilterValueProblem> {
        .failure(FilterValueProblem(what: "\"\(value)\" is not \(what)", suggestion: example))
    }
}
