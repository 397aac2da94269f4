/// A set of byte strings with values, walked byte by byte: edges by open addressing over `(node, byte)`.
package final class ByteTrie: @unchecked Sendable {
    // Sendable: nothing is written after the initializer.
    private let edges: UnsafeMutablePointer<Edge>
    private let mask: Int
    /// Value of each node; -1 if no string ends there.
    private let values: UnsafeMutablePointer<TokenID>
    private let multiplier: UInt32

    fileprivate struct Edge {
        var key: UInt32
        var target: UInt32

        static let empty = UInt32.max
    }

    package init(_ builder: ByteTrieBuilder) {
        edges = .allocate(capacity: builder.edges.count)
        _ = UnsafeMutableBufferPointer(start: edges, count: builder.edges.count).initialize(from: builder.edges)
        values = .allocate(capacity: builder.values.count)
        _ = UnsafeMutableBufferPointer(start: values, count: builder.values.count).initialize(from: builder.values)
        mask = builder.edges.count - 1
        multiplier = builder.multiplier
    }

    deinit {
        edges.deallocate()
        values.deallocate()
    }

    @inline(__always)
    fileprivate static func slot(_ key: UInt32, _ multiplier: UInt32) -> Int {
        let hash = key &* multiplier
        return Int(hash ^ hash >> 15)
    }

    /// Returns the child of `node` for a byte; 0 if there is none, because the root is not a child.
    @inline(__always)
    package func child(_ node: UInt32, _ byte: UInt8) -> UInt32 {
        let key = node << 8 | UInt32(byte)
        var slot = Self.slot(key, multiplier) & mask
        while true {
            let edge = edges[slot]
            if edge.key == key { return edge.target }
            if edge.key == Edge.empty { return 0 }
            slot = (slot &+ 1) & mask
        }
    }

    @inline(__always)
    package func value(_ node: UInt32) -> TokenID { values[Int(node)] }

    /// The longest string that `text[start..<end]` begins with, and its value.
    @inline(__always)
    package func longest(_ text: UTF8Pointer, _ start: Int, _ end: Int) -> (end: Int, value: TokenID)? {
        var node: UInt32 = 0
        var found: (end: Int, value: TokenID)?
        var index = start
        while index < end {
            node = child(node, text[index])
            if node == 0 { break }
            index &+= 1
            let value = value(node)
            if value >= 0 { found = (index, value) }
        }
        return found
    }
}

/// A trie while strings are put into it.
package struct ByteTrieBuilder {
    fileprivate var edges: [ByteTrie.Edge]
    fileprivate var values: [TokenID] = [-1]
    fileprivate let multiplier = UInt32(truncatingIfNeeded: ByteHash.seeds.0) | 1
    private var count = 0

    /// More nodes than this are refused: their numbers and a byte make a key of 32 bits.
    private static let mostNodes = 1 << 24

    package init(expectedBytes: Int = 64) {
        var capacity = 64
        while capacity < expectedBytes, capacity < Self.mostNodes { capacity *= 2 }
        edges = Array(repeating: ByteTrie.Edge(key: ByteTrie.Edge.empty, target: 0), count: capacity)
    }

    /// Adds a string, or gives a known one another value. False where the trie is full.
    @discardableResult
    package mutating func insert(_ string: UnsafeBufferPointer<UInt8>, value: TokenID) -> Bool {
        var node: UInt32 = 0
        for byte in string {
            let key = node << 8 | UInt32(byte)
            let slot = slot(key)
            if edges[slot].key == key {
                node = edges[slot].target
                continue
            }
            guard values.count < Self.mostNodes - 1 else { return false }
            node = UInt32(values.count)
            values.append(-1)
            edges[slot] = ByteTrie.Edge(key: key, target: node)
            count += 1
            if count * 2 > edges.count { grow() }
        }
        values[Int(node)] = value
        return true
    }

    /// Where a key is, or would be put.
    private func slot(_ key: UInt32) -> Int {
        var slot = ByteTrie.slot(key, multiplier) & (edges.count - 1)
        while edges[slot].key != key, edges[slot].key != ByteTrie.Edge.empty { slot = (slot &+ 1) & (edges.count - 1) }
        return slot
    }

    private mutating func grow() {
        let old = edges
        edges = Array(repeating: ByteTrie.Edge(key: ByteTrie.Edge.empty, target: 0), count: old.count * 2)
        for edge in old where edge.key != ByteTrie.Edge.empty { edges[slot(edge.key)] = edge }
    }
}
