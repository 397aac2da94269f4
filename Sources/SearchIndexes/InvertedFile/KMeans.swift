internal import Glibc
internal import Kernels

/// Centers of clusters by Lloyd's iterations: the same bits for the same seed, on any number of threads.
///
/// An empty cluster takes half of a large one. Under an inner product a point belongs to the center of the largest
/// product, and centers have length 1.
///
/// ```swift
/// let centers = try KMeans(clusters: 256).centers(of: points, stride: 128, count: 10_000, dimension: 128, threads: 2)
/// ```
///
/// - Source: Lloyd, "Least squares quantization in PCM", 1982.
public struct KMeans: Sendable {
    public var clusters: Int
    public var iterations: Int
    public var seed: UInt64
    /// More points than this times the clusters are sampled.
    public var pointsOfCluster: Int
    /// Whether nearness is the inner product, and centers have length 1.
    public var isSpherical: Bool

    public init(
        clusters: Int, iterations: Int = 10, seed: UInt64 = 1234, pointsOfCluster: Int = 256, isSpherical: Bool = false
    ) {
        self.clusters = clusters
        self.iterations = iterations
        self.seed = seed
        self.pointsOfCluster = pointsOfCluster
        self.isSpherical = isSpherical
    }

    /// - Parameters:
    ///   - points: `[count]` rows of `dimension` finite numbers, `stride` apart.
    ///   - threads: How many may work at once.
    /// - Returns: `[clusters, dimension]`; with fewer points than clusters, points are repeated.
    /// - Throws: `SegmentError` without points or memory. O(iterations · count · clusters · dimension).
    public func centers(
        of points: UnsafePointer<Float>, stride: Int, count: Int, dimension: Int, threads: Int = 1
    ) throws(SegmentError) -> [Float] {
        guard count > 0, dimension > 0, clusters > 0, clusters <= 1 << 24 else {
            throw SegmentError(
                "clusters", problem: "cannot make \(clusters) clusters from \(count) vectors",
                remedy: "Add vectors first.")
        }
        var random = TrainingRandomness(seed: seed)
        let (most, overflow) = clusters.multipliedReportingOverflow(by: max(pointsOfCluster, 1))
        let wanted = overflow ? count : min(count, most)
        guard wanted < count else {
            return try lloyd(points, stride, count, dimension, threads, &random)
        }
        let sample = try InMemory.buffer(of: Float.self, count: wanted * dimension, for: "clusters")
        for (row, point) in random.sample(wanted, of: count).enumerated() {
            (sample.pointer + row * dimension).update(from: points + Int(point) * stride, count: dimension)
        }
        defer { withExtendedLifetime(sample) {} }
        return try lloyd(sample.pointer, dimension, wanted, dimension, threads, &random)
    }

    private func lloyd(
        _ points: UnsafePointer<Float>, _ stride: Int, _ count: Int, _ dimension: Int, _ threads: Int,
        _ random: inout TrainingRandomness
    ) throws(SegmentError) -> [Float] {
        var centers = [Float](repeating: 0, count: clusters * dimension)
        let first = random.sample(min(clusters, count), of: count)
        for cluster in 0..<clusters {
            let point = points + Int(first[cluster % first.count]) * stride
            for column in 0..<dimension { centers[cluster * dimension + column] = point[column] }
        }
        if isSpherical { Self.normalize(&centers, dimension) }
        guard count > clusters else { return centers }
        let pool = InMemory.pool(threads)
        var assigned = [Int32](repeating: -1, count: count)
        for _ in 0..<iterations {
            let moved = try assign(points, stride, count, dimension, centers, to: &assigned, pool)
            guard moved else { break }
            let sizes = average(points, stride, dimension, assigned, into: &centers, pool)
            split(&centers, dimension, sizes, count, &random)
            if isSpherical { Self.normalize(&centers, dimension) }
        }
        return centers
    }

    /// - Returns: Whether any point changed its cluster.
    private func assign(
        _ points: UnsafePointer<Float>, _ stride: Int, _ count: Int, _ dimension: Int, _ centers: [Float],
        to assigned: inout [Int32], _ pool: ThreadPool
    ) throws(SegmentError) -> Bool {
        let panels = try InMemory.panels(centers, count: clusters, dimension: dimension, isInnerProduct: isSpherical)
        let before = assigned
        assigned.withUnsafeMutableBufferPointer { assigned in
            nonisolated(unsafe) let (assigned, points) = (assigned.baseAddress!, points)
            pool.run(chunks: (count + 255) / 256) { chunk, _ in
                let start = chunk * 256
                panels.nearest(
                    to: points + start * stride, stride: stride, count: min(256, count - start), assigned + start)
            }
        }
        return before != assigned
    }

    /// Returns the mean of each cluster's points, added up in their order.
    ///
    /// - Returns: How many points each has.
    private func average(
        _ points: UnsafePointer<Float>, _ stride: Int, _ dimension: Int, _ assigned: [Int32],
        into centers: inout [Float], _ pool: ThreadPool
    ) -> [Int] {
        var starts = [Int](repeating: 0, count: clusters + 1)
        for cluster in assigned { starts[Int(cluster) + 1] += 1 }
        let sizes = Array(starts.dropFirst())
        for cluster in 0..<clusters { starts[cluster + 1] += starts[cluster] }
        var members = [Int32](repeating: 0, count: assigned.count)
        var ends = starts
        for (point, cluster) in assigned.enumerated() {
            members[ends[Int(cluster)]] = Int32(point)
            ends[Int(cluster)] += 1
        }
        let (clusters, order, bounds) = (clusters, members, starts)
        centers.withUnsafeMutableBufferPointer { centers in
            nonisolated(unsafe) let (centers, points) = (centers.baseAddress!, points)
            pool.run(chunks: (clusters + 15) / 16) { chunk, _ in
                for cluster in chunk * 16..<min(clusters, chunk * 16 + 16) where bounds[cluster + 1] > bounds[cluster] {
                    let center = centers + cluster * dimension
                    center.update(repeating: 0, count: dimension)
                    for member in bounds[cluster]..<bounds[cluster + 1] {
                        Elementwise.add(points + Int(order[member]) * stride, to: center, count: dimension)
                    }
                    Elementwise.scale(center, by: 1 / Float(bounds[cluster + 1] - bounds[cluster]), count: dimension)
                }
            }
        }
        return sizes
    }

    /// Gives each empty cluster half of another one, drawn by size: the two new centers are slightly off the old
    /// center.
    private func split(
        _ centers: inout [Float], _ dimension: Int, _ sizes: [Int], _ count: Int, _ random: inout TrainingRandomness
    ) {
        var sizes = sizes
        for empty in 0..<clusters where sizes[empty] == 0 {
            var large = 0
            while random.fraction() >= Double(sizes[large] - 1) / Double(count - clusters) {
                large = (large + 1) % clusters
            }
            for column in 0..<dimension {
                let value = centers[large * dimension + column]
                let step: Float = column % 2 == 0 ? 1 / 1024 : -1 / 1024
                centers[empty * dimension + column] = value * (1 + step)
                centers[large * dimension + column] = value * (1 - step)
            }
            sizes[empty] = sizes[large] / 2
            sizes[large] -= sizes[empty]
        }
    }

    private static func normalize(_ centers: inout [Float], _ dimension: Int) {
        for start in Swift.stride(from: 0, to: centers.count, by: dimension) {
            var square: Float = 0
            for column in 0..<dimension { square += centers[start + column] * centers[start + column] }
            guard square > 0 else { continue }
            for column in 0..<dimension { centers[start + column] /= square.squareRoot() }
        }
    }
}
