/// A set of slots, a bit each.
public struct SlotSet: Hashable, Sendable {
    public private(set) var words: [UInt64]
    /// Number of slots in the set.
    public private(set) var count = 0

    /// - Parameter capacity: Slots below it can be in the set without growing.
    public init(capacity: Int = 0) {
        words = [UInt64](repeating: 0, count: (max(capacity, 0) + 63) >> 6)
    }

    @inlinable
    public func contains(_ slot: Int) -> Bool {
        let word = slot >> 6
        return word < words.count && words[word] >> (UInt64(slot) & 63) & 1 == 1
    }

    /// - Returns: Whether it was not in the set before.
    @discardableResult
    public mutating func insert(_ slot: Int) -> Bool {
        let word = slot >> 6
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        let bit: UInt64 = 1 << (UInt64(slot) & 63)
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        count += 1
        return true
    }

    /// - Returns: Whether it was in the set.
    @discardableResult
    public mutating func remove(_ slot: Int) -> Bool {
        let word = slot >> 6
        guard contains(slot) else { return false }
        words[word] &= ~(1 << (UInt64(slot) & 63))
        count -= 1
        return true
    }

    /// Calls `body` with every slot, lowest first.
    @inlinable
    public func forEach(_ body: (Int) -> Void) {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                body(index << 6 | rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
