/// Blocks of memory that are unused, by their size, and for how many callers they are kept.
package struct KeptBlocks {
    private var blocks: [Int: [UnsafeMutableRawPointer]] = [:]
    package private(set) var bytes = 0
    /// The largest that any caller asked for since the first one began.
    private var limit = 0
    private var users = 0

    package init() {}

    package var all: [UnsafeMutableRawPointer] { blocks.values.flatMap { $0 } }

    package mutating func begin(limit: Int) {
        users += 1
        self.limit = max(self.limit, limit)
    }

    /// Whether this was the last caller: nothing is kept any more, and what was is the caller's to free.
    package mutating func end() -> Bool {
        users -= 1
        guard users <= 0 else { return false }
        self = KeptBlocks()
        return true
    }

    /// A block of exactly `count` bytes, owned by the caller.
    package mutating func take(_ bytes: Int) -> UnsafeMutableRawPointer? {
        guard let block = blocks[bytes]?.popLast() else { return nil }
        self.bytes -= bytes
        return block
    }

    /// Whether the block is kept. If reuse is off or the limit is reached, the caller still owns it.
    package mutating func give(_ block: UnsafeMutableRawPointer, _ bytes: Int) -> Bool {
        guard users > 0, self.bytes + bytes <= limit else { return false }
        blocks[bytes, default: []].append(block)
        self.bytes += bytes
        return true
    }
}
