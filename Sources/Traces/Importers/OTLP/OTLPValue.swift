import JSON

/// A value of a span: of a file, in place and wrapped in an object that names its type; of JSON inside a string that was
/// parsed; or of a `SpanRecord`.
enum OTLPValue {
    case plain(JSONNode)
    /// `{"stringValue": "..."}` and its siblings.
    case wrapped(JSONNode)
    /// A list of `{"key": ..., "value": ...}` that stands for an object.
    case pairs(JSONNode)
    case owned(SpanRecord.Value)

    enum Shape { case null, string, number, boolean, array, object }

    var shape: Shape {
        switch self {
        case .pairs: return .object
        case .owned(let value): return value.shape
        case .plain(let node):
            switch node.kind {
            case .null: return .null
            case .boolean: return .boolean
            case .number: return .number
            case .string: return .string
            case .array: return .array
            case .object: return .object
            }
        case .wrapped(let node):
            guard let (key, _) = node.members.first(where: { _ in true }) else { return .null }
            if key.equals("stringValue") || key.equals("bytesValue") { return .string }
            if key.equals("intValue") || key.equals("doubleValue") { return .number }
            if key.equals("boolValue") { return .boolean }
            if key.equals("arrayValue") { return .array }
            return key.equals("kvlistValue") ? .object : .null
        }
    }

    /// The node of a string in a file.
    var stringNode: JSONNode? {
        switch self {
        case .plain(let node): node.kind == .string ? node : nil
        case .wrapped(let node): node["stringValue"].flatMap { $0.kind == .string ? $0 : nil }
        case .pairs, .owned: nil
        }
    }

    /// The text of a string that is not empty.
    var string: String? {
        if case .owned(let value) = self { return value.text.flatMap { $0.isEmpty ? nil : $0 } }
        return stringNode?.nonEmptyString
    }

    var isString: Bool {
        if case .owned(.text) = self { return true }
        return stringNode != nil
    }

    /// An integer: a number, or a string of digits.
    var int: Int64? {
        switch self {
        case .plain(let node): node.lenientInt
        case .wrapped(let node): (node["intValue"] ?? node["doubleValue"] ?? node["stringValue"])?.lenientInt
        case .pairs: nil
        case .owned(let value): value.integer
        }
    }

    var double: Double? {
        switch self {
        case .plain(let node): node.lenientDouble
        case .wrapped(let node): (node["doubleValue"] ?? node["intValue"] ?? node["stringValue"])?.lenientDouble
        case .pairs: nil
        case .owned(let value): value.number
        }
    }

    /// A member of an object.
    func member(_ name: StaticString) -> OTLPValue? {
        switch self {
        case .plain(let node): return node[name].map { .plain($0) }
        case .wrapped(let node):
            return node["kvlistValue"]?["values"].flatMap { OTLPValue.pairs($0).member(name) }
        case .pairs(let list):
            for pair in list.elements where pair["key"]?.equals(name) == true {
                return pair["value"].map { .wrapped($0) }
            }
            return nil
        case .owned(let value): return value.members.first { name.description == $0.name }.map { .owned($0.value) }
        }
    }

    /// The first member that is there.
    func member(_ first: StaticString, or others: StaticString...) -> OTLPValue? {
        if let found = member(first) { return found }
        for name in others {
            if let found = member(name) { return found }
        }
        return nil
    }

    /// Calls `body` with the elements of an array.
    func forEachElement(_ body: (OTLPValue) -> Void) {
        switch self {
        case .plain(let node): node.forEachElement { body(.plain($0)) }
        case .wrapped(let node): node["arrayValue"]?["values"]?.forEachElement { body(.wrapped($0)) }
        case .pairs: break
        case .owned(let value): for element in value.elements { body(.owned(element)) }
        }
    }

    /// Writes the value as plain JSON.
    func write(to json: inout JSONWriter) {
        switch shape {
        case .object:
            json.beginObject()
            forEachPair { key, value in
                json.key(key)
                value.write(to: &json)
            }
            json.endObject()
        case .array:
            json.beginArray()
            forEachElement { $0.write(to: &json) }
            json.endArray()
        default:
            switch self {
            case .plain(let node): json.copyVerbatim(node)
            case .wrapped(let node):
                guard let (key, value) = node.members.first(where: { _ in true }) else { return json.null() }
                // 64-bit integers are strings in OTLP, and numbers elsewhere.
                if key.equals("intValue"), let int = value.lenientInt {
                    json.integer(int)
                } else {
                    json.copyVerbatim(value)
                }
            case .pairs: json.null()
            case .owned(.text(let text)): json.string(text)
            case .owned(.integer(let integer)): json.integer(integer)
            case .owned(.number(let number)): json.number(number)
            case .owned(.flag(let flag)): json.bool(flag)
            case .owned: json.null()
            }
        }
    }

    fileprivate func forEachPair(_ body: (String, OTLPValue) -> Void) {
        switch self {
        case .plain(let node): node.forEachMember { body($0.string ?? "", .plain($1)) }
        case .wrapped(let node):
            if let list = node["kvlistValue"]?["values"] { OTLPValue.pairs(list).forEachPair(body) }
        case .pairs(let list):
            list.forEachElement { pair in
                if let key = pair["key"]?.string, let value = pair["value"] { body(key, .wrapped(value)) }
            }
        case .owned(let value): for member in value.members { body(member.name, .owned(member.value)) }
        }
    }

    /// The value as text: a string's own, anything else as JSON.
    var text: String {
        if let string = stringNode { return string.string ?? "" }
        if case .owned(.text(let text)) = self { return text }
        if case .plain(let node) = self { return node.isNull ? "" : String(decoding: node.source, as: UTF8.self) }
        var json = JSONWriter()
        write(to: &json)
        return shape == .null ? "" : json.text
    }

    /// The length of `text` in UTF-8.
    var textLength: Int {
        if let string = stringNode { return string.utf8Length }
        if case .plain(let node) = self { return node.isNull ? 0 : node.byteRange.count }
        return text.utf8.count
    }

    /// The length of a string as JSON, with quotes and escapes; of other values, of `text`.
    var quotedLength: Int {
        if let string = stringNode { return string.byteRange.count }
        guard case .owned(.text(let text)) = self else { return textLength }
        var json = JSONWriter()
        json.string(text)
        return json.bytes.count
    }

    /// Adds `text` to a digest.
    func add(to digest: inout Digest) {
        if let string = stringNode {
            _ = string.withUTF8 { digest.add($0) }
        } else if case .plain(let node) = self {
            digest.add(node.source)
        } else {
            digest.add(text)
        }
    }
}

// MARK: - Values of records

extension SpanRecord.Value {
    /// Creates a copy of a value.
    init(_ value: OTLPValue) {
        switch value.shape {
        case .null: self = .null
        case .string: self = .text(value.text)
        case .boolean: self = .flag(value.text == "true")
        case .number:
            if case .wrapped(let node) = value, node["doubleValue"] != nil {
                self = value.double.map { .number($0) } ?? .null
            } else {
                self = value.int.map { .integer($0) } ?? value.double.map { .number($0) } ?? .null
            }
        case .array:
            var elements: [Self] = []
            value.forEachElement { elements.append(Self($0)) }
            self = .list(elements)
        case .object:
            var members: [SpanRecord.Attribute] = []
            value.forEachPair { members.append(.init($0, Self($1))) }
            self = .object(members)
        }
    }

    fileprivate var shape: OTLPValue.Shape {
        switch self {
        case .text: .string
        case .integer, .number: .number
        case .flag: .boolean
        case .list: .array
        case .object: .object
        case .null: .null
        }
    }

    /// The text; `nil` for other values.
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// Integer, or text with the digits of one; `nil` for other values.
    var integer: Int64? {
        switch self {
        case .integer(let integer): integer
        case .number(let number): Int64(exactly: number)
        case .text(let text): Int64(text)
        default: nil
        }
    }

    /// Number, or text with the digits of one; `nil` for other values.
    var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .text(let text): Double(text)
        default: nil
        }
    }

    /// The elements of a list; empty for other values.
    var elements: [Self] { if case .list(let elements) = self { elements } else { [] } }

    /// The members of an object; empty for other values.
    fileprivate var members: [SpanRecord.Attribute] { if case .object(let members) = self { members } else { [] } }
}
