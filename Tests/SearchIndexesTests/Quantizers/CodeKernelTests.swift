import Kernels
import Testing

@Suite("Kernels of codes")
struct CodeKernelTests {
    private static func numbers(_ count: Int, seed: UInt64) -> [Float] {
        var random = SeededVectors.Generator(seed: seed)
        return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    }

    private static let paths = CodesPath.allCases.filter(\.isPresent)

    @Test("distances to centers and the nearest center are correct", arguments: paths, [false, true])
    func centers(path: CodesPath, isInnerProduct: Bool) throws {
        for (dimension, count, points) in [(1, 1, 1), (3, 64, 5), (8, 256, 33), (17, 65, 34), (40, 130, 3)] {
            let centers = Self.numbers(count * dimension, seed: 1)
            let queries = Self.numbers(points * dimension, seed: 2)
            let panels = try CenterPanels(
                centers, count: count, dimension: dimension, isInnerProduct: isInnerProduct)
            var nearest = [Int32](repeating: -1, count: points)
            panels.nearest(to: queries, stride: dimension, count: points, &nearest, path: path)
            for point in 0..<points {
                let query = Array(queries[point * dimension..<(point + 1) * dimension])
                let twin = CodesTwin.distances(query, centers: centers, isInnerProduct: isInnerProduct)
                var distances = [Float](repeating: 0, count: panels.paddedCount)
                panels.distances(to: query, into: &distances, path: path)
                for (distance, wanted) in zip(distances, twin) { #expect(abs(Double(distance) - wanted) < 1e-5) }
                #expect(distances[count...].allSatisfy { $0 == .infinity })
                #expect(twin[Int(nearest[point])] < twin.min()! + 1e-5)
            }
        }
    }

    @Test("ties between centers go to the first center", arguments: paths)
    func ties(path: CodesPath) throws {
        let panels = try CenterPanels(
            [Float](repeating: 1, count: 200), count: 200, dimension: 1, isInnerProduct: false)
        var nearest: [Int32] = [9, 9, 9]
        panels.nearest(to: [0, 1, 2], stride: 1, count: 3, &nearest, path: path)
        #expect(nearest == [0, 0, 0])
    }

    @Test("sums over tables are correct", arguments: paths, [1, 2, 16, 48])
    func scan(path: CodesPath, parts: Int) {
        var random = SeededVectors.Generator(seed: 4)
        let tables = Self.numbers(parts * 256, seed: 5)
        for count in [1, 3, 4, 67] {
            let codes = (0..<count * parts).map { _ in UInt8.random(in: 0...255, using: &random) }
            for bias in [nil, Self.numbers(count, seed: 6)] {
                var out = [Float](repeating: .nan, count: count)
                CodeKernels.scan(
                    tables, codes: codes, bias: bias, start: 0.5, count: count, parts: parts, into: &out, path: path)
                let twin = CodesTwin.scan(tables, codes: codes, bias: bias, start: 0.5, parts: parts)
                for (sum, wanted) in zip(out, twin) { #expect(abs(Double(sum) - wanted) < 1e-4) }
            }
        }
    }

    @Test("different bits are counted", arguments: paths, [1, 2, 3, 8, 11])
    func bits(path: CodesPath, words: Int) {
        var random = SeededVectors.Generator(seed: 7)
        for count in [1, 7, 8, 19] {
            let query = (0..<words).map { _ in random.next() }
            let rows = (0..<count * words).map { _ in random.next() }
            var out = [UInt16](repeating: 9, count: count)
            CodeKernels.differingBits(query, rows: rows, words: words, count: count, into: &out, path: path)
            #expect(out == CodesTwin.differingBits(query, rows: rows))
        }
    }

    @Test("positions up to and including a limit are returned", arguments: paths)
    func positions(path: CodesPath) {
        for count in [0, 1, 8, 15, 16, 17, 100] {
            let values = (0..<count).map { Float($0 * 7 % 11) }
            var found = [Int32](repeating: -1, count: count + 1)
            let number = CodeKernels.positions(of: values, count: count, atMost: 4, into: &found, path: path)
            #expect(found.prefix(number).map(Int.init) == values.indices.filter { values[$0] <= 4 })
        }
    }
}
