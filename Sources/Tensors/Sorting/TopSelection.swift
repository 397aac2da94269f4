/// Selects the first k of an order, ties by place, without sorting the rest.
enum TopSelection {
    /// Up to this number are kept in a heap; more are selected by their digits.
    private static let heaped = 1_024

    /// Writes the `k` smallest to `best`, in their order.
    ///
    /// - Parameters:
    ///   - spare: memory for `k` elements.
    ///   - counts: memory for `RadixSort.counters`.
    @specialized(where Key == UInt32)
    @specialized(where Key == UInt64)
    static func smallest<Key: SortKey>(
        _ k: Int, of keys: UnsafePointer<Key>, _ count: Int, into best: UnsafeMutablePointer<Ranked<Key>>,
        spare: UnsafeMutablePointer<Ranked<Key>>, counts: UnsafeMutablePointer<Int>
    ) {
        guard k > 0 else { return }
        if k <= heaped, k < count {
            var heap = Heap(best, capacity: k)
            for index in 0..<count { heap.offer(keys[index], UInt32(truncatingIfNeeded: index)) }
            heap.sort()
        } else {
            collect(k, keys, count, best, counts)
            RadixSort.sort(best, k, spare: spare, counts: counts)
        }
    }

    /// Those below the key of rank k, and of those equal to it the first.
    @inline(__always)
    private static func collect<Key: SortKey>(
        _ k: Int, _ keys: UnsafePointer<Key>, _ count: Int, _ best: UnsafeMutablePointer<Ranked<Key>>,
        _ counts: UnsafeMutablePointer<Int>
    ) {
        let (bound, smaller) = RadixSelection.select(keys, count, rank: k - 1, counts: counts)
        var equal = k - smaller
        var found = 0
        for index in 0..<count where keys[index] <= bound {
            if keys[index] == bound {
                if equal == 0 { continue }
                equal &-= 1
            }
            best[found] = Ranked(key: keys[index], index: UInt32(truncatingIfNeeded: index))
            found &+= 1
        }
    }

    /// The k largest of contiguous floats, NaN above all: a pass of comparisons, eight at a time, in which few elements
    /// are good enough to be looked at.
    static func largest(
        _ k: Int, of values: UnsafePointer<Float>, _ count: Int, into best: UnsafeMutablePointer<Ranked<UInt32>>
    ) -> Bool {
        guard k > 0, k <= heaped, k < count else { return false }
        var heap = Heap(best, capacity: k)
        for index in 0..<k { heap.offer(~UInt32(sorting: values[index]), UInt32(truncatingIfNeeded: index)) }
        var index = k
        let width = 32
        while index + width <= count {
            let block = UnsafeRawPointer(values + index)
            let bound = SIMD8<Float>(repeating: heap.worstNumber)
            // Not "greater": a NaN is neither, and must be looked at.
            let a = block.loadUnaligned(fromByteOffset: 0, as: SIMD8<Float>.self) .<= bound
            let b = block.loadUnaligned(fromByteOffset: 32, as: SIMD8<Float>.self) .<= bound
            let c = block.loadUnaligned(fromByteOffset: 64, as: SIMD8<Float>.self) .<= bound
            let d = block.loadUnaligned(fromByteOffset: 96, as: SIMD8<Float>.self) .<= bound
            if !all(a .& b .& c .& d) {
                for place in index..<index + width {
                    heap.offer(~UInt32(sorting: values[place]), UInt32(truncatingIfNeeded: place))
                }
            }
            index += width
        }
        while index < count {
            heap.offer(~UInt32(sorting: values[index]), UInt32(truncatingIfNeeded: index))
            index += 1
        }
        heap.sort()
        return true
    }
}

/// The best of what was offered, the worst of them on top.
private struct Heap<Key: SortKey> {
    let elements: UnsafeMutablePointer<Ranked<Key>>
    let capacity: Int
    private var count = 0

    init(_ elements: UnsafeMutablePointer<Ranked<Key>>, capacity: Int) {
        self.elements = elements
        self.capacity = capacity
    }

    /// Takes an element if there is room or a worse one; places must be offered in ascending order.
    @inline(__always)
    mutating func offer(_ key: Key, _ index: UInt32) {
        if count == capacity {
            // A later place loses against an equal key.
            guard key < elements[0].key else { return }
            sink(Ranked(key: key, index: index), count)
        } else {
            elements[count] = Ranked(key: key, index: index)
            count &+= 1
            if count == capacity { heapify() }
        }
    }

    private func heapify() {
        for root in stride(from: count / 2 - 1, through: 0, by: -1) { sink(elements[root], count, from: root) }
    }

    /// The best first: the worst goes to the end, again and again.
    mutating func sort() {
        while count > 1 {
            count -= 1
            let last = elements[count]
            elements[count] = elements[0]
            sink(last, count)
        }
    }

    private func sink(_ element: Ranked<Key>, _ count: Int, from root: Int = 0) {
        var place = root
        while true {
            var child = 2 &* place &+ 1
            guard child < count else { break }
            if child &+ 1 < count, elements[child] < elements[child &+ 1] { child &+= 1 }
            guard element < elements[child] else { break }
            elements[place] = elements[child]
            place = child
        }
        elements[place] = element
    }
}

extension Heap where Key == UInt32 {
    /// The float whose turned key is on top: what does not exceed it cannot enter. NaN keeps everything out by value,
    /// so that all are looked at, which is right if slow.
    var worstNumber: Float {
        let key = ~elements[0].key
        return key == .max ? .nan : Float(bitPattern: key >> 31 == 1 ? key ^ 1 << 31 : ~key)
    }
}
