/// A value that can be written as JSON, with its members in a defined order.
///
/// ```swift
/// extension Usage: JSONRepresentable {
///     func write(to json: inout JSONWriter) {
///         json.object {
///             $0.member("input_tokens", input)
///             $0.member("output_tokens", output)
///         }
///     }
/// }
/// ```
public protocol JSONRepresentable {
    /// Writes exactly one value.
    func write(to json: inout JSONWriter)
}

extension JSONRepresentable {
    /// Returns the value as JSON text.
    public func json(_ style: JSONWriter.Style = .compact) -> String {
        var writer = JSONWriter(style: style)
        write(to: &writer)
        return writer.text
    }
}

extension JSONRepresentable where Self: StringProtocol {
    /// Writes a string.
    public func write(to json: inout JSONWriter) { json.string(self) }
}

extension JSONRepresentable where Self: BinaryInteger {
    /// Writes an integer.
    public func write(to json: inout JSONWriter) { json.integer(self) }
}

extension JSONRepresentable where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// Writes a number.
    public func write(to json: inout JSONWriter) { json.number(self) }
}

extension String: JSONRepresentable {}
extension Substring: JSONRepresentable {}

extension Bool: JSONRepresentable {
    /// Writes `true` or `false`.
    public func write(to json: inout JSONWriter) { json.bool(self) }
}

extension Int: JSONRepresentable {}
extension Int32: JSONRepresentable {}
extension Int64: JSONRepresentable {}
extension UInt32: JSONRepresentable {}
extension UInt64: JSONRepresentable {}
extension Double: JSONRepresentable {}
extension Float: JSONRepresentable {}

extension JSONNode: JSONRepresentable {
    /// Writes a copy of the parsed value.
    public func write(to json: inout JSONWriter) { json.copy(self) }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
    /// Writes the value, or `null`.
    public func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.null() }
    }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
    /// Writes an array.
    public func write(to json: inout JSONWriter) {
        json.array { json in
            for element in self { element.write(to: &json) }
        }
    }
}

extension Dictionary: JSONRepresentable where Key == String, Value: JSONRepresentable {
    /// Writes an object with sorted keys.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            for (key, value) in self.sorted(by: { $0.key < $1.key }) { json.member(key, value) }
        }
    }
}
