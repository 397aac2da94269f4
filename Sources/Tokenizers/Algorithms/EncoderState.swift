/// The memory that encoding works in: tokens found so far, a cache of pieces, and the symbols of the piece at hand.
///
/// One state serves one call at a time; a tokenizer keeps a few, so that nothing is allocated once they have grown.
package struct EncoderState: ~Copyable {
    /// A stretch of the text that a token stands for.
    package struct Span: Sendable {
        package var start: Int
        package var end: Int
    }

    package private(set) var ids: UnsafeMutablePointer<TokenID>
    package private(set) var capacity: Int
    package var count = 0
    /// Whether to record `spans` in addition to the ids.
    package var tracksSpans = false
    package var spans: [Span] = []
    package var merging = MergeWorkspace()
    package var lattice: [LatticeNode] = []
    package let cache: PieceCache
    /// Of each token, whether merging its own text is known to give it: 0 not yet, 1 yes, 2 no. Empty before its first
    /// use.
    package var ownMerges: [UInt8] = []

    package init() {
        capacity = 4096
        ids = .allocate(capacity: capacity)
        cache = PieceCache()
    }

    deinit {
        ids.deallocate()
        cache.deallocate()
        merging.deallocate()
    }

    /// Forgets the tokens, and memory that a very long text has left behind.
    package mutating func reset() {
        count = 0
        spans.removeAll(keepingCapacity: spans.capacity < 1 << 18)
        if capacity > 1 << 20 {
            ids.deallocate()
            capacity = 4096
            ids = .allocate(capacity: capacity)
        }
        if lattice.capacity > 1 << 18 { lattice = [] }
        merging.shrink()
    }

    /// Makes room for `more` tokens.
    @inline(__always)
    package mutating func reserve(_ more: Int) {
        if count &+ more > capacity { grow(more) }
    }

    private mutating func grow(_ more: Int) {
        let larger = max(capacity * 2, count + more)
        let moved = UnsafeMutablePointer<TokenID>.allocate(capacity: larger)
        moved.moveInitialize(from: ids, count: count)
        ids.deallocate()
        ids = moved
        capacity = larger
    }

    /// Appends a token that stands for `length` bytes from `start` of the text that the model was given.
    @inline(__always)
    package mutating func append(_ id: TokenID, start: Int, length: Int) {
        reserve(1)
        ids[count] = id
        count &+= 1
        if tracksSpans { spans.append(Span(start: start, end: start &+ length)) }
    }

    /// Whether merging the text of a token is known to give it.
    package mutating func mergesToItself(_ id: TokenID, _ vocabularySize: Int) -> Bool {
        if ownMerges.isEmpty { ownMerges = [UInt8](repeating: 0, count: vocabularySize) }
        return ownMerges[Int(id)] == 1
    }

    /// The tokens as an array.
    package func copiedIDs() -> [TokenID] { Array(UnsafeBufferPointer(start: ids, count: count)) }
}
