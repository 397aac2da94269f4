/// A value that can be written as JSON, member by member in the order it chooses.
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
    /// This value as JSON text.
    public func json(_ style: JSONWriter.Style = .compact) -> String {
        var writer = JSONWriter(style: style)
        write(to: &writer)
        return writer.text
    }
}

extension String: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.string(self) }
}

extension Substring: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.bool(self) }
}

extension Int: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Int32: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Int64: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.integer(self) }
}

extension UInt32: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.integer(self) }
}

extension UInt64: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Double: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.number(self) }
}

extension Float: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.number(self) }
}

extension JSONNode: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.copy(self) }
}

/// Nil is `null`.
extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.null() }
    }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.array { json in
            for element in self { element.write(to: &json) }
        }
    }
}

/// Members are written in the order of their keys, for a dictionary has none of its own.
extension Dictionary: JSONRepresentable where Key == String, Value: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            for (key, value) in self.sorted(by: { $0.key < $1.key }) { json.member(key, value) }
        }
    }
}
