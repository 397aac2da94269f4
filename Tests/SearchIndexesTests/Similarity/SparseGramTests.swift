import Kernels
import Testing

@Suite("Products with sparse matrices")
struct SparseGramTests {
    @Test("products match plain sums on every path", arguments: [true, false])
    func gram(portable: Bool) {
        var random = SeededWords(state: 3)
        func number() -> Float { Float(Int32(truncatingIfNeeded: random.next() >> 40)) / Float(1 << 23) - 1 }
        let (features, width) = (37, SparseGram.sliceWidth)
        var starts: [Int64] = [0]
        var columns: [UInt32] = []
        var values: [Float] = []
        for row in 0..<25 {
            // Rows of no entry, of one, of an odd and an even number.
            for _ in 0..<(row % 5) * (row % 4) {
                columns.append(UInt32(random.next() % UInt64(features)))
                values.append(number())
            }
            starts.append(Int64(columns.count))
        }
        let source = (0..<features * width).map { _ in number() }
        var target = (0..<features * width).map { _ in number() }
        var expected = target.map(Double.init)
        for row in 0..<25 {
            let entries = Int(starts[row])..<Int(starts[row + 1])
            for column in 0..<width {
                let z = entries.reduce(0.0) {
                    $0 + Double(values[$1]) * Double(source[Int(columns[$1]) * width + column])
                }
                for entry in entries { expected[Int(columns[entry]) * width + column] += Double(values[entry]) * z }
            }
        }
        starts.withUnsafeBufferPointer { starts in
            SparseGram.accumulate(
                starts: starts, columns: columns, values: values, in: source, out: &target, portable: portable)
        }
        for (one, other) in zip(target, expected) { #expect(abs(Double(one) - other) < 1e-4) }
    }

    @Test("rows of any width are summed", arguments: [1, 15, 16, 17, 63, 64, 65, 256, 300], [true, false])
    func sum(width: Int, portable: Bool) {
        var random = SeededWords(state: UInt64(width))
        let rows = (0..<9 * width).map { _ in Float(random.next() % 1_000) / 500 - 1 }
        for count in [0, 1, 5] {
            let index = (0..<count).map { _ in UInt32(random.next() % 9) }
            let weights = (0..<count).map { _ in Float(random.next() % 1_000) / 500 - 1 }
            // A number behind the last one must stay.
            var y = [Float](repeating: 7, count: width + 1)
            index.withUnsafeBufferPointer {
                SparseGram.sum(of: $0, weights: weights, rows: rows, width: width, into: &y, portable: portable)
            }
            for column in 0..<width {
                let expected = zip(index, weights).reduce(Float(0)) { $0 + $1.1 * rows[Int($1.0) * width + column] }
                #expect(abs(y[column] - expected) < 1e-5)
            }
            #expect(y[width] == 7)
        }
    }
}
