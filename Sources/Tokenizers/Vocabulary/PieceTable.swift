internal import Glibc

/// Byte strings by id and ids by byte string, the latter by open addressing: no string is allocated for either.
package final class PieceTable: @unchecked Sendable {
    // Sendable: nothing is written after the initializer.
    package let count: Int
    /// All strings one after the other; 16 readable bytes follow the last.
    package let bytes: UnsafePointer<UInt8>
    /// Where each begins; one more ends the last.
    package let starts: UnsafePointer<UInt32>
    /// The longest string in bytes.
    package let longest: Int
    /// `hash tag << 32 | id + 1`; 0 is empty.
    private let slots: UnsafeMutablePointer<UInt64>
    private let mask: Int
    private let seeds = ByteHash.seeds

    /// A table of `strings`, of which those with a true `isKey` are found by their bytes, the last of equal ones.
    package init(_ strings: ByteStrings, isKey: (Int) -> Bool = { _ in true }) {
        count = strings.count
        let total = strings.bytes.count
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: total + 16)
        strings.bytes.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { bytes.initialize(from: base, count: total) }
        }
        (bytes + total).initialize(repeating: 0, count: 16)
        let starts = UnsafeMutablePointer<UInt32>.allocate(capacity: count + 1)
        var longest = 0
        for index in 0..<count {
            let range = strings.range(index)
            (starts + index).initialize(to: UInt32(range.lowerBound))
            longest = max(longest, range.count)
        }
        (starts + count).initialize(to: UInt32(total))
        var capacity = 16
        while capacity < count * 2 { capacity *= 2 }
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: 0, count: capacity)
        self.bytes = UnsafePointer(bytes)
        self.starts = UnsafePointer(starts)
        self.longest = longest
        mask = capacity - 1
        for index in 0..<count where isKey(index) { insert(index) }
    }

    deinit {
        bytes.deallocate()
        starts.deallocate()
        slots.deallocate()
    }

    private func insert(_ id: Int) {
        let start = bytes + Int(starts[id])
        let length = length(id)
        let hash = ByteHash.hash(start, length, seeds: seeds)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] >> 32 == hash >> 32, matches(slots[slot], start, length) { break }
            slot = (slot &+ 1) & mask
        }
        slots[slot] = (hash >> 32) << 32 | UInt64(id + 1)
    }

    @inline(__always)
    private func matches(_ entry: UInt64, _ string: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let id = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1
        let start = Int(starts[id])
        return Int(starts[id &+ 1]) &- start == length && memcmp(bytes + start, string, length) == 0
    }

    /// Returns the id of a string; -1 if there is none. O(length).
    @inline(__always)
    package func find(_ string: UnsafePointer<UInt8>, _ length: Int) -> TokenID {
        if length > longest { return -1 }
        let hash = ByteHash.hash(string, length, seeds: seeds)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let entry = slots[slot]
            if entry == 0 { return -1 }
            if entry >> 32 == hash >> 32, matches(entry, string, length) {
                return TokenID(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1
            }
            slot = (slot &+ 1) & mask
        }
    }

    package func find(_ string: [UInt8]) -> TokenID {
        string.withUnsafeBufferPointer { buffer in buffer.baseAddress.map { find($0, buffer.count) } ?? find(bytes, 0) }
    }

    package func find(_ string: String) -> TokenID {
        var string = string
        return string.withUTF8 { buffer in buffer.baseAddress.map { find($0, buffer.count) } ?? find(bytes, 0) }
    }

    @inline(__always)
    package func length(_ id: Int) -> Int { Int(starts[id &+ 1] &- starts[id]) }

    /// The bytes of an id, valid as long as the table.
    @inline(__always)
    package subscript(id: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Int(starts[id]), count: length(id))
    }
}
