internal import Formatting
internal import JSON

/// The part of JSON Schema by which arguments are checked: `type`, `properties`, `required`, `additionalProperties`
/// (false or not), `items`, `enum`, `minimum`, `maximum`, `minLength`, `maxLength`, `maxItems`. Other keywords are left
/// to the tool.
struct ArgumentSchema: Sendable {
    private var types: [String] = []
    /// In the order of the schema.
    private(set) var properties: [(name: String, schema: ArgumentSchema)] = []
    private var required: [String] = []
    private var takesOthers = true
    /// None or one.
    private var items: [ArgumentSchema] = []
    private var choices: [ArgumentValue] = []
    private var minimum: Double?
    private var maximum: Double?
    private var minimumLength: Int64?
    private var maximumLength: Int64?
    private var maximumItems: Int64?

    /// - Throws: `ToolError` if the text is not the schema of an object.
    init(_ text: String) throws(ToolError) {
        guard let document = try? JSONDocument(parsing: text, maximumDepth: 64) else {
            throw ToolError("the schema is not JSON")
        }
        self = try document.withRoot { (root) throws(ToolError) in
            guard root.kind == .object, root["type"] == nil || root["type"]?.string == "object" else {
                throw ToolError("the schema does not describe an object")
            }
            return try ArgumentSchema(root)
        }
    }

    private init(_ node: JSONNode) throws(ToolError) {
        if let one = node["type"]?.string { types = [one] }
        types += node["type"]?.elements.compactMap(\.string) ?? []
        for (key, value) in node["properties"]?.members ?? node.members where node["properties"] != nil {
            properties.append((key.string ?? "", try ArgumentSchema(value)))
        }
        required = node["required"]?.elements.compactMap(\.string) ?? []
        takesOthers = node["additionalProperties"]?.bool ?? true
        if let inner = node["items"], inner.kind == .object { items = [try ArgumentSchema(inner)] }
        for choice in node["enum"]?.elements ?? node.elements where node["enum"] != nil {
            choices.append(try ArgumentValue(choice))
        }
        minimum = node["minimum"]?.double
        maximum = node["maximum"]?.double
        minimumLength = node["minLength"]?.int
        maximumLength = node["maxLength"]?.int
        maximumItems = node["maxItems"]?.int
    }

    /// Checks the arguments of a call.
    ///
    /// - Throws: `ToolError` for the first problem, with the tool's name.
    func check(_ arguments: ToolArguments, of tool: String) throws(ToolError) {
        for name in required where arguments.members[name] == nil {
            throw ToolError("\(tool) needs the argument \"\(name)\"")
        }
        for (name, value) in arguments.members.sorted(by: { $0.key < $1.key }) {
            guard let property = properties.first(where: { $0.name == name }) else {
                if takesOthers { continue }
                let known = properties.map(\.name).joined(separator: ", ")
                throw ToolError(
                    "\(tool) has no argument \"\(name.prefix(60))\"; arguments: \(known.isEmpty ? "none" : known)")
            }
            try property.schema.check(value, name, tool)
        }
    }

    private func check(_ value: ArgumentValue, _ name: String, _ tool: String) throws(ToolError) {
        let subject = "the argument \"\(name)\" of \(tool)"
        if !types.isEmpty, !types.contains(where: { Self.matches(value, $0) }) {
            let wanted = types.map(Self.typeName).joined(separator: " or ")
            throw ToolError("\(subject) must be \(wanted), not \(value.kindName)")
        }
        if !choices.isEmpty, !choices.contains(value) {
            throw ToolError("\(subject) must be one of \(choices.map { $0.json() }.joined(separator: ", "))")
        }
        switch value {
        case .number(let text):
            let number = Double(text) ?? .nan
            if let minimum, number < minimum { throw ToolError("\(subject) must be \(Format.plain(minimum)) or more") }
            if let maximum, number > maximum { throw ToolError("\(subject) must be \(Format.plain(maximum)) or less") }
        case .string(let text):
            let length = Int64(text.unicodeScalars.count)
            if let minimumLength, length < minimumLength {
                throw ToolError("\(subject) must have \(minimumLength) characters or more")
            }
            if let maximumLength, length > maximumLength {
                throw ToolError("\(subject) must have \(maximumLength) characters or fewer")
            }
        case .array(let elements):
            if let maximumItems, Int64(elements.count) > maximumItems {
                throw ToolError("\(subject) must have \(maximumItems) elements or fewer")
            }
            for (index, element) in elements.enumerated() { try items.first?.check(element, "\(name)[\(index)]", tool) }
        case .object(let members):
            for key in required where members[key] == nil {
                throw ToolError("\(subject) needs \"\(key)\"")
            }
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                if let property = properties.first(where: { $0.name == key }) {
                    try property.schema.check(member, "\(name).\(key)", tool)
                } else if !takesOthers {
                    throw ToolError("\(subject) has an unknown key \"\(key.prefix(60))\"")
                }
            }
        case .null, .boolean: break
        }
    }

    private static func matches(_ value: ArgumentValue, _ type: String) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .boolean), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let text)): Double(text).map { $0 == $0.rounded() } ?? false
        default: false
        }
    }

    private static func typeName(_ type: String) -> String {
        switch type {
        case "null": "null"
        case "boolean": "true or false"
        case "integer": "an integer"
        case "array", "object": "an \(type)"
        default: "a \(type)"
        }
    }
}
