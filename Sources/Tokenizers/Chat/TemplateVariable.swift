public import JSON
internal import LanguageModels

/// A value that is given to a chat template by name, such as `enable_thinking`.
public typealias TemplateVariable = JSONValue

extension Jinja.Value {
    /// A variable as a value whose texts have an origin.
    init(_ variable: TemplateVariable, _ origin: TokenOrigin) throws(ChatTemplateError) {
        switch variable {
        case .null: self.init(.none, origin)
        case .bool(let value): self.init(.boolean(value), origin)
        case .integer(let value): self.init(Content.integer(value), origin)
        case .number(let value): self.init(Content.number(value), origin)
        case .string(let text): self = .text(text, origin)
        case .array(let elements):
            var values: [Self] = []
            for element in elements { values.append(try Self(element, origin)) }
            self = .list(values, origin)
        case .object(let members):
            var entries: [(key: Self, value: Self)] = []
            for member in members { entries.append((.text(member.key, origin), try Self(member.value, origin))) }
            self.init(.dictionary(try Jinja.Mapping(entries)), origin)
        }
    }

    /// A JSON value whose texts have an origin. Integers beyond 64 bits keep their digits.
    init(_ node: JSONNode, _ origin: TokenOrigin) throws(ChatTemplateError) {
        switch node.kind {
        case .null: self.init(.none, origin)
        case .boolean: self.init(.boolean(node.bool ?? false), origin)
        case .number:
            let text = String(decoding: node.source, as: UTF8.self)
            if text.contains(where: { ".eE".contains($0) }) {
                self.init(Content.number(node.double ?? 0), origin)
            } else if let integer = Int(text) {
                self.init(Content.integer(integer), origin)
            } else {
                self.init(.digits(text), origin)
            }
        case .string: self = .text(node.string ?? "", origin)
        case .array:
            var values: [Self] = []
            for element in node.elements { values.append(try Self(element, origin)) }
            self = .list(values, origin)
        case .object:
            var entries: [(key: Self, value: Self)] = []
            for (key, value) in node.members {
                entries.append((.text(key.string ?? "", origin), try Self(value, origin)))
            }
            self.init(.dictionary(try Jinja.Mapping(entries)), origin)
        }
    }

    /// Creates a value from JSON text; `nil` if the text is not JSON, or nested deeper than 100 levels.
    static func json(_ text: String, _ origin: TokenOrigin) throws(ChatTemplateError) -> Self? {
        guard let document = try? JSONDocument(parsing: text, maximumDepth: 100) else { return nil }
        return try document.withRoot { node throws(ChatTemplateError) in try Self(node, origin) }
    }
}
