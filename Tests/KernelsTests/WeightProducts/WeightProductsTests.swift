import Kernels
import Testing

@Suite("Products of few rows with weights of every format")
struct WeightProductsTests {
    static let cases = WeightFormat.allCases.flatMap { format in RowProductPath.allCases.map { (format, $0) } }

    /// y of every path next to sums in double, for rows of x and y that lie apart.
    @Test("agree with sums in double and write nothing next to their rows", arguments: cases.indices)
    func agreement(index: Int) throws {
        let (format, path) = Self.cases[index]
        try skip(unless: path.isAvailable(format), path)
        let sizes =
            format.blockSize <= 2 ? [2, 14, 64, 126, 192, 258, 704] : [1, 2, 3, 7].map { $0 * format.blockSize }
        for (i, k) in sizes.enumerated() {
            let (rows, m) = (1 + i * 3, 1 + i)
            let matrix = try WeightTwin.Matrix(format, rows: rows, columns: k, seed: UInt64(i))
            let (xStride, yStride) = (k + i, rows + 2)
            var bits = SeededBits(seed: 9)
            let x = (0..<m * xStride).map { _ in bits.signedUnit() }
            var y = [Float](repeating: 7, count: m * yStride)
            try y.withUnsafeMutableBufferPointer { y in
                let product = RowProduct(matrix.weights, into: y.baseAddress!, yStride: yStride, path: path)
                try RowProduct.run([product], x, xStride: xStride, m: m, pool: .shared)
            }
            let short = (0..<m).map { row in
                x[(row * xStride)..<(row * xStride + k)].withUnsafeBufferPointer(matrix.activations)
            }
            for row in 0..<rows {
                let (weights, terms) = matrix.row(row)
                for j in 0..<m {
                    let exact = (0..<k).reduce(0.0) { $0 + weights[$1] * short[j][$1] }
                    let size = (0..<k).reduce(0.0) { $0 + terms[$1] * abs(short[j][$1]) }
                    let found = Double(y[j * yStride + row])
                    let allowed = size * Double(k / 16 + 24) * 0x1p-24
                    #expect(abs(found - exact) <= allowed, "k \(k): y[\(j), \(row)]")
                }
            }
            for j in 0..<m { #expect(y[j * yStride + rows] == 7 && y[j * yStride + rows + 1] == 7) }
        }
    }

    @Test("have the same bits for one, two and five threads, alone and among others", arguments: WeightFormat.allCases)
    func sameBits(format: WeightFormat) throws {
        // Rows with half a group at the end are taken in twos.
        for k in [768, 1280] {
            let (rows, m) = (131, 7)
            let matrix = try WeightTwin.Matrix(format, rows: rows, columns: k, seed: 2).weights
            var bits = SeededBits(seed: 4)
            let x = (0..<m * k).map { _ in bits.signedUnit() }
            var whole = [Float](repeating: .nan, count: m * rows)
            try matrix.multiply(x, m: m, into: &whole, pool: .single)
            for threads in [2, 5] {
                var again = [Float](repeating: .nan, count: m * rows)
                try matrix.multiply(x, m: m, into: &again, pool: ThreadPool(threads: threads))
                #expect(isSame(again, whole[...]), "\(threads) threads")
            }
            for count in 1..<m {
                var some = [Float](repeating: .nan, count: count * rows)
                try x.withUnsafeBufferPointer { x in
                    try matrix.multiply(x.baseAddress! + k, m: count, into: &some)
                }
                #expect(isSame(some, whole[rows..<(1 + count) * rows]), "\(count) rows of x")
            }
            try oneRow(of: matrix, x, whole)
        }
    }

    /// Said of all at once: thousands of single numbers would not help.
    private func isSame(_ found: [Float], _ expected: ArraySlice<Float>) -> Bool {
        found.elementsEqual(expected) { $0.bitPattern == $1.bitPattern && !$0.isNaN }
    }

    private func oneRow(of matrix: WeightMatrix, _ x: [Float], _ whole: [Float]) throws {
        guard matrix.format != .nf4 || matrix.columns % 64 == 0 else { return }
        for row in [0, 1, 64, 130] {
            let start = row * matrix.bytesPerRow
            let scales = matrix.scales.map { $0 + (matrix.format == .nf4 ? row * matrix.columns / 64 : row) }
            let alone = try WeightMatrix(
                matrix.format, rows: 1, columns: matrix.columns,
                bytes: UnsafeRawBufferPointer(rebasing: matrix.bytes[start...]), scales: scales)
            var y: Float = .nan
            try alone.multiply(x, m: 1, into: &y)
            #expect(y == whole[row], "row \(row) of W")
        }
    }

    @Test("give several matrices with the same x what each gives alone", arguments: [1, 3, 7, 9], [1, 2])
    func joint(m: Int, threads: Int) throws {
        let formats: [WeightFormat] = [.q4_k, .q4_k, .q6_k, .q8_0, .nf4, .f16, .int8, .q4_0]
        let k = 512
        let matrices = try formats.enumerated().map { i, format in
            try WeightTwin.Matrix(format, rows: 20 + 30 * i, columns: k, seed: UInt64(i))
        }
        var bits = SeededBits(seed: 6)
        let x = (0..<m * k).map { _ in bits.signedUnit() }
        let outputs = matrices.map { UnsafeMutablePointer<Float>.allocate(capacity: m * $0.weights.rows) }
        defer { outputs.forEach { $0.deallocate() } }
        try WeightMatrix.multiply(
            x, m: m, by: matrices.map(\.weights), into: outputs, pool: ThreadPool(threads: threads))
        for (matrix, output) in zip(matrices, outputs) {
            var alone = [Float](repeating: .nan, count: m * matrix.weights.rows)
            try matrix.weights.multiply(x, m: m, into: &alone)
            let found = Array(UnsafeBufferPointer(start: output, count: alone.count))
            #expect(isSame(found, alone[...]), "\(matrix.weights.format)")
        }
    }

    @Test("products with several matrices need one output per matrix and equal numbers of columns")
    func wrongJoints() throws {
        let a = try WeightTwin.Matrix(.f32, rows: 2, columns: 4, seed: 1).weights
        let b = try WeightTwin.Matrix(.f32, rows: 2, columns: 6, seed: 1).weights
        let x = [Float](repeating: 0, count: 6)
        var y: [Float] = [0, 0]
        y.withUnsafeMutableBufferPointer { y in
            let output = y.baseAddress!
            let columns = #expect(throws: KernelError.self) {
                try WeightMatrix.multiply(x, m: 1, by: [a, b], into: [output, output])
            }
            #expect(
                columns?.sentence == "products with the same x: all matrices need the same number of columns, not "
                    + "4 and 6.")
            let outputs = #expect(throws: KernelError.self) {
                try WeightMatrix.multiply(x, m: 1, by: [a, a], into: [output])
            }
            #expect(outputs?.sentence == "products with the same x: expected 2 outputs, one per matrix, but got 1.")
        }
    }

    @Test("take f16 weights as they are: nothing of a product is rounded to sixteen bits")
    func exactHalves() throws {
        let columns = 32
        let halves = [UInt16](repeating: 0x3c01, count: columns)  // 1 + 2⁻¹⁰
        var x = [Float](repeating: 0, count: columns)
        x[0] = 1 + 0x1p-13  // a product of 24 bits
        x[1] = 70_000  // beyond f16
        for path in RowProductPath.allCases where path.isAvailable(.f16) {
            var y: Float = .nan
            try halves.withUnsafeBytes { bytes in
                let matrix = try WeightMatrix(.f16, rows: 1, columns: columns, bytes: bytes)
                let product = RowProduct(matrix, into: &y, yStride: 1, path: path)
                try RowProduct.run([product], x, xStride: columns, m: 1, pool: .single)
            }
            #expect(y == Float((1 + 0x1p-10) * (1 + 0x1p-13) + 70_000 * (1 + 0x1p-10)), "\(path)")
        }
    }

    @Test("from eight rows on agree with those of few rows but for rounding", arguments: WeightFormat.allCases)
    func manyRows(format: WeightFormat) throws {
        let (k, rows, m) = (768, 40, 12)
        let matrix = try WeightTwin.Matrix(format, rows: rows, columns: k, seed: 2).weights
        var bits = SeededBits(seed: 4)
        let x = (0..<m * k).map { _ in bits.signedUnit() }
        var many = [Float](repeating: .nan, count: m * rows), few = many
        try matrix.multiply(x, m: m, into: &many)
        for row in 0..<m {
            try x.withUnsafeBufferPointer { x in
                try few.withUnsafeMutableBufferPointer { few in
                    try matrix.multiply(x.baseAddress! + row * k, m: 1, into: few.baseAddress! + row * rows)
                }
            }
        }
        let (size, error) = zip(many, few).reduce((Float(0), Float(0))) {
            ($0.0 + $1.1 * $1.1, $0.1 + ($1.0 - $1.1) * ($1.0 - $1.1))
        }
        #expect((error / size).squareRoot() < 0.02)
    }
}
