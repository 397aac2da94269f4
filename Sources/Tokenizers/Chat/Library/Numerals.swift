internal import Glibc

extension Jinja {
    /// Numbers as Python reads, rounds and writes them.
    enum Numerals {
        /// Returns Python's `int()`, with the filter's fallback to `int(float())`; `nil` if both fail.
        static func integer(_ value: Value, base: Int) throws(ChatTemplateError) -> Value? {
            if let index = value.index { return .integer(index) }
            if case .digits = value.content { return value }
            if let text = value.text {
                if let value = integer(text.stripped(.both).string, base: base) { return .integer(value) }
            }
            guard let number = float(value), number.isFinite else { return nil }
            guard let integer = Int(exactly: number.rounded(.towardZero)) else {
                throw .failure("integer overflow: the result exceeds 64 bits.")
            }
            return .integer(integer)
        }

        private static func integer(_ text: String, base: Int) -> Int? {
            guard base == 0 || (2...36).contains(base) else { return nil }
            var digits = Substring(text.lowercased().withLatinDigits)
            let isNegative = digits.hasPrefix("-")
            if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
            var radix = base
            for (prefix, value) in [("0x", 16), ("0o", 8), ("0b", 2)]
            where digits.hasPrefix(prefix) && [0, value].contains(base) {
                digits = digits.dropFirst(2)
                if digits.hasPrefix("_") { digits.removeFirst() }
                radix = value
            }
            if radix == 0 {
                if digits.hasPrefix("0"), !digits.allSatisfy({ $0 == "0" || $0 == "_" }) { return nil }
                radix = 10
            }
            guard let plain = withoutUnderscores(digits), !plain.hasPrefix("+"), !plain.hasPrefix("-") else {
                return nil
            }
            return Int((isNegative ? "-" : "") + plain, radix: radix)
        }

        /// Underscores may stand between two digits only.
        private static func withoutUnderscores(_ text: Substring) -> String? {
            if text.isEmpty || text.hasPrefix("_") || text.hasSuffix("_") || text.contains("__") { return nil }
            return text.filter { $0 != "_" }
        }

        /// Returns Python's `float()`; `nil` if it fails.
        static func float(_ value: Value) -> Double? {
            if let number = value.double { return number }
            guard let text = value.text?.stripped(.both).string.lowercased().withLatinDigits else { return nil }
            let unsigned = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : Substring(text)
            if ["inf", "infinity"].contains(unsigned) { return text.hasPrefix("-") ? -.infinity : .infinity }
            if unsigned == "nan" { return .nan }
            guard unsigned.allSatisfy({ "0123456789._e+-".contains($0) }), unsigned.contains(where: \.isNumber),
                let first = unsigned.first, first.isNumber || first == ".", let plain = withoutUnderscores(unsigned)
            else { return nil }
            let sign = text.hasPrefix("-") ? "-" : ""
            return Double(sign + (plain.hasPrefix(".") ? "0" + plain : plain).replacingTrailingPoint)
        }

        /// Python's `round()`: to the nearest, ties to even, of the exact value.
        static func rounded(_ value: Value, _ precision: Int) throws(ChatTemplateError) -> Value {
            if let integer = value.index {
                if precision >= 0 { return .integer(integer) }
                if precision < -18 { return .integer(0) }
                var unit = 1
                for _ in 0..<(-precision) { unit *= 10 }
                let (quotient, remainder) = integer.quotientAndRemainder(dividingBy: unit)
                let twice = 2 * remainder.magnitude
                let away = twice > unit.magnitude || twice == unit.magnitude && quotient % 2 != 0
                let (result, overflow) = (quotient + (away ? integer.signum() : 0)).multipliedReportingOverflow(
                    by: unit)
                if overflow { throw .failure("integer overflow: the result exceeds 64 bits.") }
                return .integer(result)
            }
            guard let number = value.double, number.isFinite else { return value }
            if precision > 400 { return .number(number) }
            if precision < -400 { return .number(0 * number) }
            if precision >= 0 { return .number(Double(fixed(number, precision)) ?? number) }
            let unit = pow(10, Double(-precision))
            return .number((number / unit).rounded(.toNearestOrEven) * unit)
        }

        /// Returns a number with a fixed number of digits after the decimal point, like C's `%.*f`.
        static func fixed(_ value: Double, _ precision: Int) -> String { printed("%.*f", value, precision) }

        /// A number as a C format with a precision prints it.
        static func printed(_ format: String, _ value: Double, _ precision: Int) -> String {
            withVaList([Int32(clamping: precision), value]) { arguments in
                withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400 + max(0, min(precision, 4096))) { buffer in
                    vsnprintf(buffer.baseAddress!, buffer.count, format, arguments)
                    return String(cString: buffer.baseAddress!)
                }
            }
        }
    }
}

extension String {
    /// Decimal digits of all scripts as 0 to 9, which is how Python reads numbers.
    fileprivate var withLatinDigits: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
                result += String(Int(value))
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// `1.` as `1.0`, which is what Swift reads.
    fileprivate var replacingTrailingPoint: String {
        if hasSuffix(".") { return self + "0" }
        return split(separator: "e", maxSplits: 1).map { $0.hasSuffix(".") ? $0 + "0" : $0 }.joined(separator: "e")
    }
}
