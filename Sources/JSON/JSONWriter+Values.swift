extension JSONWriter {
    /// Writes the key of a member; write its value next.
    public mutating func key(_ name: some StringProtocol) {
        quoted(name)
        colon()
    }

    /// Writes a member.
    public mutating func member(_ name: String, _ value: some JSONRepresentable) {
        key(name)
        value.write(to: &self)
    }

    /// Writes a member, or nothing if `value` is `nil`.
    public mutating func member(_ name: String, ifPresent value: (some JSONRepresentable)?) {
        if let value { member(name, value) }
    }

    /// Writes a member whose value `body` writes.
    public mutating func member<E: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(E) -> Void
    ) throws(E) {
        key(name)
        try body(&self)
    }

    /// Writes a member whose value is an array with one object per element.
    ///
    /// - Parameter members: Writes the members of an element's object.
    public mutating func objects<Elements: Sequence, E: Error>(
        _ name: String, of elements: Elements, _ members: (Elements.Element, inout JSONWriter) throws(E) -> Void
    ) throws(E) {
        key(name)
        beginArray()
        for element in elements {
            beginObject()
            try members(element, &self)
            endObject()
        }
        endArray()
    }

    /// Writes a value.
    public mutating func value(_ value: some JSONRepresentable) { value.write(to: &self) }

    /// Writes a string.
    public mutating func string(_ text: some StringProtocol) { quoted(text) }

    /// Writes a string of UTF-8 bytes; invalid bytes become U+FFFD.
    public mutating func string(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        quoted(String(decoding: bytes, as: UTF8.self))
    }

    /// Writes an integer.
    public mutating func integer(_ number: some BinaryInteger) { value(String(number).utf8) }

    /// Writes the shortest decimal that parses as the same number; `null` if the number is infinite or NaN.
    public mutating func number(_ number: some BinaryFloatingPoint & LosslessStringConvertible) {
        if number.isFinite { value(number.description.utf8) } else { null() }
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { self.value((value ? "true" : "false").utf8) }

    /// Writes `null`.
    public mutating func null() { value("null".utf8) }

    /// Writes the original text of a parsed value.
    public mutating func copyVerbatim(_ node: JSONNode) { value(node.source) }

    /// Writes a parsed value in the style of this writer, with the original text of strings and numbers.
    public mutating func copy(_ node: JSONNode) {
        var open: [JSONNode] = []
        let last = node.following
        var cursor = node.entry
        while cursor < last {
            let current = JSONNode(bytes: node.bytes, entry: cursor)
            cursor += JSONNode.stride
            switch current.kind {
            case .object:
                beginObject()
                open.append(current)
            case .array:
                beginArray()
                open.append(current)
            default:
                let isKey = open.last?.kind == .object && !afterKey
                value(current.source)
                if isKey { colon() }
            }
            while let container = open.last, container.following == cursor {
                open.removeLast()
                if container.kind == .object { endObject() } else { endArray() }
            }
        }
    }
}
