public import JSON
internal import LanguageModels

/// Values as Python writes them: what templates print of lists, and what the evaluation harness reads again.
public enum PythonLiteral {
    /// The value of a literal: numbers, strings, lists, tuples (as lists), dictionaries, `True`, `False`, `None`.
    ///
    /// - Returns: `nil` for any other text; names, calls, and operators are rejected.
    public static func value(_ text: String) -> JSONValue? {
        guard text.utf8.count <= 1 << 20,
            let parsed = try? Jinja.Parser.parse("{{" + text + "\n}}", Jinja.Limits(), .kept),
            parsed.count == 1, case .output(let expression) = parsed[0]
        else { return nil }
        return value(expression)
    }

    private static func value(_ expression: Jinja.Expression) -> JSONValue? {
        switch expression.kind {
        case .constant(let value): return value.json
        case .list(let elements), .tuple(let elements):
            var values: [JSONValue] = []
            for element in elements {
                guard let value = value(element) else { return nil }
                values.append(value)
            }
            return .array(values)
        case .dictionary(let entries):
            var members: [JSONValue.Member] = []
            for entry in entries {
                guard let key = value(entry.key), let value = value(entry.value) else { return nil }
                members.append(JSONValue.Member(key: PythonLiteral.printed(key), value: value))
            }
            return .object(members)
        case .negative(let operand):
            switch value(operand) {
            case .integer(let value)? where value != .min: return .integer(-value)
            case .number(let value)?: return .number(-value)
            default: return nil
            }
        case .positive(let operand):
            guard let value = value(operand), value.double != nil else { return nil }
            return value
        default: return nil
        }
    }

    /// What Python's `str()` gives of a value.
    public static func printed(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        return (try? Jinja.Value(value, .template))?.printed.string ?? ""
    }

    /// What Python's `str.strip()` leaves of a text.
    public static func stripped(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            first.isPythonSpace || last.isPythonSpace
        else { return text }
        return Jinja.Text(text).stripped(.both).string
    }

    /// Whether Python's `str.isspace()` holds for a character.
    public static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.isPythonSpace }

    /// The shortest digits of a number as Python writes it: `1e-05`, `3.0`.
    public static func digits(_ value: Double) -> String { Jinja.pythonDigits(value) }
}

extension Jinja.Value {
    /// The value as JSON knows it; nil for what templates only compute.
    var json: JSONValue? {
        switch content {
        case .none: .null
        case .boolean(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .text(let text): .string(text.string)
        default: nil
        }
    }
}
