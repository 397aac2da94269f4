public import Kernels
public import Models

/// The keys and values of one sequence, as a table of pages that branches share.
///
/// One thread uses a sequence at a time; sequences of one pool may be used by several threads.
public final class KVSequence: KeyValueSequence {
    public let pool: KVPagePool
    public private(set) var length = 0
    private var table: [KVPagePool.Page] = []
    /// Address of each page by layer, copied only when the table grows, not at every access.
    private var keys: [[UnsafeMutablePointer<Float>]]
    private var values: [[UnsafeMutablePointer<Float>]]

    /// Creates an empty sequence.
    public init(_ pool: KVPagePool) {
        self.pool = pool
        keys = Array(repeating: [], count: pool.layout.layers)
        values = keys
    }

    private init(sharing other: KVSequence) {
        pool = other.pool
        length = other.length
        table = other.table
        keys = other.keys
        values = other.values
        pool.retain(table)
    }

    deinit { pool.release(table) }

    public var pageCount: Int { table.count }

    public func reserve(_ count: Int) throws(ModelError) {
        let layout = pool.layout
        let (end, overflow) = length.addingReportingOverflow(count)
        guard count >= 0, !overflow, end < 1 << 40 else {
            throw ModelError(pool.name, problem: "\(count) more tokens do not fit after \(length)")
        }
        guard count > 0 else { return }
        let first = length / layout.pageSize
        let ownedFrom = min(first, table.count)
        // All that is needed is taken at once, so that a shortage changes nothing.
        let copied = zip(ownedFrom..., pool.owners(table[ownedFrom...])).filter { $0.1 > 1 }.map(\.0)
        let added = max(0, layout.pages(positions: end) - table.count)
        let fresh = try pool.take(copied.count + added)
        for (index, page) in zip(copied, fresh) { replace(index, with: page) }
        for page in fresh.dropFirst(copied.count) { append(page) }
    }

    /// Makes the page private to this sequence before a write; other sequences keep the original page.
    private func replace(_ index: Int, with page: KVPagePool.Page) {
        let layout = pool.layout
        let (from, to) = (pool.memory(table[index]), pool.memory(page))
        if index * layout.pageSize < length { to.update(from: from, count: layout.floatsPerPage) }
        pool.release(CollectionOfOne(table[index]))
        table[index] = page
        for layer in 0..<layout.layers {
            keys[layer][index] = to + layer * layout.floatsPerLayer
            values[layer][index] = to + (layer * layout.floatsPerLayer + layout.keyFloatsPerLayer)
        }
    }

    private func append(_ page: KVPagePool.Page) {
        let (layout, memory) = (pool.layout, pool.memory(page))
        table.append(page)
        for layer in 0..<layout.layers {
            keys[layer].append(memory + layer * layout.floatsPerLayer)
            values[layer].append(memory + (layer * layout.floatsPerLayer + layout.keyFloatsPerLayer))
        }
    }

    public func pages(layer: Int) -> PagedKeyValues {
        let layout = pool.layout
        return PagedKeyValues(
            keys: keys[layer], values: values[layer], pageSize: layout.pageSize, kvHeads: layout.kvHeads,
            keyWidth: layout.keyWidth, valueWidth: layout.valueWidth)
    }

    public func commit(_ count: Int) {
        assert(
            count >= 0 && pool.layout.pages(positions: length + count) <= table.count,
            "commit exceeds the reserved pages")
        length = max(0, min(length + count, table.count * pool.layout.pageSize))
    }

    /// Returns a second sequence with the same positions. It shares all pages, and copies the last page when either one
    /// writes into it. O(pages).
    public func branch() -> KVSequence { KVSequence(sharing: self) }

    /// Forgets the positions from `length` on; pages that hold none any more are given back.
    public func truncate(to length: Int) {
        guard length < self.length || pool.layout.pages(positions: length) < table.count else { return }
        self.length = max(0, min(length, self.length))
        let kept = pool.layout.pages(positions: self.length)
        pool.release(table[kept...])
        table.removeSubrange(kept...)
        for layer in keys.indices {
            keys[layer].removeSubrange(kept...)
            values[layer].removeSubrange(kept...)
        }
    }

    /// Takes another sequence's pages for the first `positions`, which hold the same tokens: two branches that came to
    /// the same text again hold it once. Only whole pages change hands.
    public func rejoin(_ other: KVSequence, positions: Int) {
        guard other !== self, other.pool === pool else { return }
        let whole = min(positions, length, other.length) / pool.layout.pageSize
        for index in 0..<whole where table[index] != other.table[index] {
            pool.retain(CollectionOfOne(other.table[index]))
            pool.release(CollectionOfOne(table[index]))
            table[index] = other.table[index]
            for layer in keys.indices {
                keys[layer][index] = other.keys[layer][index]
                values[layer][index] = other.values[layer][index]
            }
        }
    }

    /// Takes another sequence's pages for the first `positions`, all of them, in place of its own.
    func share(_ other: KVSequence, positions: Int) {
        guard other !== self, other.pool === pool else { return }
        let kept = pool.layout.pages(positions: min(positions, other.length))
        pool.retain(other.table[..<kept])
        pool.release(table)
        table = Array(other.table[..<kept])
        keys = other.keys.map { Array($0[..<kept]) }
        values = other.values.map { Array($0[..<kept]) }
        length = min(positions, other.length)
    }

    /// One page of a sequence, for a screen.
    public struct PageState: Hashable, Sendable {
        /// The page's number in its pool: the same number in two maps is the same page.
        public var page: Int
        /// Sequences that hold it.
        public var owners: Int
        /// Positions that hold something.
        public var filled: Int
    }

    /// The pages in the order of positions.
    public var pageMap: [PageState] {
        zip(table.indices, pool.owners(table)).map { index, owners in
            let filled = max(0, min(pool.layout.pageSize, length - index * pool.layout.pageSize))
            return PageState(page: table[index], owners: owners, filled: filled)
        }
    }
}
