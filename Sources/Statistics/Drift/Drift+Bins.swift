internal import Glibc

extension Drift {
    /// Returns the edges of ceil(log2 n + 1) bins of equal width from the smallest value to the largest.
    ///
    /// A single distinct value gets one bin that extends 0.5 to each side.
    static func sturgesEdges(_ values: [Double]) -> [Double] {
        guard let smallest = values.min(), let largest = values.max(), smallest < largest,
            (largest - smallest).isFinite
        else {
            let value = values.first ?? 0
            return [value - 0.5, value + 0.5]
        }
        let width = (largest - smallest) / (log2(Double(values.count)) + 1)
        let count = min(max(Int(((largest - smallest) / width).rounded(.up)), 1), 4096)
        let step = (largest - smallest) / Double(count)
        return (0..<count).map { smallest + Double($0) * step } + [largest]
    }

    /// Returns the share of values in each bin [edge, next); the last bin includes its upper edge.
    static func shares(_ values: [Double], _ edges: [Double]) -> [Double] {
        var counts = [Int](repeating: 0, count: edges.count - 1)
        for value in values {
            guard let first = edges.first, let last = edges.last, value >= first, value <= last else { continue }
            var (low, high) = (0, edges.count)
            while low < high {
                let middle = (low + high) / 2
                if edges[middle] <= value { low = middle + 1 } else { high = middle }
            }
            counts[min(low, counts.count) - 1] += 1
        }
        return counts.map { Double($0) / Double(values.count) }
    }

    /// Returns the shares of both samples in the deciles of the reference, whose outer edges are infinite.
    static func decileShares(_ reference: [Double], _ current: [Double]) -> ([Double], [Double])? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        let sorted = reference.sorted()
        var edges = (0...10).map { quantile(sorted, Double($0) / 10) }
        edges[0] = -.infinity
        edges[10] = .infinity
        return (shares(reference, edges), shares(current, edges))
    }

    static func categoryShares<Name: Hashable & Comparable>(
        _ reference: [Name], _ current: [Name]
    ) -> ([Double], [Double]) {
        let (r, c) = categoryCounts(reference, current)
        return (r.map { Double($0) / Double(reference.count) }, c.map { Double($0) / Double(current.count) })
    }

    /// Returns the number of occurrences of each name in both samples, sorted by name.
    static func categoryCounts<Name: Hashable & Comparable>(
        _ reference: [Name], _ current: [Name]
    ) -> ([Int], [Int]) {
        var counts: [Name: (Int, Int)] = [:]
        for name in reference { counts[name, default: (0, 0)].0 += 1 }
        for name in current { counts[name, default: (0, 0)].1 += 1 }
        let ordered = counts.sorted { $0.key < $1.key }.map(\.value)
        return (ordered.map(\.0), ordered.map(\.1))
    }
}
