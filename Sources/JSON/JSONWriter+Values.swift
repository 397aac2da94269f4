extension JSONWriter {
    /// Writes an object's key; its value is what is written next.
    public mutating func key(_ name: some StringProtocol) {
        quoted(name)
        colon()
    }

    /// Writes a member.
    public mutating func member(_ name: String, _ value: some JSONRepresentable) {
        key(name)
        value.write(to: &self)
    }

    /// Writes a member if there is a value, and nothing if there is none.
    public mutating func member(_ name: String, ifPresent value: (some JSONRepresentable)?) {
        if let value { member(name, value) }
    }

    /// Writes a member whose value is the one that `body` writes.
    public mutating func member<E: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(E) -> Void
    ) throws(E) {
        key(name)
        try body(&self)
    }

    /// Writes any value that knows how.
    public mutating func value(_ value: some JSONRepresentable) { value.write(to: &self) }

    /// Writes a string.
    public mutating func string(_ text: some StringProtocol) { quoted(text) }

    /// Writes a string of UTF-8 bytes; wrong ones become U+FFFD.
    public mutating func string(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        quoted(String(decoding: bytes, as: UTF8.self))
    }

    /// Writes an integer.
    public mutating func integer(_ number: some BinaryInteger) { value(String(number).utf8) }

    /// Writes the shortest decimal that reads as the same number; `null` if it is infinite or no number.
    public mutating func number(_ number: some BinaryFloatingPoint & LosslessStringConvertible) {
        if number.isFinite { value(number.description.utf8) } else { null() }
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { self.value((value ? "true" : "false").utf8) }

    /// Writes `null`.
    public mutating func null() { value("null".utf8) }

    /// Writes a parsed value exactly as it was written.
    public mutating func copyVerbatim(_ node: JSONNode) { value(node.source) }

    /// Writes a parsed value in this writer's style: strings and numbers as they were written, white space new.
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
