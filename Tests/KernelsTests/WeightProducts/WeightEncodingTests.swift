import Kernels
import Testing

@Suite("Encoding weights")
struct WeightEncodingTests {
    private func random(_ count: Int, seed: UInt64 = 1) -> [Float] {
        var bits = SeededBits(seed: seed)
        return (0..<count).map { _ in bits.signedUnit() * bits.signedUnit() }
    }

    private func decoded(_ matrix: WeightMatrix) -> [Float] {
        var all = [Float](repeating: .nan, count: matrix.rows * matrix.columns)
        matrix.decode(rows: 0..<matrix.rows, into: &all)
        return all
    }

    /// The root mean square of what is lost, against that of the weights.
    static let limits: [(WeightFormat, Float)] = [
        (.f32, 0), (.f16, 3e-4), (.bf16, 3e-3), (.q8_0, 8e-3), (.q6_k, 0.03), (.q5_k, 0.05), (.q4_k, 0.1),
        (.q4_0, 0.13), (.nf4, 0.13), (.int8, 0.02),
    ]

    @Test("loses no more than the bits of the format make it lose", arguments: limits)
    func losses(format: WeightFormat, limit: Float) throws {
        let weights = random(8 * 768)
        let back = decoded(try WeightMatrix(format, encoding: weights, rows: 8, columns: 768))
        let (size, lost) = zip(weights, back).reduce((Float(0), Float(0))) {
            ($0.0 + $1.0 * $1.0, $0.1 + ($1.0 - $1.1) * ($1.0 - $1.1))
        }
        #expect((lost / size).squareRoot() <= limit)
    }

    @Test("gives the same bytes by stretches of rows, and with any number of threads", arguments: WeightFormat.allCases)
    func stretches(format: WeightFormat) throws {
        let (rows, columns) = (12, 768)
        let weights = random(rows * columns)
        let whole = try WeightMatrix(format, encoding: weights, rows: rows, columns: columns, pool: .single)
        var bytes = [UInt8](repeating: 0, count: whole.bytes.count)
        var scales = [Float](repeating: 0, count: format.scaleCount(rows: rows, columns: columns))
        let scaleCount = scales.count
        weights.withUnsafeBufferPointer { weights in
            bytes.withUnsafeMutableBytes { bytes in
                scales.withUnsafeMutableBufferPointer { scales in
                    for (first, count) in [(0, 5), (5, 1), (6, 6)] {
                        format.encode(
                            weights.baseAddress! + first * columns, rows: count, columns: columns,
                            into: bytes.baseAddress! + first * whole.bytesPerRow,
                            scales: scaleCount > 0
                                ? scales.baseAddress! + format.scaleCount(rows: first, columns: columns) : nil,
                            pool: ThreadPool(threads: 3))
                    }
                }
            }
        }
        #expect(bytes == Array(whole.bytes))
        if let kept = whole.scales { #expect(scales == (0..<scaleCount).map { kept[$0] }) }
    }

    @Test("nf4 takes the nearest value of the codebook, the first of two, in blocks that run on through rows")
    func nearest() throws {
        let (rows, columns) = (7, 38)
        var weights = random(rows * columns)
        weights[3] = 0.5 * (WeightTwin.nf4[8] + WeightTwin.nf4[7])  // half-way between two values
        weights[5] = 1  // the largest of its block
        let matrix = try WeightMatrix(.nf4, encoding: weights, rows: rows, columns: columns)
        let scales = try #require(matrix.scales)
        for first in stride(from: 0, to: weights.count, by: 64) {
            let block = weights[first..<min(first + 64, weights.count)]
            let largest = block.reduce(0) { max($0, abs($1)) }
            #expect(scales[first / 64] == largest)
            for i in block.indices {
                let distances = WeightTwin.nf4.map { abs(weights[i] / largest - $0) }
                let nearest = distances.firstIndex(of: distances.min() ?? 0)
                let byte = matrix.bytes[i / 2]
                #expect(Int(i % 2 == 0 ? byte >> 4 : byte & 15) == nearest, "weight \(i)")
            }
        }
    }

    @Test("int8 rounds halves to even and gives each row its largest magnitude as scale")
    func halves() throws {
        let weights: [Float] = [127, 0.5, 1.5, -0.5, -2.5, 126.5, 254, 1, 3, -1, -5, 253]
        let matrix = try WeightMatrix(.int8, encoding: weights, rows: 2, columns: 6)
        let scales = try #require(matrix.scales)
        #expect([scales[0], scales[1]] == [127, 254])
        #expect(matrix.bytes.map { Int8(bitPattern: $0) } == [127, 0, 2, 0, -2, 126, 127, 0, 2, 0, -2, 126])
    }

    @Test("zeros, huge and undefined weights do no harm", arguments: WeightFormat.allCases)
    func oddWeights(format: WeightFormat) throws {
        for value: Float in [0, 1e30, -0x1p-140, .infinity, .nan] {
            var weights = [Float](repeating: value, count: 512)
            weights[300] = 1
            let back = decoded(try WeightMatrix(format, encoding: weights, rows: 2, columns: 256))
            if value == 0 { #expect(back[0] == 0 && abs(back[300] - 1) < 0.01 && back[511] == 0) }
        }
    }

    @Test("rows of no whole block are refused in a sentence")
    func refusals() {
        let error = #expect(throws: KernelError.self) {
            try WeightMatrix(.q4_0, encoding: [1, 2, 3], rows: 1, columns: 3)
        }
        #expect(error?.sentence == "q4_0: a row has 3 weights, but q4_0 needs a multiple of 32.")
        #expect(throws: KernelError.memory(bytes: nil)) {
            try WeightMatrix(.f32, encoding: [1], rows: .max / 2, columns: 4)
        }
    }
}
