/// A JSON value that owns its contents, such as a field of a data set, an argument, or a setting.
///
/// To read a large document, use `JSONNode`, which reads the bytes in place.
public indirect enum JSONValue: Hashable, Sendable {
    /// The value `null`.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A number without fraction or exponent that fits into `Int`.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, with its members in order.
    case object([Member])

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        /// Key of the member.
        public var key: String
        /// Value of the member.
        public var value: JSONValue

        /// Creates a member.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// Creates a value from JSON text with at most 100 levels of nesting.
    ///
    /// - Throws: `JSONError` if the text is invalid.
    public init(json: String) throws(JSONError) {
        self = try JSONDocument(parsing: json, maximumDepth: 100).withRoot { JSONValue($0) }
    }

    /// Creates a value from a copy of a node.
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

    /// Returns the value of the last member with a key; `nil` if there is none, or if this value is not an object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// Text of a string; `nil` for other values.
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    /// Value of a Boolean; `nil` for other values.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// Value of an integer; `nil` for other values.
    public var int: Int? { if case .integer(let value) = self { value } else { nil } }
    /// Value of a number, including integers; `nil` for other values.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
    /// Elements of an array; `nil` for other values.
    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// Members of an object; `nil` for other values.
    public var members: [Member]? { if case .object(let members) = self { members } else { nil } }
}

extension JSONValue: JSONRepresentable {
    /// Writes the value, with the members of objects in order.
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
