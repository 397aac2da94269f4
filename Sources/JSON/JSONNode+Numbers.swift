internal import CJSON

extension JSONNode {
    /// Value of a number without fraction or exponent; `nil` for other values and numbers out of range.
    public var int: Int64? {
        guard code == 3, !flag else { return nil }
        return signed(source)
    }

    /// Value of a number without sign, fraction, or exponent; `nil` for other values and numbers out of range.
    public var uint: UInt64? {
        guard code == 3, !flag else { return nil }
        let text = source
        var value: UInt64 = 0
        return orrery_json_unsigned(text.baseAddress, text.count, &value) ? value : nil
    }

    /// Value of a number, rounded to the nearest double and infinite if it is too large; `nil` for other values.
    public var double: Double? {
        guard code == 3 else { return nil }
        let text = source
        var value = 0.0
        if orrery_json_double(text.baseAddress, text.count, &value) { return value }
        return Double(String(decoding: text, as: UTF8.self))
    }

    /// Value of an integer in a lenient notation: a number with a zero fraction, or a string of decimal digits.
    ///
    /// For example, OTLP/JSON writes 64-bit integers as strings.
    public var lenientInt: Int64? {
        if let raw = rawString { return flag ? nil : signed(raw) }
        guard code == 3 else { return nil }
        return flag ? double.flatMap { Int64(exactly: $0) } : signed(source)
    }

    /// Value of a number, or of a string that contains a number; `nil` for other values.
    public var lenientDouble: Double? {
        guard let raw = rawString else { return double }
        guard !flag, !raw.isEmpty else { return nil }
        var value = 0.0
        if orrery_json_double(raw.baseAddress, raw.count, &value) { return value }
        return Double(String(decoding: raw, as: UTF8.self))
    }

    /// Time of an ISO 8601 string, in nanoseconds since 1970; `nil` for other values.
    public var timestamp: Int64? {
        guard let raw = rawString, !flag else { return nil }
        return nanosecondsSince1970(iso8601: raw)
    }

    private func signed(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        var value: Int64 = 0
        return orrery_json_signed(text.baseAddress, text.count, &value) ? value : nil
    }
}
