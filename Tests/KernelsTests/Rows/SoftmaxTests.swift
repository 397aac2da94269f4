import Kernels
import Testing

@Suite("Softmax of rows")
struct SoftmaxTests {
    @Test("gives probabilities that add up to 1")
    func example() {
        let logits: [Float] = [1, 2, 3, -.infinity]
        var probabilities = [Float](repeating: .nan, count: 4)
        Rows.softmax(logits, into: &probabilities, rows: 1, columns: 4)
        #expect(probabilities[3] == 0)
        #expect(abs(probabilities[0] - 0.09003057) < 1e-7)
        #expect(abs(probabilities.reduce(0, +) - 1) < 1e-6)
    }

    @Test("agrees with float64 at every width from 1 to 70 and at wide ones", arguments: RowKernel.softmax)
    func widths(kernel: RowKernel) {
        for columns in Array(1...70) + [127, 128, 129, 1000, 4097] {
            let x = randomNumbers(3 * columns, spread: 8, seed: UInt64(columns))
            let y = kernel(x, columns: columns)
            for row in 0..<3 {
                let range = row * columns..<(row + 1) * columns
                let twin = x[range].withUnsafeBufferPointer { RowTwin.softmax($0) }
                #expect(worstError(y[range], twin) <= 1, "row \(row) of \(columns) columns")
            }
        }
    }

    @Test(
        "agrees with float64 whatever the size of the numbers",
        arguments: [
            (spread: Float(0.001), mean: Float(0)), (20, 0), (59, 0), (61, 0), (300, 0), (5, 1000), (5, -1000),
            (1, 80000), (3e38, 0),
        ])
    func sizes(spread: Float, mean: Float) {
        let columns = 333
        let x = randomNumbers(2 * columns, spread: spread, about: mean, seed: 3)
        for kernel in RowKernel.softmax {
            let y = kernel(x, columns: columns)
            for range in [0..<columns, columns..<2 * columns] {
                let twin = x[range].withUnsafeBufferPointer { RowTwin.softmax($0) }
                #expect(worstError(y[range], twin) <= 1, "\(kernel.name)")
            }
        }
    }

    @Test("gives -inf no probability, and NaN to rows that have no softmax", arguments: RowKernel.softmax)
    func specialNumbers(kernel: RowKernel) {
        for columns in [1, 2, 5, 16, 17, 40, 100] {
            let nothing = [Float](repeating: -.infinity, count: columns)
            #expect(kernel(nothing, columns: columns).allSatisfy { $0.isNaN }, "all of \(columns) are -inf")
            for place in Set([0, columns / 2, columns - 1]) {
                var one = nothing
                one[place] = -3e38
                let certain = kernel(one, columns: columns)
                #expect(certain[place] == 1 && certain.reduce(0, +) == 1, "one of \(columns) is not -inf")
                for poison in [Float.nan, -.nan, .infinity] {
                    var row = randomNumbers(columns, seed: 4)
                    row[place] = poison
                    #expect(
                        kernel(row, columns: columns).allSatisfy { $0.isNaN }, "\(poison) at \(place) of \(columns)")
                }
            }
        }
    }

    @Test("leaves a strange row's neighbors alone", arguments: RowKernel.softmax)
    func neighbors(kernel: RowKernel) {
        let columns = 75
        let plain = randomNumbers(7 * columns, spread: 4, seed: 5)
        let expected = kernel(plain, columns: columns)
        var mixed = plain
        mixed[columns] = .nan  // row 1
        mixed[3 * columns + 9] = -.infinity  // row 3
        mixed[4 * columns + 74] = 500  // row 4
        let found = kernel(mixed, columns: columns)
        for row in [0, 2, 5, 6] {
            let range = row * columns..<(row + 1) * columns
            #expect(found[range] == expected[range], "row \(row)")
        }
        #expect(found[3 * columns + 9] == 0)
        #expect(found[4 * columns + 74] == 1)
    }
}
