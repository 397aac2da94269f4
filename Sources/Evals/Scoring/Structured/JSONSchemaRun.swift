internal import Glibc
internal import JSON

/// A check of one value against a schema.
struct JSONSchemaRun {
    let root: JSONValue
    let patterns: [String: AnswerPattern]
    private(set) var problems: [String] = []
    /// Remaining steps: references and alternatives can multiply.
    private var budget = 200_000

    init(root: JSONValue, patterns: [String: AnswerPattern]) {
        self.root = root
        self.patterns = patterns
    }

    private mutating func note(_ place: String, _ problem: String) {
        if problems.count < 10 { problems.append("\(place) \(problem)") }
    }

    mutating func check(_ value: JSONValue, _ schema: JSONValue, at place: String, depth: Int) {
        budget -= 1
        guard depth < 200, budget > 0 else { return note(place, "is nested too deeply or takes too long to validate") }
        if case .bool(let allowed) = schema {
            if !allowed { note(place, "is not allowed") }
            return
        }
        for rule in schema.members ?? [] { apply(rule, value, schema, at: place, depth: depth) }
    }

    /// Returns whether a value matches, without recording problems.
    private mutating func fits(_ value: JSONValue, _ schema: JSONValue, at place: String, depth: Int) -> Bool {
        let before = problems
        problems = []
        check(value, schema, at: place, depth: depth + 1)
        defer { problems = before }
        return problems.isEmpty
    }

    private mutating func apply(
        _ rule: JSONValue.Member, _ value: JSONValue, _ schema: JSONValue, at place: String, depth: Int
    ) {
        switch rule.key {
        case "type":
            let names = (rule.value.elements ?? [rule.value]).compactMap(\.string)
            if !names.contains(where: { Self.isOf($0, value) }) {
                note(place, "is \(Self.type(value)), not \(names.joined(separator: " or "))")
            }
        case "enum":
            if !(rule.value.elements ?? []).contains(where: { value.equals($0) }) {
                note(place, "is not one of the allowed values")
            }
        case "const": if !value.equals(rule.value) { note(place, "is not the required value") }
        case "$ref":
            guard let target = resolve(rule.value.string ?? "") else {
                return note(place, "has a schema with an unresolved $ref")
            }
            check(value, target, at: place, depth: depth + 1)
        case "allOf":
            for part in rule.value.elements ?? [] { check(value, part, at: place, depth: depth + 1) }
        case "anyOf", "oneOf":
            var count = 0
            for part in rule.value.elements ?? [] where fits(value, part, at: place, depth: depth) { count += 1 }
            if count == 0 { note(place, "matches none of \(rule.key)") }
            if count > 1, rule.key == "oneOf" { note(place, "matches \(count) of oneOf") }
        case "not":
            if fits(value, rule.value, at: place, depth: depth) {
                note(place, "matches a schema that it must not match")
            }
        case "pattern":
            guard let text = value.string, let pattern = patterns[rule.value.string ?? ""] else { return }
            switch pattern.find(in: text, group: 0) {
            case .found(let parts): if parts.isEmpty { note(place, "does not match the pattern") }
            case .tooSlow: note(place, "takes too long to match against the pattern")
            }
        case "minLength", "maxLength": if let text = value.string { bound(rule, text.unicodeScalars.count, place) }
        case "minItems", "maxItems": if let elements = value.elements { bound(rule, elements.count, place) }
        case "minProperties", "maxProperties": if let members = value.members { bound(rule, members.count, place) }
        default: applyToParts(rule, value, schema, at: place, depth: depth)
        }
    }

    private mutating func applyToParts(
        _ rule: JSONValue.Member, _ value: JSONValue, _ schema: JSONValue, at place: String, depth: Int
    ) {
        switch rule.key {
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
            if let number = value.double, let limit = rule.value.double { compare(rule.key, number, limit, place) }
        case "required":
            guard value.members != nil else { return }
            for name in (rule.value.elements ?? []).compactMap(\.string) where value[name] == nil {
                note(place, "lacks \"\(name)\"")
            }
        case "properties":
            for part in rule.value.members ?? [] {
                if let inner = value[part.key] {
                    check(inner, part.value, at: "\(place).\(part.key)", depth: depth + 1)
                }
            }
        case "additionalProperties":
            let known = Set((schema["properties"]?.members ?? []).map(\.key))
            for member in value.members ?? [] where !known.contains(member.key) {
                check(member.value, rule.value, at: "\(place).\(member.key)", depth: depth + 1)
            }
        case "prefixItems":
            for (index, (element, part)) in zip(value.elements ?? [], rule.value.elements ?? []).enumerated() {
                check(element, part, at: "\(place)[\(index)]", depth: depth + 1)
            }
        case "items":
            let first = schema["prefixItems"]?.elements?.count ?? 0
            for (index, element) in (value.elements ?? []).enumerated().dropFirst(first) {
                check(element, rule.value, at: "\(place)[\(index)]", depth: depth + 1)
            }
        case "uniqueItems":
            guard rule.value == .bool(true), let elements = value.elements else { return }
            guard elements.count <= 2_000 else { return note(place, "has too many items to compare") }
            for (index, element) in elements.enumerated()
            where elements[..<index].contains(where: { $0.equals(element) }) {
                return note("\(place)[\(index)]", "is a duplicate")
            }
        default: break
        }
    }

    private mutating func bound(_ rule: JSONValue.Member, _ count: Int, _ place: String) {
        guard let limit = rule.value.double else { return }
        let isLeast = rule.key.hasPrefix("min")
        if isLeast ? Double(count) < limit : Double(count) > limit {
            note(place, "has size \(count), but \(rule.key) is \(rule.value.plainText ?? "")")
        }
    }

    private mutating func compare(_ rule: String, _ number: Double, _ limit: Double, _ place: String) {
        let holds =
            switch rule {
            case "minimum": number >= limit
            case "maximum": number <= limit
            case "exclusiveMinimum": number > limit
            case "exclusiveMaximum": number < limit
            default: limit > 0 && abs((number / limit).rounded() - number / limit) < 1e-9
            }
        if !holds { note(place, "is \(number), but \(rule) is \(limit)") }
    }

    /// Returns the target of `#` or `#/$defs/name`, with the escapes of JSON pointers.
    private func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#") else { return nil }
        var value = root
        for part in reference.dropFirst().split(separator: "/") {
            let name = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
            if let elements = value.elements {
                guard let index = Int(name), elements.indices.contains(index) else { return nil }
                value = elements[index]
            } else if let inner = value[name] {
                value = inner
            } else {
                return nil
            }
        }
        return value
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch value {
        case .integer: type == "integer" || type == "number"
        case .number(let number): type == "number" || (type == "integer" && number == number.rounded())
        default: type == Self.type(value)
        }
    }

    static func type(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension JSONValue {
    /// Returns whether two JSON values are equal: members in any order, 1 equal to 1.0.
    ///
    /// - Parameter tolerance: Largest difference between equal numbers.
    func equals(_ other: JSONValue, tolerance: Double = 0) -> Bool {
        switch (self, other) {
        case (.array(let one), .array(let two)):
            return one.count == two.count && zip(one, two).allSatisfy { $0.equals($1, tolerance: tolerance) }
        case (.object(let one), .object(let two)):
            var left: [String: JSONValue] = [:]
            for member in two { left[member.key] = member.value }
            var right: [String: JSONValue] = [:]
            for member in one { right[member.key] = member.value }
            return left.count == right.count
                && right.allSatisfy { key, value in left[key]?.equals(value, tolerance: tolerance) ?? false }
        case (.integer(let one), .integer(let two)) where tolerance == 0: return one == two
        default:
            if let one = double, let two = other.double { return one == two || abs(one - two) <= tolerance }
            return self == other
        }
    }
}
