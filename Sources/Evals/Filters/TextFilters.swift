public import JSON
public import System
internal import Tokenizers

/// Replaces known answers by other values.
public struct MapFilter: AnswerFilter {
    public static let name = "map"
    private let mapping: JSONValue
    private let standard: JSONValue

    public init(_ settings: ScorerSettings) throws(Problem) {
        try settings.allow(["mapping_dict", "default_value"], for: Self.name)
        mapping = settings["mapping_dict"] ?? .object([])
        guard mapping.members != nil else { throw settings.error("`mapping_dict` must be a mapping") }
        standard = settings["default_value"] ?? .null
    }

    public func apply(_ answers: JSONValue, of fields: JSONValue) -> JSONValue {
        .array(AnswerFilters.elements(answers).map { $0.string.flatMap { mapping[$0] } ?? standard })
    }
}

/// Converts every answer to lowercase.
public struct Lowercase: AnswerFilter {
    public static let name = "lowercase"

    public init(_ settings: ScorerSettings) throws(Problem) { try settings.allow([], for: Self.name) }

    public func apply(_ answers: JSONValue, of fields: JSONValue) -> JSONValue {
        .array(AnswerFilters.elements(answers).map { .string(($0.string ?? "").lowercased()) })
    }
}

/// Converts every answer to uppercase.
public struct Uppercase: AnswerFilter {
    public static let name = "uppercase"

    public init(_ settings: ScorerSettings) throws(Problem) { try settings.allow([], for: Self.name) }

    public func apply(_ answers: JSONValue, of fields: JSONValue) -> JSONValue {
        .array(AnswerFilters.elements(answers).map { .string(($0.string ?? "").uppercased()) })
    }
}

/// Trims whitespace from both ends of every answer.
public struct RemoveWhitespace: AnswerFilter {
    public static let name = "remove_whitespace"

    public init(_ settings: ScorerSettings) throws(Problem) { try settings.allow([], for: Self.name) }

    public func apply(_ answers: JSONValue, of fields: JSONValue) -> JSONValue {
        .array(AnswerFilters.elements(answers).map { .string(PythonLiteral.stripped($0.string ?? "")) })
    }
}
