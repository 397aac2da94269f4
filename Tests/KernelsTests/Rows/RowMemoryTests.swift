import Kernels
import Testing

/// What the kernels touch, and what their bits depend on.
@Suite("Rows in memory")
struct RowMemoryTests {
    static let kernels = RowKernel.softmax + RowKernel.layerNorm + RowKernel.rmsNorm

    @Test("read and write no number outside their rows", arguments: kernels)
    func borders(kernel: RowKernel) {
        for columns in [1, 7, 15, 16, 17, 31, 33, 63, 65, 70, 2049] {
            for (xGap, yGap) in [(0, 0), (1, 3), (16, 5)] {
                let (rows, xStride, yStride) = (3, columns + xGap, columns + yGap)
                let x = GuardedNumbers(randomNumbers((rows - 1) * xStride + columns, seed: 21))
                let y = GuardedNumbers([Float](repeating: 99, count: (rows - 1) * yStride + columns))
                let gain = GuardedNumbers(randomNumbers(columns, seed: 22))
                let bias = GuardedNumbers(randomNumbers(columns, seed: 23))
                kernel.call(x.pointer, xStride, y.pointer, yStride, gain.pointer, bias.pointer, rows, columns)
                for row in 0..<rows - 1 {
                    for gap in columns..<yStride {
                        #expect(y.pointer[row * yStride + gap] == 99, "\(columns) columns, row \(row)")
                    }
                }
                let expected = kernel(
                    x.pointer.packed(rows: rows, columns: columns, stride: xStride), columns: columns,
                    gain: gain.pointer.packed(rows: 1, columns: columns, stride: 0),
                    bias: bias.pointer.packed(rows: 1, columns: columns, stride: 0))
                let found = y.pointer.packed(rows: rows, columns: columns, stride: yStride)
                #expect(found == expected, "strides \(xStride) and \(yStride)")
            }
        }
    }

    @Test("give a row the same bits alone and among 64, near or far from zero, and in place", arguments: kernels)
    func alone(kernel: RowKernel) {
        for columns in [5, 64, 333, 1024] {
            // Some rows need another way through the kernel; which way must be the row's own affair.
            var x: [Float] = []
            for row in 0..<64 {
                let mean: Float = row % 7 == 6 ? 1e4 : 0
                x += randomNumbers(columns, spread: row % 5 == 3 ? 100 : 4, about: mean, seed: UInt64(row))
            }
            let together = kernel(x, columns: columns)
            for row in 0..<64 {
                let range = row * columns..<(row + 1) * columns
                #expect(kernel(Array(x[range]), columns: columns) == Array(together[range]), "row \(row) of \(columns)")
            }
            var inPlace = x
            inPlace.withUnsafeMutableBufferPointer { y in
                let start = y.baseAddress!
                kernel.call(start, columns, start, columns, nil, nil, 64, columns)
            }
            #expect(inPlace == together, "\(columns) columns in place")
        }
    }

    @Test("give the same bits with one thread and with several")
    func threads() {
        let (rows, columns) = (200, 777)
        let x = randomNumbers(rows * columns, spread: 9, seed: 31)
        let gain = randomNumbers(columns, about: 1, seed: 32)
        func results(_ pool: ThreadPool) -> [[Float]] {
            var y = [[Float]](repeating: [Float](repeating: .nan, count: x.count), count: 4)
            Rows.softmax(x, into: &y[0], rows: rows, columns: columns, pool: pool)
            Rows.layerNorm(x, into: &y[1], gain: gain, bias: gain, rows: rows, columns: columns, pool: pool)
            Rows.rmsNorm(x, into: &y[2], gain: gain, rows: rows, columns: columns, pool: pool)
            Rows.exp(x, into: &y[3], count: x.count, pool: pool)
            return y
        }
        let expected = results(.single)
        #expect(!expected.joined().contains { $0.isNaN })
        for threads in [2, 3] { #expect(results(ThreadPool(threads: threads)) == expected) }
    }

    @Test("do nothing where there are no rows or no columns")
    func nothing() {
        var y: [Float] = [99]
        Rows.softmax([1], into: &y, rows: 0, columns: 1)
        Rows.softmax([1], into: &y, rows: 1, columns: 0)
        Rows.layerNorm([1], into: &y, rows: 1, columns: 0)
        Rows.rmsNorm([1], into: &y, rows: 0, columns: 1)
        Rows.exp([1], into: &y, count: 0)
        #expect(y == [99])
    }
}
