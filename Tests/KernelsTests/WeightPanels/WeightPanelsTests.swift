import Kernels
import Testing

@Suite("Many rows of activations by a weight matrix")
struct WeightPanelsTests {
    /// m, rows, columns in blocks of the format (of 8 where a block is less): borders of lanes, tiles, panels and blocks.
    static let shapes = [
        (1, 1, 1), (2, 15, 2), (5, 16, 3), (6, 17, 4), (7, 31, 1), (8, 32, 5), (12, 33, 2), (13, 63, 1), (16, 64, 3),
        (17, 65, 2), (40, 100, 1), (9, 7, 17), (65, 40, 3),
    ]
    static let cases = WeightFormat.allCases.flatMap { format in shapes.map { (format, $0) } }
    static let anyStep = WeightFormat.allCases.filter { $0.blockSize < 32 }

    @Test("every format agrees with float64 sums, whatever the sizes and the strides", arguments: cases.indices)
    func agreement(index: Int) throws {
        let (format, (m, rows, blocks)) = Self.cases[index]
        let columns = blocks * max(8, format.blockSize)
        for gap in [0, 3] {
            let sample = try PanelCase(format, m: m, rows: rows, columns: columns, seed: UInt64(index), gap: gap)
            let y = try sample.product(.shared)
            sample.check(y)
        }
    }

    @Test("columns end anywhere, before and after the borders of runs and blocks", arguments: anyStep)
    func columns(format: WeightFormat) throws {
        for columns in [2, 14, 16, 18, 30, 34, 66, 382, 384, 386, 510, 514, 766, 770] {
            let odd = format == .nf4 ? columns : columns + 1
            let sample = try PanelCase(format, m: 9, rows: 18, columns: odd, seed: UInt64(columns), gap: 1)
            let y = try sample.product(.shared)
            sample.check(y)
        }
    }

    @Test("more rows than meet W at once", arguments: WeightFormat.allCases)
    func longPrompt(format: WeightFormat) throws {
        let sample = try PanelCase(format, m: 519, rows: 5, columns: 256, seed: 5)
        let y = try sample.product(.shared)
        sample.check(y)
    }

    @Test("one thread, two and five, a row alone or among others: the same bits", arguments: WeightFormat.allCases)
    func sameBits(format: WeightFormat) throws {
        let sample = try PanelCase(format, m: 43, rows: 210, columns: 1280, seed: 3)
        let whole = try sample.product(.single)
        for threads in [2, 5] {
            let again = try sample.product(ThreadPool(threads: threads))
            #expect(again.map(\.bitPattern) == whole.map(\.bitPattern), "\(threads) threads")
        }
        for row in [0, 1, 5, 6, 31, 42] {
            let alone = try sample.product(.shared, row: row)
            let among = whole[row * sample.yStride..<row * sample.yStride + sample.w.rows]
            #expect(alone.map(\.bitPattern) == among.map(\.bitPattern), "row \(row)")
        }
    }

    @Test("an infinity or a NaN in a row of x shows in its row of y, and in no other", arguments: WeightFormat.allCases)
    func notFinite(format: WeightFormat) throws {
        for wrong in [Float.infinity, -.infinity, .nan] {
            var sample = try PanelCase(format, m: 8, rows: 20, columns: 512, seed: 4)
            sample.x[3 * sample.xStride + 300] = wrong
            let y = try sample.product(.shared)
            for i in 0..<8 {
                let row = y[i * sample.yStride..<i * sample.yStride + 20]
                #expect(row.allSatisfy { $0.isFinite != (i == 3) }, "row \(i) with \(wrong)")
            }
        }
    }

    @Test(
        "runs of zeros, and of numbers too small for a scale, count nothing",
        arguments: [0, 0x1p-149, -0x1p-148 as Float])
    func tinyRuns(value: Float) throws {
        for format in [WeightFormat.q8_0, .q4_0, .q4_k, .q5_k, .q6_k, .int8] {
            var sample = try PanelCase(format, m: 8, rows: 3, columns: 512, seed: 6)
            for i in 0..<sample.x.count where i % 64 < 32 { sample.x[i] = value }
            let y = try sample.product(.shared)
            sample.check(y)
        }
    }

    @Test("the extreme codes meet the extreme activations without overflow")
    func extremes() throws {
        for code: UInt8 in [0x00, 0x7f, 0x80, 0xff] {
            let bytes = [UInt8](repeating: code, count: 16 * 4096)
            let scales = [Float](repeating: 127, count: 16)
            let x = (0..<8 * 4096).map { _ in Float(-127) }
            var y = [Float](repeating: .nan, count: 8 * 16)
            let isDone = try bytes.withUnsafeBytes { bytes in
                try scales.withUnsafeBufferPointer { scales in
                    let w = try WeightMatrix(.int8, rows: 16, columns: 4096, bytes: bytes, scales: scales.baseAddress)
                    return try WeightPanels.multiply(w, x, xStride: 4096, m: 8, into: &y, yStride: 16)
                }
            }
            try skip(unless: isDone, "the kernel of int8")
            let expected = Float(Int8(bitPattern: code)) * -127 * 4096
            #expect(
                y.allSatisfy { abs($0 - expected) <= abs(expected) * 0x1p-18 }, "code \(code): \(y[0]), \(expected)")
        }
    }

    @Test("an x without rows needs no work")
    func nothing() throws {
        let sample = try PanelCase(.f32, m: 1, rows: 4, columns: 4, seed: 1)
        var y: [Float] = [.nan]
        _ = try WeightPanels.multiply(sample.w, sample.x, xStride: 4, m: 0, into: &y, yStride: 4)
        #expect(y[0].isNaN)
    }
}
