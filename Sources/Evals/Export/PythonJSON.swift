internal import Formatting
internal import JSON
internal import Tokenizers

/// JSON exactly as Python's `json.dumps(value, ensure_ascii=False)` writes it, because digests depend on it.
enum PythonJSON {
    /// - Parameter indent: Spaces per level; `nil` writes one line with `, ` and `: `.
    static func text(_ value: JSONValue, indent: Int? = nil) -> String {
        var output = ""
        write(value, indent, 0, &output)
        return output
    }

    private static func write(_ value: JSONValue, _ indent: Int?, _ level: Int, _ output: inout String) {
        switch value {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .integer(let value): output += String(value)
        case .number(let value):
            output +=
                value.isNaN
                ? "NaN" : value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : PythonLiteral.digits(value)
        case .string(let text): quote(text, &output)
        case .array(let elements):
            enclose(elements, "[", "]", indent, level, &output) { element, output in
                write(element, indent, level + 1, &output)
            }
        case .object(let members):
            enclose(members, "{", "}", indent, level, &output) { member, output in
                quote(member.key, &output)
                output += ": "
                write(member.value, indent, level + 1, &output)
            }
        }
    }

    private static func enclose<Element>(
        _ elements: [Element], _ open: String, _ close: String, _ indent: Int?, _ level: Int, _ output: inout String,
        _ write: (Element, inout String) -> Void
    ) {
        output += open
        func newLine(_ level: Int) {
            guard let indent else { return }
            output += "\n" + String(repeating: " ", count: indent * level)
        }
        for (place, element) in elements.enumerated() {
            if place > 0 { output += indent == nil ? ", " : "," }
            newLine(level + 1)
            write(element, &output)
        }
        if !elements.isEmpty { newLine(level) }
        output += close
    }

    private static func quote(_ text: String, _ output: inout String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case "\u{8}": output += "\\b"
            case "\u{C}": output += "\\f"
            default:
                if scalar.value < 0x20 {
                    output += "\\u" + Format.hexadecimal(scalar.value, digits: 4)
                } else {
                    output.unicodeScalars.append(scalar)
                }
            }
        }
        output += "\""
    }
}
