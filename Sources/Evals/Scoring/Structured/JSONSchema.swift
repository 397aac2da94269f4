internal import Configuration
public import JSON
public import System

/// A JSON Schema, draft 2020-12, in the subset for checking answers.
///
/// Supported: `type`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`, `enum`, `const`,
/// `minimum`/`maximum` and their exclusive forms, `multipleOf`, `minLength`/`maxLength`, `minItems`/`maxItems`,
/// `uniqueItems`, `minProperties`/`maxProperties`, `pattern`, `anyOf`/`oneOf`/`allOf`/`not`, `$ref` within the schema.
/// Annotations (`title`, `description`, `default`, `examples`, `format`, `$schema`, `$id`, `$comment`, `$defs`,
/// `definitions`) are ignored; other keywords are an error when the schema is parsed. Source:
/// json-schema.org/draft/2020-12.
public struct JSONSchema: Sendable {
    private let root: JSONValue
    private let patterns: [String: AnswerPattern]

    private static let known: Set<String> = [
        "type", "properties", "required", "additionalProperties", "items", "prefixItems", "enum", "const", "minimum",
        "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems",
        "maxItems", "uniqueItems", "minProperties", "maxProperties", "pattern", "anyOf", "oneOf", "allOf", "not",
        "$ref", "title", "description", "default", "examples", "format", "$schema", "$id", "$comment", "$defs",
        "definitions", "deprecated", "readOnly", "writeOnly",
    ]
    private static let types: Set<String> = ["object", "array", "string", "number", "integer", "boolean", "null"]

    public init(_ root: JSONValue) throws(Problem) {
        self.root = root
        var patterns: [String: AnswerPattern] = [:]
        try Self.check(root, at: "#", &patterns, depth: 0)
        self.patterns = patterns
    }

    private static func check(
        _ schema: JSONValue, at place: String, _ patterns: inout [String: AnswerPattern], depth: Int
    ) throws(Problem) {
        if case .bool = schema { return }
        guard depth < 64 else { throw Problem(.invalid, "", "the schema is nested too deeply") }
        guard let members = schema.members else { throw Problem(.invalid, "", "\(place) is not a schema") }
        for member in members {
            let inner = place + "/" + member.key
            switch member.key {
            case "properties", "$defs", "definitions":
                guard let parts = member.value.members else { throw Problem(.invalid, "", "\(inner) is not an object") }
                for part in parts { try check(part.value, at: inner + "/" + part.key, &patterns, depth: depth + 1) }
            case "items", "additionalProperties", "not":
                try check(member.value, at: inner, &patterns, depth: depth + 1)
            case "anyOf", "oneOf", "allOf", "prefixItems":
                guard let parts = member.value.elements else { throw Problem(.invalid, "", "\(inner) is not an array") }
                for part in parts { try check(part, at: inner, &patterns, depth: depth + 1) }
            case "type":
                let names = member.value.elements ?? [member.value]
                guard names.allSatisfy({ $0.string.map(types.contains) ?? false }) else {
                    throw Problem(.invalid, "", "\(inner) is not a JSON type")
                }
            case "pattern":
                guard let source = member.value.string, let pattern = AnswerPattern(source) else {
                    throw Problem(.invalid, "", "\(inner) is not a valid regular expression")
                }
                patterns[source] = pattern
            case "$ref":
                guard member.value.string?.hasPrefix("#") ?? false else {
                    throw Problem(.invalid, "", "\(inner) does not point into the schema itself")
                }
            default:
                guard known.contains(member.key) else {
                    let nearest = NearestName.suggestion(for: member.key, among: known.sorted())
                    throw Problem(
                        .invalid, "",
                        "\(inner) is not supported", remedy: nearest ?? "")
                }
            }
        }
    }

    /// Returns the first ten problems of a value; empty if it is valid.
    public func problems(of value: JSONValue) -> [String] {
        var run = JSONSchemaRun(root: root, patterns: patterns)
        run.check(value, root, at: "$", depth: 0)
        return run.problems
    }
}
