/// Returns a number for each cluster name, starting at 0 in order of first appearance.
///
/// Each `nil` gets a unique number because its sample belongs to no cluster.
public func clusterNumbers<Name: Hashable>(_ names: [Name?]) -> [Int] {
    var numbers: [Name: Int] = [:]
    var next = 0
    return names.map { name in
        if let name, let known = numbers[name] { return known }
        defer { next += 1 }
        if let name { numbers[name] = next }
        return next
    }
}

/// Sums per cluster, in order of first appearance.
struct ClusterSums {
    /// Index into `totals` for each value.
    let places: [Int]
    var totals: [Double]

    init(_ numbers: some Collection<Int>) {
        var order: [Int] = []
        order.reserveCapacity(numbers.count)
        var next = 0
        let largest = numbers.max() ?? 0
        if (numbers.min() ?? 0) >= 0, largest < 4 * numbers.count + 1024 {
            // Small numbers, the usual result of `clusterNumbers`, need no hash table.
            var known = [Int](repeating: -1, count: largest + 1)
            for number in numbers {
                if known[number] < 0 {
                    known[number] = next
                    next += 1
                }
                order.append(known[number])
            }
        } else {
            var known: [Int: Int] = [:]
            for number in numbers {
                let place = known[number] ?? next
                if place == next {
                    known[number] = place
                    next += 1
                }
                order.append(place)
            }
        }
        places = order
        totals = [Double](repeating: 0, count: next)
    }

    mutating func add(_ value: Double, at place: Int) { totals[places[place]] += value }

    /// Indices of the values in each cluster.
    var members: [[Int]] {
        var members = [[Int]](repeating: [], count: totals.count)
        for (place, cluster) in places.enumerated() { members[cluster].append(place) }
        return members
    }
}
