public import JSON

/// A JSON value that owns its parts.
public enum ArgumentValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// As it was written, except that whole numbers below 2^53 are written as integers.
    case number(String)
    case string(String)
    case array([ArgumentValue])
    case object([String: ArgumentValue])

    /// Copies a parsed value.
    ///
    /// - Throws: `ToolError` if an object has a duplicate key, whose intended value is unknown.
    public init(_ node: JSONNode) throws(ToolError) {
        switch node.kind {
        case .null: self = .null
        case .boolean: self = .boolean(node.bool ?? false)
        case .number:
            let text = String(decoding: node.source, as: UTF8.self)
            if let whole = node.double.flatMap(Int64.init(exactly:)), whole.magnitude < 1 << 53 {
                self = .number(String(whole))
            } else {
                self = .number(text)
            }
        case .string: self = .string(node.string ?? "")
        case .array:
            var elements: [ArgumentValue] = []
            for element in node.elements { elements.append(try ArgumentValue(element)) }
            self = .array(elements)
        case .object:
            var members: [String: ArgumentValue] = [:]
            for (key, value) in node.members {
                let name = key.string ?? ""
                guard members.updateValue(try ArgumentValue(value), forKey: name) == nil else {
                    throw ToolError("an object has a duplicate key \"\(name.prefix(60))\"")
                }
            }
            self = .object(members)
        }
    }

    /// Its words, without keys.
    var text: String {
        switch self {
        case .null, .boolean: ""
        case .number(let text), .string(let text): text
        case .array(let elements): elements.map(\.text).joined(separator: " ")
        case .object(let members): members.keys.sorted().compactMap { members[$0]?.text }.joined(separator: " ")
        }
    }

    /// `a string`, `a number`, as sentences say it.
    var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Keys are sorted: equal values have equal texts.
extension ArgumentValue: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .boolean(let value): json.bool(value)
        case .number(let text):
            // A number's text was read by the parser.
            if let document = try? JSONDocument(parsing: text) {
                document.withRoot { json.copyVerbatim($0) }
            } else {
                json.null()
            }
        case .string(let text): json.string(text)
        case .array(let elements): json.value(elements)
        case .object(let members): json.value(members)
        }
    }
}
