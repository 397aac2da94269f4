/// The queries of one attention over pages, and which keys each query sees.
///
/// Queries are `[queries, heads, keyWidth]`, outputs `[queries, heads, valueWidth]`; head h reads the keys and values of
/// head h / (heads / kvHeads). Query i stands at position `firstPosition` + i.
public struct PagedAttentionShape: Hashable, Sendable {
    public var heads: Int
    /// Heads of keys and values, a divisor of `heads`.
    public var kvHeads: Int
    public var queries: Int
    /// The position of query 0.
    public var firstPosition: Int
    /// Positions that hold keys and values, those of the queries included.
    public var length: Int
    /// What scores are multiplied with before anything else.
    public var scale: Float
    /// Whether a query sees no position after its own.
    public var isCausal: Bool
    /// Maximum number of positions a query sees, ending at its own; `nil` for all. Implies causality.
    public var window: Int?
    /// Scores become c · tanh(score / c) (Gemma 2); `nil` if they stay.
    public var softcap: Float?
    /// One for each head: scores get slope · (position of the key - position of the query); `nil` if they stay.
    ///
    /// - Source: Press, Smith, Lewis, Train Short, Test Long, ICLR 2022, section 3.
    public var alibiSlopes: [Float]?

    /// - Parameter length: `firstPosition` + `queries` where none is given.
    public init(
        heads: Int, kvHeads: Int, queries: Int, firstPosition: Int, length: Int? = nil, scale: Float,
        isCausal: Bool = true, window: Int? = nil, softcap: Float? = nil, alibiSlopes: [Float]? = nil
    ) {
        self.heads = heads
        self.kvHeads = kvHeads
        self.queries = queries
        self.firstPosition = firstPosition
        self.length = length ?? firstPosition + queries
        self.scale = scale
        self.isCausal = isCausal
        self.window = window
        self.softcap = softcap
        self.alibiSlopes = alibiSlopes
    }

    /// The positions that a query sees; empty if there is none.
    public func visiblePositions(query: Int) -> Range<Int> {
        guard isCausal || window != nil else { return 0..<length }
        let after = firstPosition + query + 1
        let first = window.map { max(0, after - $0) } ?? 0
        return first..<max(first, min(length, after))
    }

    /// Multiplications and additions of both products, about: used to decide whether threads are worth waking.
    func products(keyWidth: Int, valueWidth: Int) -> Int {
        let seen = visiblePositions(query: queries / 2).count
        return heads * queries * seen * (keyWidth + valueWidth)
    }

    /// - Throws: `KernelError.shape` in words of the caller.
    func check(_ pages: PagedKeyValues) throws(KernelError) {
        func fail(_ problem: String) -> KernelError { .shape(operation: "paged attention", problem: problem) }
        let limit = 1 << 30
        let sizes = [
            ("heads", heads), ("kvHeads", kvHeads), ("queries", queries), ("length", length),
            ("window", window ?? 1), ("keyWidth", pages.keyWidth), ("valueWidth", pages.valueWidth),
        ]
        for (name, size) in sizes where !(1...limit).contains(size) {
            throw fail("\(name)=\(size) is outside 1...\(limit)")
        }
        guard (0...limit).contains(firstPosition) else { throw fail("firstPosition=\(firstPosition) is out of range") }
        guard kvHeads == pages.kvHeads else {
            throw fail("the pages have \(pages.kvHeads) key heads, not \(kvHeads)")
        }
        guard heads % kvHeads == 0 else {
            throw fail(
                "\(heads) heads cannot share \(kvHeads) key and value heads evenly")
        }
        try pages.check(positions: length)
        guard scale.isFinite else { throw fail("the scale \(scale) is not a finite number") }
        if let softcap {
            guard softcap > 0, softcap.isFinite else { throw fail("the softcap \(softcap) must be finite and above 0") }
        }
        if let alibiSlopes, alibiSlopes.count != heads {
            throw fail("there are \(alibiSlopes.count) slopes for \(heads) heads")
        }
    }
}

extension PagedKeyValues {
    /// - Throws: `KernelError.shape` where the pages are of an odd size or too few.
    func check(positions: Int) throws(KernelError) {
        func fail(_ problem: String) -> KernelError { .shape(operation: "paged attention", problem: problem) }
        guard pageSize > 0, pageSize % Self.pageUnit == 0 else {
            throw fail("the page size \(pageSize) is not a multiple of \(Self.pageUnit)")
        }
        let needed = (positions + pageSize - 1) / pageSize
        guard keys.count >= needed, values.count >= needed else {
            throw fail("\(positions) positions need \(needed) pages, but there are \(min(keys.count, values.count))")
        }
    }
}
