/// A stretch of a piece that is one symbol: a token, or `none` where the vocabulary has no such token.
package struct MergeSymbol {
    package var id: UInt32
    /// Bytes from the beginning of the piece.
    package var start: UInt32
    package var length: UInt32

    package static let none = UInt32.max
}

/// The symbols of a piece while they merge.
package struct MergeWorkspace {
    package private(set) var symbols: UnsafeMutablePointer<MergeSymbol>
    /// What symbol i and its successor merge into: `rank << 32 | id`, or `PairTable.none`.
    package private(set) var values: UnsafeMutablePointer<UInt64>
    /// Neighbors, for pieces with many symbols.
    package private(set) var links: UnsafeMutablePointer<(previous: Int32, next: Int32)>
    private var capacity = 256
    private var linkCapacity = 256
    package var count = 0
    package var heap: [UInt64] = []
    /// For tokens that are made but may not be used: where the merge that made them lies.
    package var splits: [UInt32: UInt32] = [:]

    init() {
        symbols = .allocate(capacity: capacity)
        values = .allocate(capacity: capacity)
        links = .allocate(capacity: linkCapacity)
    }

    func deallocate() {
        symbols.deallocate()
        values.deallocate()
        links.deallocate()
    }

    /// Begins a piece of at most `most` symbols.
    package mutating func begin(_ most: Int) {
        count = 0
        if most <= capacity { return }
        symbols.deallocate()
        values.deallocate()
        capacity = most * 2
        symbols = .allocate(capacity: capacity)
        values = .allocate(capacity: capacity)
    }

    package mutating func reserveLinks() {
        if count <= linkCapacity { return }
        links.deallocate()
        linkCapacity = count * 2
        links = .allocate(capacity: linkCapacity)
    }

    @inline(__always)
    package mutating func append(id: UInt32, start: Int, length: Int) {
        symbols[count] = MergeSymbol(
            id: id, start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: length))
        count &+= 1
    }

    /// Gives back what a very long piece has taken.
    mutating func shrink() {
        guard capacity > 1 << 18 || linkCapacity > 1 << 18 || heap.capacity > 1 << 18 else { return }
        deallocate()
        self = MergeWorkspace()
    }
}
