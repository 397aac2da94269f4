/// The largest numbers of a row, in a heap with the smallest of them as its root.
///
/// Of equal numbers those of lower index stay. A pass looks at sixteen numbers at once and stops only where one of them
/// is above the root: O(n + k log k · log(n / k)) on random rows.
struct LargestOfRow {
    private let capacity: Int
    private var values: UnsafeMutablePointer<Float>
    private var indices: UnsafeMutablePointer<Int32>
    private(set) var count = 0
    private var floor: Float

    /// - Parameters:
    ///   - memory: Buffer for `capacity` numbers and as many indices.
    ///   - floor: What a number must be above of to be kept at all.
    init(
        _ capacity: Int, above floor: Float, values: UnsafeMutablePointer<Float>,
        indices: UnsafeMutablePointer<Int32>
    ) {
        self.capacity = capacity
        self.values = values
        self.indices = indices
        self.floor = floor
    }

    /// Looks at z, or at z + bias; NaN is above nothing.
    mutating func scan(_ z: UnsafePointer<Float>, plus bias: UnsafePointer<Float>?, count n: Int) {
        guard capacity > 0 else { return }
        raiseFloor(z, bias, n)
        var i = 0
        while i + 16 <= n {
            var block = UnsafeRawPointer(z + i).loadUnaligned(as: SIMD16<Float>.self)
            if let bias { block += UnsafeRawPointer(bias + i).loadUnaligned(as: SIMD16<Float>.self) }
            if any(block .> floor) {
                for index in i..<i + 16 { offer(z, bias, index) }
            }
            i += 16
        }
        while i < n {
            offer(z, bias, i)
            i += 1
        }
    }

    /// Raises what a number must be above of by the largest of groups: where k groups reach a number, the k-th largest
    /// of all does too, and few others have to be looked at.
    private mutating func raiseFloor(_ z: UnsafePointer<Float>, _ bias: UnsafePointer<Float>?, _ n: Int) {
        let groups = (4 * capacity + 15) / 16 * 16
        let length = n / groups
        guard length >= 4, count == 0 else { return }
        let given = floor
        withUnsafeTemporaryAllocation(of: Float.self, capacity: groups) { largest in
            for part in 0..<groups / 16 {
                var most = SIMD16<Float>(repeating: -.infinity)
                for step in 0..<length {
                    let i = (part * length + step) * 16
                    var block = UnsafeRawPointer(z + i).loadUnaligned(as: SIMD16<Float>.self)
                    if let bias { block += UnsafeRawPointer(bias + i).loadUnaligned(as: SIMD16<Float>.self) }
                    most.replace(with: block, where: block .> most)
                }
                UnsafeMutableRawPointer(largest.baseAddress! + 16 * part).storeBytes(of: most, as: SIMD16<Float>.self)
            }
            for group in 0..<groups where largest[group] > floor { insert(largest[group], Int32(group)) }
        }
        // What equals the k-th largest has to pass, so that ties go by index.
        floor = count == capacity ? max(given, values[0].nextDown) : given
        count = 0
    }

    @inline(__always)
    private mutating func offer(_ z: UnsafePointer<Float>, _ bias: UnsafePointer<Float>?, _ index: Int) {
        let value = z[index] + (bias?[index] ?? 0)
        if value > floor { insert(value, Int32(truncatingIfNeeded: index)) }
    }

    /// The kept ones by index.
    func sortedByIndex() -> [(index: Int32, value: Float)] { kept.sorted { $0.index < $1.index } }

    /// The kept ones, largest first, ties by index.
    func sortedByValue() -> [(index: Int32, value: Float)] {
        kept.sorted { $0.value == $1.value ? $0.index < $1.index : $0.value > $1.value }
    }

    private var kept: [(index: Int32, value: Float)] { (0..<count).map { (indices[$0], values[$0]) } }

    /// Whether the element at `a` goes before that at `b`: smaller, or equal and of higher index.
    private func goesFirst(_ a: Int, _ b: Int) -> Bool {
        values[a] < values[b] || (values[a] == values[b] && indices[a] > indices[b])
    }

    private mutating func insert(_ value: Float, _ index: Int32) {
        if count < capacity {
            (values[count], indices[count]) = (value, index)
            count += 1
            var child = count - 1
            while child > 0, goesFirst(child, (child - 1) / 2) {
                swap(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        } else {
            (values[0], indices[0]) = (value, index)
            var parent = 0
            while true {
                var least = parent
                let left = 2 * parent + 1
                if left < count, goesFirst(left, least) { least = left }
                if left + 1 < count, goesFirst(left + 1, least) { least = left + 1 }
                if least == parent { break }
                swap(least, parent)
                parent = least
            }
        }
        if count == capacity { floor = values[0] }
    }

    private func swap(_ a: Int, _ b: Int) {
        (values[a], values[b]) = (values[b], values[a])
        (indices[a], indices[b]) = (indices[b], indices[a])
    }
}

extension LargestOfRow {
    /// The `k` largest of a row, largest first, ties by index.
    static func of(_ row: UnsafePointer<Float>, count: Int, k: Int) -> [(index: Int32, value: Float)] {
        let k = max(0, min(k, count))
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: max(k, 1)) { values in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: max(k, 1)) { indices in
                var best = LargestOfRow(
                    k, above: -.infinity, values: values.baseAddress!, indices: indices.baseAddress!)
                best.scan(row, plus: nil, count: count)
                return best.sortedByValue()
            }
        }
    }
}
