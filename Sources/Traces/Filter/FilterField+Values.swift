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
    func condition(_ sign: String, _ value: String) throws(FilterValueProblem) -> FilterCondition {
        let comparison = QueryComparison(sign: sign) ?? .equal
        switch shape {
        case .choice(let choices): return try choice(sign, value, of: choices)
        case .text:
            switch sign {
            case ":": return .text(self, .contains, value)
            case "=": return .text(self, .equals, value)
            case "!=": return .text(self, .differs, value)
            default: throw unordered(sign)
            }
        case .count: return .count(self, comparison, try read(value, "a number", FilterNumber.count))
        case .dollars: return .cost(comparison, try read(value, "an amount in dollars", FilterNumber.dollars))
        case .duration: return .duration(comparison, try read(value, "a duration", FilterNumber.duration))
        case .moment:
            let moment = try read(value, "a date") { QueryMoment($0, years: 1678...2260) }
            let (first, next) = (moment.first * 1_000_000_000, moment.next * 1_000_000_000)
            switch comparison {
            case .less: return .start(from: nil, before: first)
            case .lessOrEqual: return .start(from: nil, before: next)
            case .greater: return .start(from: next, before: nil)
            case .greaterOrEqual: return .start(from: first, before: nil)
            case .equal: return .start(from: first, before: next)
            case .unequal:
                throw FilterValueProblem(
                    what: "start does not support !=", suggestion: "Use not start:\(value).")
            }
        }
    }

    private func choice(
        _ sign: String, _ value: String, of choices: [String]
    ) throws(FilterValueProblem) -> FilterCondition {
        guard sign == ":" || sign == "=" || sign == "!=" else { throw unordered(sign) }
        var chosen: Set<String> = []
        for word in value.lowercased().split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard choices.contains(word) else {
                let near = NearestName.suggestion(for: word, among: choices)
                throw FilterValueProblem(
                    what: word.isEmpty ? "\(rawValue) has an empty value" : "unknown \(rawValue) \"\(word)\"",
                    suggestion: near ?? example)
            }
            chosen.insert(word)
        }
        if sign == "!=" { chosen = Set(choices).subtracting(chosen) }
        switch self {
        case .origin: return .origin(Set(TraceOrigin.allCases.filter { chosen.contains($0.name) }))
        case .kind: return .kind(Set(SpanKind.allCases.filter { chosen.contains($0.name) }))
        default: return .status(Set(SpanStatus.allCases.filter { chosen.contains($0.name) }))
        }
    }

    private func unordered(_ sign: String) -> FilterValueProblem {
        FilterValueProblem(
            what: "\(rawValue) does not support \(sign)", suggestion: "Use \(rawValue): or \(rawValue)!=.")
    }

    private func read<Value>(
        _ value: String, _ what: String, _ parse: (String) -> Value?
    ) throws(FilterValueProblem) -> Value {
        guard let read = parse(value) else {
            throw FilterValueProblem(what: "\"\(value)\" is not \(what)", suggestion: example)
        }
        return read
    }
}
