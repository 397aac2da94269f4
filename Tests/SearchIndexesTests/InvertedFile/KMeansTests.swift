import SearchIndexes
import Testing

@Suite("k-means")
struct KMeansTests {
    private static let data = SeededVectors(1_500, dimension: 19, metric: .l2)
    private static let flat = data.base.flatMap { $0 }

    /// Returns the squared distances of all points from their nearest centers.
    private func error(_ centers: [Float]) -> Double {
        var sum = 0.0
        for point in Self.data.base {
            var least = Double.infinity
            for start in stride(from: 0, to: centers.count, by: 19) {
                var square = 0.0
                for column in 0..<19 {
                    let difference = Double(point[column] - centers[start + column])
                    square += difference * difference
                }
                least = min(least, square)
            }
            sum += least
        }
        return sum
    }

    @Test("equal seeds produce equal bits on one thread and on two; another seed does not")
    func deterministic() throws {
        func centers(_ seed: UInt64, _ threads: Int) throws -> [Float] {
            try KMeans(clusters: 40, seed: seed).centers(
                of: Self.flat, stride: 19, count: 1_500, dimension: 19, threads: threads)
        }
        #expect(try centers(5, 1) == centers(5, 2))
        #expect(try centers(5, 1) != centers(6, 1))
    }

    @Test("iterations bring centers nearer to the points")
    func improves() throws {
        let errors = try [0, 1, 10].map { iterations in
            try error(
                KMeans(clusters: 20, iterations: iterations).centers(
                    of: Self.flat, stride: 19, count: 1_500, dimension: 19))
        }
        #expect(errors[1] < errors[0] && errors[2] < errors[1])
    }

    @Test(
        "equal points leave every cluster with a finite center", arguments: [1, 3, 64, 65])
    func equalPoints(clusters: Int) throws {
        let points = [Float](repeating: 2, count: 200 * 3)
        let centers = try KMeans(clusters: clusters).centers(of: points, stride: 3, count: 200, dimension: 3)
        #expect(centers.count == clusters * 3)
        #expect(centers.allSatisfy { abs($0 - 2) < 0.1 })
    }

    @Test("spherical centers have length 1")
    func spherical() throws {
        let centers = try KMeans(clusters: 12, isSpherical: true).centers(
            of: Self.flat, stride: 19, count: 1_500, dimension: 19)
        for start in stride(from: 0, to: centers.count, by: 19) {
            #expect(abs(centers[start..<start + 19].reduce(0) { $0 + $1 * $1 } - 1) < 1e-4)
        }
    }

    @Test("no points make no clusters")
    func nothing() {
        #expect(throws: SegmentError.self) {
            try KMeans(clusters: 4).centers(of: [], stride: 3, count: 0, dimension: 3)
        }
    }
}
