internal import CJSON

extension JSONNode {
    /// Returns the value of the first member with a key; `nil` if there is none, or if this value is not an object.
    ///
    /// - Complexity: O(members). Keys of a different length are skipped without comparing bytes.
    @inlinable public subscript(key: StaticString) -> JSONNode? {
        member(key.utf8Start, key.utf8CodeUnitCount)
    }

    /// Returns the value of the first member with a key that is known only at run time; `nil` if there is none.
    public func member(named key: String) -> JSONNode? {
        var key = key
        return key.withUTF8 { member($0.baseAddress ?? bytes, $0.count) }
    }

    /// Returns the element of an array at `index`; `nil` if the index is out of range.
    ///
    /// - Complexity: O(index).
    public func element(at index: Int) -> JSONNode? {
        guard code == 5, index >= 0, index < count else { return nil }
        var node = JSONNode(bytes: bytes, entry: entry + JSONNode.stride)
        for _ in 0..<index { node = JSONNode(bytes: bytes, entry: node.following) }
        return node
    }

    @usableFromInline
    func member(_ key: UnsafePointer<UInt8>, _ length: Int) -> JSONNode? {
        guard code == 6 else { return nil }
        let last = following
        var cursor = entry + JSONNode.stride
        while cursor < last {
            let name = JSONNode(bytes: bytes, entry: cursor)
            let value = JSONNode(bytes: bytes, entry: cursor + JSONNode.stride)
            if name.flag {
                if name.equals(key, length) { return value }
            } else if name.end &- name.start &- 2 == length, sameBytes(bytes + (name.start &+ 1), key, length) {
                return value
            }
            cursor = value.following
        }
        return nil
    }

    /// Calls `body` with the key, which is a string node, and the value of each member, in source order.
    @inlinable public func forEachMember<E: Error>(
        _ body: (_ key: JSONNode, _ value: JSONNode) throws(E) -> Void
    ) throws(E) {
        guard code == 6 else { return }
        let last = following
        var cursor = entry + JSONNode.stride
        while cursor < last {
            let value = JSONNode(bytes: bytes, entry: cursor + JSONNode.stride)
            try body(JSONNode(bytes: bytes, entry: cursor), value)
            cursor = value.following
        }
    }

    /// Calls `body` with each element of an array in order.
    @inlinable public func forEachElement<E: Error>(_ body: (JSONNode) throws(E) -> Void) throws(E) {
        guard code == 5 else { return }
        let last = following
        var cursor = entry + JSONNode.stride
        while cursor < last {
            let node = JSONNode(bytes: bytes, entry: cursor)
            try body(node)
            cursor = node.following
        }
    }

    /// Members of an object in source order, with keys as string nodes; empty for other values.
    @inlinable public var members: JSONMembers { JSONMembers(of: self) }

    /// Elements of an array; empty for other values.
    @inlinable public var elements: JSONElements { JSONElements(of: self) }
}

/// The members of an object.
public struct JSONMembers: Sequence, IteratorProtocol {
    @usableFromInline let bytes: UnsafePointer<UInt8>
    @usableFromInline var cursor: UnsafeRawPointer
    @usableFromInline let last: UnsafeRawPointer

    @inlinable
    init(of node: JSONNode) {
        bytes = node.bytes
        cursor = node.entry + JSONNode.stride
        last = node.code == 6 ? node.following : cursor
    }

    /// Returns the next member in source order; `nil` after the last one.
    @inlinable
    public mutating func next() -> (key: JSONNode, value: JSONNode)? {
        guard cursor < last else { return nil }
        let key = JSONNode(bytes: bytes, entry: cursor)
        let value = JSONNode(bytes: bytes, entry: cursor + JSONNode.stride)
        cursor = value.following
        return (key, value)
    }
}

/// The elements of an array.
public struct JSONElements: Sequence, IteratorProtocol {
    @usableFromInline let bytes: UnsafePointer<UInt8>
    @usableFromInline var cursor: UnsafeRawPointer
    @usableFromInline let last: UnsafeRawPointer

    @inlinable
    init(of node: JSONNode) {
        bytes = node.bytes
        cursor = node.entry + JSONNode.stride
        last = node.code == 5 ? node.following : cursor
    }

    /// Returns the next element; `nil` after the last one.
    @inlinable
    public mutating func next() -> JSONNode? {
        guard cursor < last else { return nil }
        let node = JSONNode(bytes: bytes, entry: cursor)
        cursor = node.following
        return node
    }
}

/// Returns whether the first `length` bytes of two buffers are equal. It compares words; the last two may overlap.
@inline(__always)
func sameBytes(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    let left = UnsafeRawPointer(left)
    let right = UnsafeRawPointer(right)
    func same<Word: FixedWidthInteger>(_ offset: Int, _: Word.Type) -> Bool {
        left.loadUnaligned(fromByteOffset: offset, as: Word.self)
            == right.loadUnaligned(fromByteOffset: offset, as: Word.self)
    }
    if length >= 8 {
        var offset = 0
        while offset < length &- 8 {
            guard same(offset, UInt64.self) else { return false }
            offset &+= 8
        }
        return same(length &- 8, UInt64.self)
    }
    if length >= 4 { return same(0, UInt32.self) && same(length &- 4, UInt32.self) }
    for offset in 0..<length where !same(offset, UInt8.self) { return false }
    return true
}
