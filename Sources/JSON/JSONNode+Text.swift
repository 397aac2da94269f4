internal import CJSON

extension JSONNode {
    /// Text of a string, with escapes decoded; `nil` for other values.
    public var string: String? {
        guard let raw = rawString else { return nil }
        guard flag else { return String(decoding: raw, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: orrery_json_unescaped_bound(raw.count)) {
            orrery_json_unescape(raw.baseAddress, raw.count, $0.baseAddress)
        }
    }

    /// Bytes between the quotes of a string, including escapes; `nil` for other values.
    @inlinable public var rawString: UnsafeBufferPointer<UInt8>? {
        code == 4 ? UnsafeBufferPointer(start: bytes + (start &+ 1), count: end &- start &- 2) : nil
    }

    /// Whether a string has escapes, which make its raw bytes differ from its text.
    @inlinable public var hasEscapes: Bool { code == 4 && flag }

    /// Length of a string's text in UTF-8; 0 for other values.
    ///
    /// - Complexity: O(1) without escapes, otherwise O(length).
    public var utf8Length: Int {
        guard let raw = rawString else { return 0 }
        return flag ? orrery_json_unescape(raw.baseAddress, raw.count, nil) : raw.count
    }

    /// Returns whether the value is a string with this text, without allocating memory.
    @inlinable public func equals(_ text: StaticString) -> Bool { equals(text.utf8Start, text.utf8CodeUnitCount) }

    /// Returns whether the value is a string with this text, without allocating memory.
    public func equals(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { equals($0.baseAddress ?? bytes, $0.count) }
    }

    @usableFromInline
    func equals(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        guard let raw = rawString else { return false }
        if flag { return orrery_json_unescaped_equals(raw.baseAddress, raw.count, text, length) }
        return raw.count == length && sameBytes(raw.baseAddress!, text, length)
    }

    /// Calls `body` with the text of a string; the buffer is valid only during the call.
    ///
    /// Memory is allocated only for a long string with escapes.
    /// - Returns: The result of `body`; `nil` if the value is not a string.
    public func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
        guard let raw = rawString else { return nil }
        guard flag else { return try body(raw) }
        let bound = orrery_json_unescaped_bound(raw.count)
        return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bound) { buffer in
            let length = orrery_json_unescape(raw.baseAddress, raw.count, buffer.baseAddress)
            return try body(UnsafeBufferPointer(rebasing: buffer[..<length]))
        }
    }

    /// Appends the text of a string, or nothing if the value is not a string.
    public func appendText(to output: inout [UInt8]) {
        _ = withUTF8 { output.append(contentsOf: $0) }
    }

    /// Appends the text of a string, or nothing if the value is not a string.
    public func appendText(to output: inout String) {
        if let string { output += string }
    }
}
