internal import LanguageModels

extension Jinja.Value {
    /// What Python's `str()` gives, and what `{{ }}` prints.
    var printed: Jinja.Text {
        if case .text(var text) = content {
            text.isMarkup = false
            return text
        }
        if isUndefined { return Jinja.Text([], origin) }
        return represented
    }

    /// What Python's `repr()` gives.
    var represented: Jinja.Text {
        var text = Jinja.Text([], origin)
        represent(into: &text)
        return text
    }

    private func represent(into output: inout Jinja.Text) {
        switch content {
        case .undefined: output.append("Undefined", origin)
        case .none: output.append("None", origin)
        case .boolean(let value): output.append(value ? "True" : "False", origin)
        case .integer(let value): output.append(String(value), origin)
        case .digits(let digits): output.append(digits, origin)
        case .number(let value): output.append(Jinja.pythonDigits(value), origin)
        case .text(let text):
            if text.isMarkup { output.append("Markup(", origin) }
            text.represent(into: &output, quotes: origin)
            if text.isMarkup { output.append(")", origin) }
        case .list(let list): represent(list.elements, "[", "]", into: &output)
        case .tuple(let list): represent(list.elements, "(", list.elements.count == 1 ? ",)" : ")", into: &output)
        case .dictionary(let mapping):
            output.append("{", origin)
            for (position, entry) in mapping.entries.enumerated() {
                if position > 0 { output.append(", ", origin) }
                entry.key.represent(into: &output)
                output.append(": ", origin)
                entry.value.represent(into: &output)
            }
            output.append("}", origin)
        case .view(let view):
            switch view.kind {
            case .range(let start, let stop, 1): output.append("range(\(start), \(stop))", origin)
            case .range(let start, let stop, let step): output.append("range(\(start), \(stop), \(step))", origin)
            case .keys: represent(view.elements, "dict_keys([", "])", into: &output)
            case .values: represent(view.elements, "dict_values([", "])", into: &output)
            case .items: represent(view.elements, "dict_items([", "])", into: &output)
            }
        case .iterator: output.append("<generator object>", origin)
        case .object(let object): output.append(object.description, origin)
        }
    }

    private func represent(_ elements: [Self], _ open: String, _ close: String, into output: inout Jinja.Text) {
        output.append(open, origin)
        for (position, element) in elements.enumerated() {
            if position > 0 { output.append(", ", origin) }
            element.represent(into: &output)
        }
        output.append(close, origin)
    }
}

extension Jinja.Text {
    /// Appends this text as Python writes a string literal.
    func represent(into output: inout Jinja.Text, quotes: TokenOrigin) {
        let quote: UInt8 = bytes.contains(0x27) && !bytes.contains(0x22) ? 0x22 : 0x27
        output.append(quote, quotes)
        for (scalar, range) in scalars {
            let origin = origin(at: range.lowerBound)
            switch scalar {
            case "\\": output.append("\\\\", origin)
            case "\n": output.append("\\n", origin)
            case "\r": output.append("\\r", origin)
            case "\t": output.append("\\t", origin)
            default:
                if scalar.value == UInt32(quote) {
                    output.append("\\", origin)
                    output.append(quote, origin)
                } else if scalar.isPrintable {
                    output.append(self, range)
                } else {
                    let digits = scalar.value < 0x100 ? 2 : scalar.value < 0x1_0000 ? 4 : 8
                    output.append(digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U", origin)
                    output.append(Jinja.hexadecimal(scalar.value, digits: digits), origin)
                }
            }
        }
        output.append(quote, quotes)
    }
}

extension Unicode.Scalar {
    /// Python's `str.isprintable`.
    var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: self == " "
        default: true
        }
    }
}

extension Jinja {
    static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// The shortest digits that read as the same double, laid out as Python does: `1e+16`, `0.0001`, `1e-05`.
    static func pythonDigits(_ value: Double) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-inf" : "inf" }
        let (digits, exponent) = shortestDigits(value.magnitude)
        let sign = value.sign == .minus ? "-" : ""
        if exponent < -4 || exponent >= 16 {
            let fraction = digits.count > 1 ? "." + String(digits.dropFirst()) : ""
            let size = String(exponent.magnitude)
            return sign + String(digits.prefix(1)) + fraction + (exponent < 0 ? "e-" : "e+")
                + (size.count < 2 ? "0" : "") + size
        }
        if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
        if digits.count <= exponent + 1 {
            return sign + digits + String(repeating: "0", count: exponent + 1 - digits.count) + ".0"
        }
        return sign + digits.prefix(exponent + 1) + "." + digits.dropFirst(exponent + 1)
    }

    /// The significant digits of a finite number of at least 0, and the power of ten of the first.
    private static func shortestDigits(_ value: Double) -> (digits: String, exponent: Int) {
        if value == 0 { return ("0", 0) }
        let parts = value.description.split(separator: "e")
        var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var digits = String(halves[0]) + (halves.count > 1 ? halves[1] : "")
        exponent += halves[0].count - 1
        while digits.hasPrefix("0"), digits.count > 1 {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
        return (digits, exponent)
    }
}
