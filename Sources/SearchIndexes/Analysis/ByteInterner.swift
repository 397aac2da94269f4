internal import Glibc
internal import Hashing

/// Gives every different byte string a number, in the order in which they appear.
///
/// An open hash table of numbers over an arena of bytes: no object a string.
struct ByteInterner: ~Copyable {
    private struct Entry {
        var offset: UInt32
        var count: UInt32
    }

    /// Hash (high half) and number + 1 (low half); 0 is free.
    private var slots: UnsafeMutablePointer<UInt64>
    private var mask: Int
    private var entries: [Entry] = []
    private var arena: UnsafeMutablePointer<UInt8>
    private var used = 0
    private var capacity: Int

    init(capacity: Int = 1 << 10) {
        mask = capacity - 1
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: 0, count: capacity)
        self.capacity = capacity << 3
        arena = .allocate(capacity: self.capacity)
    }

    deinit {
        slots.deallocate()
        arena.deallocate()
    }

    var count: Int { entries.count }
    /// Memory that it holds.
    var byteCount: Int { (mask + 1) << 3 + capacity + entries.capacity << 3 }

    /// The bytes of a number, valid until the next is added.
    subscript(number: Int) -> UnsafeBufferPointer<UInt8> {
        let entry = entries[number]
        return UnsafeBufferPointer(start: arena + Int(entry.offset), count: Int(entry.count))
    }

    /// Returns the number of a byte string, a new one where it is not known yet.
    mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let hash = Self.hash(bytes)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let found = slots[slot]
            if found == 0 { break }
            if found >> 32 == hash {
                let number = Int(found & 0xFFFF_FFFF) - 1
                let entry = entries[number]
                if Int(entry.count) == bytes.count,
                    bytes.count == 0 || memcmp(arena + Int(entry.offset), bytes.baseAddress!, bytes.count) == 0
                {
                    return number
                }
            }
            slot = (slot + 1) & mask
        }
        let number = entries.count
        append(bytes)
        slots[slot] = hash << 32 | UInt64(number + 1)
        if number << 1 > mask { grow() }
        return number
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if used + bytes.count > capacity {
            let larger = max(capacity << 1, used + bytes.count)
            let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
            moved.update(from: arena, count: used)
            arena.deallocate()
            arena = moved
            capacity = larger
        }
        if let base = bytes.baseAddress { (arena + used).update(from: base, count: bytes.count) }
        entries.append(Entry(offset: UInt32(used), count: UInt32(bytes.count)))
        used += bytes.count
    }

    private mutating func grow() {
        let larger = (mask + 1) << 1
        let moved = UnsafeMutablePointer<UInt64>.allocate(capacity: larger)
        moved.initialize(repeating: 0, count: larger)
        for slot in 0...mask where slots[slot] != 0 {
            var place = Int(slots[slot] >> 32) & (larger - 1)
            while moved[place] != 0 { place = (place + 1) & (larger - 1) }
            moved[place] = slots[slot]
        }
        slots.deallocate()
        slots = moved
        mask = larger - 1
    }

    /// Returns a 32-bit hash, eight bytes per step, by multiplication and folding.
    @inline(__always)
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var state: UInt64 = SplitMix64.gamma ^ UInt64(bytes.count)
        var rest = bytes.count
        guard var next = UnsafeRawPointer(bytes.baseAddress) else { return state >> 32 }
        while rest >= 8 {
            state = mix(state ^ next.loadUnaligned(as: UInt64.self))
            next += 8
            rest -= 8
        }
        if rest >= 4 {
            let high = (next + rest - 4).loadUnaligned(as: UInt32.self)
            state = mix(state ^ (UInt64(next.loadUnaligned(as: UInt32.self)) | UInt64(high) << 32))
        } else if rest > 0 {
            let first = UInt64(next.load(as: UInt8.self))
            let middle = UInt64((next + rest >> 1).load(as: UInt8.self))
            let last = UInt64((next + rest - 1).load(as: UInt8.self))
            state = mix(state ^ (first | middle << 8 | last << 16))
        }
        return state & 0xFFFF_FFFF
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        return product.high ^ product.low
    }
}
