/// A hash of a few bytes: two multiplications to 128 bits, folded (the construction of wyhash).
///
/// The seed is random in each process, so a crafted vocabulary cannot cause collisions. It affects only the position of
/// an entry in a table.
package enum ByteHash {
    /// Odd numbers without a pattern; which they are does not matter.
    package static let seeds = (UInt64.random(in: 0 ... .max) | 1, UInt64.random(in: 0 ... .max) | 1)

    @inline(__always)
    package static func folded(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = first.multipliedFullWidth(by: second)
        return product.high ^ product.low
    }

    /// The hash of `count` bytes. O(count).
    @inline(__always)
    package static func hash(_ bytes: UnsafePointer<UInt8>, _ count: Int, seeds: (UInt64, UInt64)) -> UInt64 {
        let raw = UnsafeRawPointer(bytes)
        var state = seeds.0 ^ UInt64(truncatingIfNeeded: count)
        var offset = 0
        while count &- offset > 16 {
            let first = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let second = raw.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
            state = folded(first ^ seeds.1, second ^ state)
            offset &+= 16
        }
        let left = count &- offset
        let first: UInt64
        let second: UInt64
        if left >= 8 {
            first = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            second = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else if left >= 4 {
            first = UInt64(raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            second = UInt64(raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else if left > 0 {
            first =
                UInt64(bytes[offset]) << 16 | UInt64(bytes[offset &+ left >> 1]) << 8 | UInt64(bytes[count &- 1])
            second = 0
        } else {
            first = 0
            second = 0
        }
        return folded(first ^ seeds.1, second ^ state)
    }
}
