internal import Glibc

/// Recall and speed of an index at several efforts, for comparing indexes.
///
/// ```swift
/// let curve = try RecallCurve(of: index, queries, count: 1000, k: 10, efforts: [10, 20, 40], seconds: cpuTime)
/// let rate = curve.rate(atRecall: 0.95)
/// ```
public struct RecallCurve: Sendable, Hashable {
    public struct Point: Sendable, Hashable {
        public var effort: Int
        /// Recall, from 0 to 1.
        public var recall: Double
        /// Queries a second, of whatever seconds were counted.
        public var rate: Double

        public init(effort: Int, recall: Double, rate: Double) {
            self.effort = effort
            self.recall = recall
            self.rate = rate
        }
    }

    public var points: [Point]

    public init(points: [Point]) { self.points = points }

    /// Asks an index all queries, one at a time, at each effort.
    ///
    /// - Parameters:
    ///   - queries: `[count, dimension]`.
    ///   - seconds: A clock; that of the processor time, where a machine is shared.
    public init(
        of index: some VectorIndex, _ queries: UnsafePointer<Float>, count: Int, k: Int, efforts: [Int],
        seconds: () -> Double
    ) throws(SegmentError) {
        let dimension = index.rows.dimension
        let truth = try FlatIndex(index.rows).search(queries, count: count, VectorRequest(k: k))
        points = []
        for effort in efforts {
            var found: [[Neighbor]] = []
            found.reserveCapacity(count)
            let start = seconds()
            for query in 0..<count {
                found.append(try index.search(queries + query * dimension, VectorRequest(k: k, effort: effort)))
            }
            let elapsed = seconds() - start
            let sum = zip(found, truth).reduce(0) { $0 + Self.recall($1.0, exact: $1.1) }
            points.append(
                Point(effort: effort, recall: sum / Double(max(count, 1)), rate: Double(count) / max(elapsed, 1e-9)))
        }
    }

    /// Returns the share of the exact neighbors that was found: what is as near as the last of them counts, whatever
    /// its label.
    ///
    /// - Parameter tolerance: Of the last distance, relative.
    public static func recall(_ found: [Neighbor], exact: [Neighbor], tolerance: Float = 1e-5) -> Double {
        guard let last = exact.last?.distance else { return 1 }
        let hits = found.prefix(exact.count).count { $0.distance <= last + tolerance * abs(last) }
        return Double(hits) / Double(exact.count)
    }

    /// Returns the rate at a recall, by logarithmic interpolation between the adjacent points; `nil` if the curve does
    /// not reach that recall.
    public func rate(atRecall wanted: Double) -> Double? {
        let sorted = points.sorted { $0.recall < $1.recall }
        guard let first = sorted.first, let last = sorted.last, last.recall >= wanted else { return nil }
        if first.recall >= wanted { return first.rate }
        for (low, high) in zip(sorted, sorted.dropFirst()) where low.recall < wanted && wanted <= high.recall {
            let share = (wanted - low.recall) / (high.recall - low.recall)
            return low.rate * pow(high.rate / low.rate, share)
        }
        return nil
    }
}
