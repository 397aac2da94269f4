public import JSON
public import System
internal import Tokenizers

/// Selects the match of a regular expression: the `group_select`th match, and of its groups the first that is not
/// empty.
public struct RegexFilter: AnswerFilter {
    public static let name = "regex"
    let pattern: TextPattern
    let select: Int
    let fallback: String

    public init(_ settings: ScorerSettings) throws(Problem) {
        try settings.allow(["regex_pattern", "group_select", "fallback"], for: Self.name)
        try self.init(reading: settings)
    }

    init(reading settings: ScorerSettings) throws(Problem) {
        pattern = try settings.pattern("regex_pattern", #"#### (\-?[0-9\.\,]+)"#)
        select = settings["group_select"]?.int ?? 0
        fallback = settings["fallback"]?.string ?? "[invalid]"
    }

    /// Returns the selected match; `nil` if there is none.
    static func match(_ pattern: TextPattern, _ select: Int, in text: String) throws(Problem) -> String? {
        let found = try pattern.found(in: text)
        let place = select < 0 ? found.count + select : select
        guard found.indices.contains(place) else { return nil }
        let groups = found[place]
        return (groups.count == 1 ? groups[0] : groups.first { !$0.isEmpty }).map { PythonLiteral.stripped($0) }
    }

    public func apply(_ answers: JSONValue, of fields: JSONValue) throws(Problem) -> JSONValue {
        var left: [JSONValue] = []
        for answer in AnswerFilters.elements(answers) {
            let found = try Self.match(pattern, select, in: answer.string ?? "")
            left.append(.string(found ?? PythonLiteral.stripped(fallback)))
        }
        return .array(left)
    }
}
