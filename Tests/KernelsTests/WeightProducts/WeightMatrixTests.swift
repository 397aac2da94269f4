import Kernels
import Testing

@Suite("Weight matrices of every format")
struct WeightMatrixTests {
    @Test("every row decodes to what its format defines", arguments: WeightFormat.allCases)
    func decoding(format: WeightFormat) throws {
        for (rows, blocks) in [(1, 1), (3, 5), (7, 64 / min(64, format.blockSize) * 3)] {
            let matrix = try WeightTwin.Matrix(format, rows: rows, columns: blocks * format.blockSize, seed: 3)
            let columns = matrix.weights.columns
            var all = [Float](repeating: .nan, count: rows * columns)
            matrix.weights.decode(rows: 0..<rows, into: &all)
            for row in 0..<rows {
                var found = [Float](repeating: .nan, count: columns)
                matrix.weights.decode(row: row, into: &found)
                let (expected, terms) = matrix.row(row)
                for i in 0..<columns {
                    let allowed = format == .q4_k || format == .q5_k ? terms[i] * 0x1p-22 : abs(expected[i]) * 0x1p-23
                    #expect(abs(Double(found[i]) - expected[i]) <= allowed, "row \(row), column \(i)")
                    #expect(found[i].bitPattern == all[row * columns + i].bitPattern)
                }
            }
        }
    }

    @Test("numbers of 16 and 32 bits that a file does not align decode and multiply alike", arguments: [1, 3])
    func unaligned(offset: Int) throws {
        for format in [WeightFormat.f32, .f16, .bf16] {
            let matrix = try WeightTwin.Matrix(format, rows: 3, columns: 37, seed: 5).weights
            var moved = [UInt8](repeating: 0, count: offset + matrix.bytes.count)
            moved.replaceSubrange(offset..., with: matrix.bytes)
            let x = (0..<37).map { Float($0) - 18 }
            var (y, expected) = ([Float](repeating: .nan, count: 3), [Float](repeating: .nan, count: 3))
            try matrix.multiply(x, m: 1, into: &expected)
            var (row, expectedRow) = ([Float](repeating: .nan, count: 37), [Float](repeating: .nan, count: 37))
            matrix.decode(row: 2, into: &expectedRow)
            try moved.withUnsafeBytes { bytes in
                let other = try WeightMatrix(
                    format, rows: 3, columns: 37, bytes: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
                try other.multiply(x, m: 1, into: &y)
                other.decode(row: 2, into: &row)
            }
            #expect(y == expected && row == expectedRow)
        }
    }

    @Test(
        "sizes and bytes that do not fit each other are refused in a sentence",
        arguments: [
            (WeightFormat.q6_k, 1, 100, 210, "q6_k: a row has 100 weights, but q6_k needs a multiple of 256."),
            (.f32, 2, 3, 23, "f32: 2 rows of 3 weights need more than the given 23 bytes."),
            (
                .f16, .max / 2, 8, 64,
                "f16: \(Int.max / 2) rows of 8 weights need more than the given 64 bytes."
            ),
            (.bf16, 0, 8, 64, "bf16: a matrix needs at least one row and one column, not 0 rows of 8 weights."),
            (.int8, 1, 8, 8, "int8: the scales are missing."),
            (.nf4, 1, 7, 8, "nf4: a row has 7 weights, but nf4 needs a multiple of 2."),
        ])
    func refusals(format: WeightFormat, rows: Int, columns: Int, bytes: Int, sentence: String) {
        let memory = [UInt8](repeating: 0, count: bytes)
        let error = memory.withUnsafeBytes { memory in
            #expect(throws: KernelError.self) {
                try WeightMatrix(format, rows: rows, columns: columns, bytes: memory)
            }
        }
        #expect(error?.sentence == sentence)
    }

    @Test("a matrix keeps what owns its bytes")
    func ownership() throws {
        let weights: [Float] = (0..<64).map { Float($0) - 32 }
        var matrix: WeightMatrix? = try WeightMatrix(.int8, encoding: weights, rows: 2, columns: 32)
        let copy = try #require(matrix)
        matrix = nil
        var row = [Float](repeating: .nan, count: 32)
        copy.decode(row: 0, into: &row)
        #expect(abs(row[0] + 32) < 1e-5 && abs(row[31] + 1) < 0.2)
    }
}
