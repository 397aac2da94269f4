/// Keys and values of one layer of one sequence, in pages that need not be side by side.
///
/// Page p holds positions p · pageSize ..< (p + 1) · pageSize. Within it keys are `[kvHeads, keyWidth, pageSize]`, so
/// that the keys which a vector of scores needs lie side by side, and values are `[kvHeads, pageSize, valueWidth]`;
/// both float32. `PagedAttention.append` writes them. The owner keeps the pages while the value is used.
public struct PagedKeyValues: @unchecked Sendable {  // pages that one sequence writes
    public var keys: [UnsafeMutablePointer<Float>]
    public var values: [UnsafeMutablePointer<Float>]
    /// Positions of a page: a multiple of `pageUnit`.
    public var pageSize: Int
    public var kvHeads: Int
    public var keyWidth: Int
    public var valueWidth: Int

    /// Pages hold whole vectors of keys.
    public static let pageUnit = 32

    public init(
        keys: [UnsafeMutablePointer<Float>], values: [UnsafeMutablePointer<Float>], pageSize: Int, kvHeads: Int,
        keyWidth: Int, valueWidth: Int
    ) {
        self.keys = keys
        self.values = values
        self.pageSize = pageSize
        self.kvHeads = kvHeads
        self.keyWidth = keyWidth
        self.valueWidth = valueWidth
    }

    /// Numbers of a page's keys, and of its values.
    public var floatsPerPage: (keys: Int, values: Int) {
        (kvHeads * keyWidth * pageSize, kvHeads * valueWidth * pageSize)
    }

    /// One key, gathered: `[keyWidth]`. For looking at, not for speed.
    public func key(head: Int, position: Int) -> [Float] {
        let line = keys[position / pageSize] + head * keyWidth * pageSize + position % pageSize
        return (0..<keyWidth).map { line[$0 * pageSize] }
    }

    /// One value: `[valueWidth]`, where it lies.
    public func value(head: Int, position: Int) -> UnsafeBufferPointer<Float> {
        let row = values[position / pageSize] + (head * pageSize + position % pageSize) * valueWidth
        return UnsafeBufferPointer(start: row, count: valueWidth)
    }
}
