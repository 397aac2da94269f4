import Kernels
import Testing

@Suite("Distances from one vector to many")
struct DistanceTests {
    static let paths = DistancePath.allCases.filter(\.isPresent)
    static let sums: [DistanceKernels.Sum] = [.l2, .dot]

    @Test("are a sum of squares, or what is left of an offset")
    func example() {
        let query: [Float] = [1, 2, 3]
        let rows: [Float] = [1, 2, 3, 0, 0, 0, 3, 2, 1]
        var distances = [Float](repeating: .nan, count: 3)
        DistanceKernels(.l2).rows(query, rows, 3, 3, 0, nil, 3, &distances)
        #expect(distances == [0, 14, 8])
        DistanceKernels(.dot).rows(query, rows, 3, 3, 1, [2, 1], 2, &distances)
        #expect(distances == [-9, 1, 8])
    }

    @Test("agree with the twin in every dimension, listed and in a block", arguments: paths, sums)
    func twin(path: DistancePath, sum: DistanceKernels.Sum) {
        let kernels = DistanceKernels(sum, path: path)
        for dimension in Array(1...70) + [128, 383, 384, 1000] {
            let count = dimension % 9 + 1
            let stride = dimension + dimension % 3
            let query = randomNumbers(dimension, spread: 2, seed: UInt64(dimension))
            // Not a byte past the last row may count.
            let rows = randomNumbers(stride * (count - 1) + dimension, spread: 2, seed: 7) + [.nan]
            let slots = (0..<UInt32(count)).reversed() + [0]
            var block = [Float](repeating: .nan, count: count)
            var listed = [Float](repeating: .nan, count: count + 2)
            kernels.rows(query, rows, stride, dimension, 1, nil, count, &block)
            kernels.rows(query, rows, stride, dimension, 1, slots, count + 1, &listed)
            for row in 0..<count {
                let expected = rows.withUnsafeBufferPointer { rows in
                    DistanceTwin.distance(
                        sum, query, rows.baseAddress! + row * stride, dimension: dimension, offset: 1)
                }
                #expect(abs(Double(block[row]) - expected.expected) <= expected.allowed, "\(dimension), row \(row)")
                #expect(listed[count - 1 - row] == block[row], "a row has the same bits wherever it stands")
            }
            #expect(listed[count] == block[0])
            #expect(listed[count + 1].isNaN, "nothing is written past the end")
        }
    }

    @Test("of codes are exact", arguments: paths, sums)
    func codes(path: DistancePath, sum: DistanceKernels.Sum) {
        let kernels = DistanceKernels(sum, path: path)
        for stride in [64, 128, 192, 384, 1024] {
            let numbers = randomNumbers(stride * 8, spread: 63, seed: UInt64(stride))
            var codes = numbers.map { Int8(max(-63, min(63, $0.rounded()))) }
            for column in 0..<stride { (codes[column], codes[stride + column]) = (63, -63) }
            let slots: [UInt32] = [7, 0, 1, 3, 3, 2, 6]
            for count in 1...slots.count {
                var distances = [Int32](repeating: .min, count: count + 1)
                var block = distances
                kernels.codes(codes, codes, stride, slots, count, &distances)
                kernels.codes(codes, codes, stride, nil, count, &block)
                codes.withUnsafeBufferPointer { codes in
                    let first = codes.baseAddress!
                    for at in 0..<count {
                        let listed = first + Int(slots[at]) * stride
                        #expect(Int(distances[at]) == DistanceTwin.distance(sum, first, listed, count: stride))
                        #expect(Int(block[at]) == DistanceTwin.distance(sum, first, first + at * stride, count: stride))
                    }
                }
                #expect(distances[count] == .min && block[count] == .min)
            }
        }
    }

    @Test("need codes that are rounded, cut off and padded alike everywhere", arguments: paths)
    func encoding(path: DistancePath) {
        let row: [Float] = [1, 1.25, 1.75, -1.25, 40, -40, .nan, .infinity] + randomNumbers(33, spread: 3, seed: 5)
        let center = [Float](repeating: 1, count: row.count)
        var codes = [Int8](repeating: 99, count: 65)
        VectorCodes.encode(row, center: center, scale: 2, dimension: row.count, stride: 64, into: &codes, path: path)
        #expect(codes.prefix(8) == [0, 0, 2, -4, 63, -63, -63, 63])
        for column in 8..<row.count {
            #expect(Float(codes[column]) == ((row[column] - 1) * 2).rounded(.toNearestOrEven))
        }
        #expect(codes[row.count..<64].allSatisfy { $0 == 0 } && codes[64] == 99)
        let finite = Array(row.prefix(6))
        #expect(VectorCodes.largestDifference(finite, center, count: 6, path: path) == 41)
    }

    @Test("below a bound are found by their positions", arguments: paths)
    func below(path: DistancePath) {
        for count in [1, 15, 16, 17, 64, 100] {
            let numbers = randomNumbers(count, spread: 1, seed: UInt64(count))
            let bounds = randomNumbers(count, spread: 1, seed: 3)
            var found = [UInt32](repeating: 0, count: count + 1)
            for bound: Float in [-2, -0.9, 0, 2] {
                let size = NearPositions.find(in: numbers, count: count, below: bound, into: &found, path: path)
                #expect(found.prefix(size).map(Int.init) == numbers.indices.filter { numbers[$0] < bound })
            }
            let size = NearPositions.find(
                inProducts: numbers, count: count, start: 0.25, factor: -2, below: bounds, into: &found, path: path)
            let expected = numbers.indices.filter { 0.25 - 2 * numbers[$0] < bounds[$0] }
            #expect(found.prefix(size).map(Int.init) == expected)
        }
    }
}
