internal import LanguageModels

extension Jinja {
    /// Writes values as Python's `json.dumps` does. Brackets and commas have the origin of their list or dictionary,
    /// so that a tool's definition is the tool's down to the last brace.
    struct JSONText {
        var ensuresASCII = false
        /// What a level is indented by; nil keeps all on one line.
        var indent: Text?
        var itemSeparator: Text
        var keySeparator: Text
        var sortsKeys = false
        let evaluator: Evaluator
        private(set) var output = Text()

        init(_ evaluator: Evaluator, isIndented: Bool) {
            self.evaluator = evaluator
            itemSeparator = Text(isIndented ? "," : ", ")
            keySeparator = Text(": ")
        }

        mutating func write(_ value: Value, level: Int = 0) throws(ChatTemplateError) {
            let origin = value.origin
            switch value.content {
            case .none: output.append("null", origin)
            case .boolean(let value): output.append(value ? "true" : "false", origin)
            case .integer(let value): output.append(String(value), origin)
            case .digits(let digits): output.append(digits, origin)
            case .number(let value): output.append(Self.digits(value), origin)
            case .text(let text): write(text, quotes: text.origin(at: 0))
            case .list(let list), .tuple(let list):
                try write("[", "]", list.elements.count, origin, level) { json, index throws(ChatTemplateError) in
                    try json.write(list.elements[index], level: level + 1)
                }
            case .dictionary(let mapping):
                var entries = mapping.entries
                if sortsKeys {
                    let order = try Jinja.sorted(
                        entries.indices.map { .integer($0) }, by: entries.map(\.key), reverse: false)
                    entries = order.compactMap { $0.index.map { entries[$0] } }
                }
                try write("{", "}", entries.count, origin, level) { json, index throws(ChatTemplateError) in
                    json.write(try Self.key(entries[index].key), quotes: origin)
                    json.append(json.keySeparator, origin)
                    try json.write(entries[index].value, level: level + 1)
                }
            default:
                throw .failure(value.undefinedReason ?? "\(value.typePhrase) cannot be written as JSON.")
            }
            if output.count > evaluator.limits.textBytes {
                throw .limit("a string exceeds \(evaluator.limits.textBytes) bytes.")
            }
        }

        private mutating func write(
            _ open: String, _ close: String, _ count: Int, _ origin: TokenOrigin, _ level: Int,
            _ element: (inout JSONText, Int) throws(ChatTemplateError) -> Void
        ) throws(ChatTemplateError) {
            output.append(open, origin)
            for index in 0..<count {
                if index > 0 { append(itemSeparator, origin) }
                try breakLine(level + 1, origin)
                try element(&self, index)
            }
            if count > 0 { try breakLine(level, origin) }
            output.append(close, origin)
        }

        private mutating func breakLine(_ level: Int, _ origin: TokenOrigin) throws(ChatTemplateError) {
            guard let indent else { return }
            let (bytes, overflow) = indent.count.multipliedReportingOverflow(by: level)
            try evaluator.allow(bytes: overflow ? .max : output.count.addingReportingOverflow(bytes).partialValue)
            output.append("\n", origin)
            for _ in 0..<level { append(indent, origin) }
        }

        /// Appends what the template chose, as part of what it lays out.
        private mutating func append(_ text: Text, _ origin: TokenOrigin) { output.append(text.bytes, origin) }

        /// A key as text: Python writes numbers, booleans and none as such.
        private static func key(_ key: Value) throws(ChatTemplateError) -> Text {
            switch key.content {
            case .text(let text): return text
            case .none: return Text("null", key.origin)
            case .boolean(let value): return Text(value ? "true" : "false", key.origin)
            case .integer(let value): return Text(String(value), key.origin)
            case .digits(let digits): return Text(digits, key.origin)
            case .number(let value): return Text(digits(value), key.origin)
            default: throw .failure("\(key.typePhrase) cannot be a JSON key.")
            }
        }

        private static func digits(_ value: Double) -> String {
            if value.isNaN { return "NaN" }
            if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
            return pythonDigits(value)
        }

        private mutating func write(_ text: Text, quotes: TokenOrigin) {
            output.append("\"", quotes)
            var plain = 0
            for (scalar, range) in text.scalars {
                guard let escape = escape(scalar) else { continue }
                output.append(text, plain..<range.lowerBound)
                output.append(escape, text.origin(at: range.lowerBound))
                plain = range.upperBound
            }
            output.append(text, plain..<text.count)
            output.append("\"", quotes)
        }

        private func escape(_ scalar: Unicode.Scalar) -> String? {
            switch scalar {
            case "\"": return "\\\""
            case "\\": return "\\\\"
            case "\n": return "\\n"
            case "\r": return "\\r"
            case "\t": return "\\t"
            case "\u{8}": return "\\b"
            case "\u{C}": return "\\f"
            default:
                if scalar.value < 0x20 { return "\\u" + hexadecimal(scalar.value, digits: 4) }
                guard ensuresASCII, scalar.value > 0x7E else { return nil }
                return UTF16.encode(scalar)!.map { "\\u" + hexadecimal(UInt32($0), digits: 4) }.joined()
            }
        }
    }
}
