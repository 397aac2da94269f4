/// A JSON value that is kept: a field of a data set, an argument, a setting.
///
/// Reading a large document needs none of these: `JSONNode` looks at the bytes where they lie.
public indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// Members in their order.
    case object([Member])

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        public var key: String
        public var value: JSONValue

        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The value that a JSON text holds.
    public init(json: String) throws(JSONError) {
        self = try JSONDocument(parsing: json, maximumDepth: 100).withRoot { JSONValue($0) }
    }

    /// The value of a node, copied out of its document.
    public init(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .boolean: self = .bool(node.bool ?? false)
        case .number: self = node.int.map { .integer(Int($0)) } ?? .number(node.double ?? 0)
        case .string: self = .string(node.string ?? "")
        case .array: self = .array(node.elements.map { JSONValue($0) })
        case .object:
            self = .object(node.members.map { Member(key: $0.string ?? "", value: JSONValue($1)) })
        }
    }

    /// The member of an object; nil for everything else.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    public var string: String? { if case .string(let text) = self { text } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var int: Int? { if case .integer(let value) = self { value } else { nil } }
    /// Of integers too.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    public var members: [Member]? { if case .object(let members) = self { members } else { nil } }
}

extension JSONValue: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .integer(let value): json.integer(value)
        case .number(let value): json.number(value)
        case .string(let text): json.string(text)
        case .array(let elements): elements.write(to: &json)
        case .object(let members):
            json.object { json in
                for member in members { json.member(member.key, member.value) }
            }
        }
    }
}
