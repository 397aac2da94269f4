/// Sorts by the digits of a key, the last one first; what is equal keeps its order.
///
/// A digit is a byte: its 256 counters stay in the first cache. One pass counts all digits; a digit that all keys share
/// is not moved by. O(n) for a kind of key, whatever the order of the elements.
enum RadixSort {
    /// Below, moving each element to its place is faster than counting.
    private static let few = 48

    /// Counters of all digits of a key of 64 bits.
    static let counters = 256 * 8

    /// - Parameters:
    ///   - spare: memory for as many elements again.
    ///   - counts: memory for `counters`. It is the caller's, because the compiler (6.3) breaks functions that are
    ///     marked `@specialized` and hand a closure to `withUnsafeTemporaryAllocation`.
    @specialized(where Key == UInt32)
    @specialized(where Key == UInt64)
    static func sort<Key: SortKey>(
        _ elements: UnsafeMutablePointer<Ranked<Key>>, _ count: Int, spare: UnsafeMutablePointer<Ranked<Key>>,
        counts: UnsafeMutablePointer<Int>
    ) {
        guard count > few else {
            insert(elements, count)
            return
        }
        let digits = Key.bitWidth / 8
        counts.update(repeating: 0, count: 256 * digits)
        for index in 0..<count {
            var key = elements[index].key
            for digit in 0..<digits {
                counts[digit &<< 8 | Int(truncatingIfNeeded: key & 255)] &+= 1
                key = key &>> 8
            }
        }
        var isMoved = false
        for digit in 0..<digits {
            let (source, target) = isMoved ? (spare, elements) : (elements, spare)
            if move(source, target, count, counts + 256 * digit, shift: Key(8 * digit)) { isMoved.toggle() }
        }
        if isMoved { elements.update(from: spare, count: count) }
    }

    /// Moves all elements to where the counts of one digit put them; false if all share it.
    @inline(__always)
    private static func move<Key: SortKey>(
        _ source: UnsafeMutablePointer<Ranked<Key>>, _ target: UnsafeMutablePointer<Ranked<Key>>, _ count: Int,
        _ counts: UnsafeMutablePointer<Int>, shift: Key
    ) -> Bool {
        var place = 0
        for value in 0..<256 {
            let size = counts[value]
            if size == count { return false }
            counts[value] = place
            place &+= size
        }
        for index in 0..<count {
            let element = source[index]
            let digit = Int(truncatingIfNeeded: element.key &>> shift & 255)
            target[counts[digit]] = element
            counts[digit] &+= 1
        }
        return true
    }

    @inline(__always)
    private static func insert<Key: SortKey>(_ elements: UnsafeMutablePointer<Ranked<Key>>, _ count: Int) {
        guard count > 1 else { return }
        for index in 1..<count {
            let element = elements[index]
            var place = index
            while place > 0, element.key < elements[place &- 1].key {
                elements[place] = elements[place &- 1]
                place &-= 1
            }
            elements[place] = element
        }
    }
}

/// Finds the key of a rank without sorting: digit by digit from the first, counting those that begin alike.
enum RadixSelection {
    private static let digitBits = 8

    /// Whether a key of a floating-point number is that of NaN.
    @specialized(where Key == UInt32)
    @specialized(where Key == UInt64)
    static func hasNaN<Key: SortKey>(_ keys: UnsafePointer<Key>, _ count: Int) -> Bool {
        var largest: Key = 0
        for index in 0..<count { largest = max(largest, keys[index]) }
        return largest == .max
    }

    /// The key that would be at `rank`, from 0, were they sorted, and how many are smaller. O(n) for a kind of key.
    @specialized(where Key == UInt32)
    @specialized(where Key == UInt64)
    static func select<Key: SortKey>(
        _ keys: UnsafePointer<Key>, _ count: Int, rank: Int, counts: UnsafeMutablePointer<Int>
    ) -> (key: Key, smaller: Int) {
        var prefix: Key = 0
        var known: Key = 0
        var smaller = 0
        var shift = Key.bitWidth - digitBits
        while shift >= 0 {
            counts.update(repeating: 0, count: 1 << digitBits)
            for index in 0..<count where keys[index] & known == prefix {
                counts[Int(truncatingIfNeeded: keys[index] &>> Key(shift)) & 255] &+= 1
            }
            var digit = 0
            while smaller + counts[digit] <= rank {
                smaller += counts[digit]
                digit += 1
            }
            prefix |= Key(digit) &<< Key(shift)
            known |= Key(255) &<< Key(shift)
            shift -= digitBits
        }
        return (prefix, smaller)
    }
}
