/// The sizes of one attention and which keys each query sees.
///
/// Queries and outputs are `[heads, queries, width]`, keys and values `[kvHeads, keys, width]`; head h reads the keys
/// and values of head h / (heads / kvHeads). The queries are the last of the sequence: query i stands at position
/// i + keys - queries.
public struct AttentionShape: Hashable, Sendable {
    public var heads: Int
    /// Heads of keys and values, a divisor of `heads`: as many in plain attention, one in multi-query attention.
    public var kvHeads: Int
    public var queries: Int
    public var keys: Int
    /// Numbers a head, d.
    public var width: Int
    /// Whether a query sees the keys up to its own position only.
    public var isCausal: Bool
    /// Maximum number of keys a query sees, ending at its own position; `nil` for all. Implies causality.
    public var window: Int?
    /// What scores are multiplied with before the exponential.
    public var scale: Float

    /// - Parameters:
    ///   - kvHeads: `heads` where none is given.
    ///   - keys: `queries` where none is given.
    ///   - scale: 1 / √width where none is given.
    public init(
        heads: Int = 1, kvHeads: Int? = nil, queries: Int, keys: Int? = nil, width: Int, isCausal: Bool = false,
        window: Int? = nil, scale: Float? = nil
    ) {
        self.heads = heads
        self.kvHeads = kvHeads ?? heads
        self.queries = queries
        self.keys = keys ?? queries
        self.width = width
        self.isCausal = isCausal
        self.window = window
        self.scale = scale ?? 1 / Float(max(width, 1)).squareRoot()
    }

    /// The keys that a query sees; empty if it stands before the first.
    public func visibleKeys(query: Int) -> Range<Int> {
        guard isCausal || window != nil else { return 0..<keys }
        let end = max(0, query + keys - queries + 1)
        return max(0, end - (window ?? end))..<end
    }

    /// The pairs of query and key in one head that are seen: queries × keys without a mask.
    public var visiblePairs: Int {
        guard isCausal || window != nil else { return queries * keys }
        // Queries at positions p = 0, 1, ... see min(p + 1, window) keys each; the first of them may stand later.
        let before = max(0, keys - queries)
        return pairs(ofFirst: keys) - pairs(ofFirst: before)
    }

    private func pairs(ofFirst count: Int) -> Int {
        let growing = min(count, window ?? count)
        return growing * (growing + 1) / 2 + (count - growing) * growing
    }

    /// - Throws: `KernelError.shape` in words of the caller.
    func check(_ operation: String) throws(KernelError) {
        func fail(_ problem: String) -> KernelError { .shape(operation: operation, problem: problem) }
        let limit = 1 << 30
        let sizes = [
            ("heads", heads), ("kvHeads", kvHeads), ("queries", queries), ("keys", keys), ("width", width),
            ("window", window ?? 1),
        ]
        for (name, size) in sizes where !(1...limit).contains(size) {
            throw fail("\(name)=\(size) is outside 1...\(limit)")
        }
        guard heads % kvHeads == 0 else {
            throw fail(
                "\(heads) heads cannot share \(kvHeads) key and value heads evenly")
        }
        guard scale.isFinite else { throw fail("the scale \(scale) is not a finite number") }
    }
}
