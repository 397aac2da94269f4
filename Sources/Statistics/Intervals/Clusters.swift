/// Numbers from 0 for names of clusters, in the order in which they are met; nil stands alone.
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

/// Sums by cluster, in the order in which clusters are met.
struct ClusterSums {
    /// The place among the totals of each value's cluster.
    let places: [Int]
    var totals: [Double]

    init(_ numbers: some Collection<Int>) {
        var order: [Int] = []
        order.reserveCapacity(numbers.count)
        var next = 0
        let largest = numbers.max() ?? 0
        if (numbers.min() ?? 0) >= 0, largest < 4 * numbers.count + 1024 {
            // Small numbers, as `clusterNumbers` gives them, need no table of hashes.
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

    /// The places of the values of each cluster.
    var members: [[Int]] {
        var members = [[Int]](repeating: [], count: totals.count)
        for (place, cluster) in places.enumerated() { members[cluster].append(place) }
        return members
    }
}
