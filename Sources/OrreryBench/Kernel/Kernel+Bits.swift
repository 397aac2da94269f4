import ArgumentParser
import CommandSupport
import JSON
import Kernels

extension Bench.Kernel {
    /// Checks properties that speed measurements do not show: that bits depend only on the operands, and the accuracy
    /// and memory use of flash attention.
    struct Bits: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "bits",
            abstract: "Check that results do not depend on threads or row count.")

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let survey = try BitSurvey()
                if output.json {
                    Output.json(survey)
                } else {
                    Output.result(survey.text)
                }
                if survey.differing > 0 { throw ExitCode(1) }
            }
        }
    }
}

/// One check: how many numbers were compared, and how many differ in any bit.
struct BitCheck: JSONRepresentable {
    var what: String
    var compared: Int
    var differing: Int

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("what", what)
            $0.member("compared", compared)
            $0.member("differing", differing)
        }
    }
}

/// All checks on this machine.
struct BitSurvey: JSONRepresentable {
    /// Number of threads compared with one thread: those of the machine, at least two.
    let threads = max(2, ThreadPool.usableProcessors)
    private(set) var checks: [BitCheck] = []
    let attention: AttentionAccuracy

    /// Rows for comparing threads: several chunks of every kernel.
    private static let rows = 320
    /// Number of rows with which a single row is compared.
    private static let neighbors = 64

    init() throws {
        let pool = ThreadPool(threads: threads)
        attention = try AttentionAccuracy(pool: pool)
        try addProducts(pool)
        try addDots(pool)
        try addQuantized(pool)
        try addRows(pool)
        try addAttention(pool)
    }

    var differing: Int { checks.reduce(0) { $0 + $1.differing } }

    var text: String {
        var table = TextTable(["result", "numbers", "differing"], rightAligned: [1, 2])
        for check in checks { table.add([check.what, String(check.compared), String(check.differing)]) }
        return table.text + "\n\n" + attention.sentence
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("threads", threads)
            $0.member("checks", checks)
            $0.member("attention", attention)
        }
    }

    /// Compares the results of all rows on one thread with those on many, and each of 64 rows alone with the row among
    /// others.
    ///
    /// - Parameter compute: Writes `width` numbers for each row of a range; row r has the same operands in every range.
    private mutating func compare<Number: BitwiseCopyable>(
        _ what: String, width: Int, of _: Number.Type, pool: ThreadPool,
        compute: (Range<Int>, ThreadPool, UnsafeMutablePointer<Number>) throws -> Void
    ) throws {
        func result(_ range: Range<Int>, _ pool: ThreadPool, poison: UInt8) throws -> BitPatterns<Number> {
            let result = try BitPatterns<Number>(count: range.count * width, poison: poison)
            try compute(range, pool, result.pointer)
            return result
        }
        let one = try result(0..<Self.rows, .single, poison: 0x7f)
        let many = try result(0..<Self.rows, pool, poison: 0xff)
        checks.append(
            BitCheck(
                what: "\(what): 1 thread and \(threads)", compared: one.count,
                differing: one.differing(from: many, at: 0, at: 0, count: one.count)))
        let together = try result(0..<Self.neighbors, pool, poison: 0x7f)
        var differing = 0
        for row in 0..<Self.neighbors {
            let alone = try result(row..<row + 1, .single, poison: 0xff)
            differing += alone.differing(from: together, at: 0, at: row * width, count: width)
        }
        checks.append(
            BitCheck(
                what: "\(what): a row alone and among \(Self.neighbors)", compared: together.count,
                differing: differing))
    }
}

extension BitSurvey {
    // Sizes that are not multiples of any tile, vector, or block; sums span more than two blocks of 384.
    private static let inner = 1030
    private static let columns = 515

    private mutating func addProducts(_ pool: ThreadPool) throws {
        let (inner, columns) = (Self.inner, Self.columns)
        let a = try noise(Self.rows * inner, seed: 1)
        let b = try noise(inner * columns, seed: 2)
        let view = MatrixView(UnsafePointer(b.pointer), rows: inner, columns: columns)
        let packed = try PackedMatrix(view)
        func operands(_ range: Range<Int>, _ c: UnsafeMutablePointer<Float>)
            -> (MatrixView<Float>, MutableMatrixView<Float>)
        {
            (
                MatrixView(a.pointer + range.lowerBound * inner, rows: range.count, columns: inner),
                MutableMatrixView(c, rows: range.count, columns: columns)
            )
        }
        try compare("product, float32", width: columns, of: Float.self, pool: pool) { range, pool, c in
            let (some, into) = operands(range, c)
            try MatrixProduct.multiply(some, view, into: into, pool: pool)
        }
        try compare("product, float32, packed", width: columns, of: Float.self, pool: pool) { range, pool, c in
            let (some, into) = operands(range, c)
            try MatrixProduct.multiply(some, packed, into: into, pool: pool)
        }
        try addDoubleProducts(a, b, pool)
    }

    private mutating func addDoubleProducts(
        _ a: AlignedBuffer<Float>, _ b: AlignedBuffer<Float>, _ pool: ThreadPool
    ) throws {
        let (inner, columns) = (Self.inner, Self.columns)
        let wideA = try AlignedBuffer<Double>(count: a.count), wideB = try AlignedBuffer<Double>(count: b.count)
        // Thirds use all digits of a double.
        for i in 0..<a.count { wideA.pointer[i] = Double(a.pointer[i]) / 3 }
        for i in 0..<b.count { wideB.pointer[i] = Double(b.pointer[i]) / 3 }
        let view = MatrixView(UnsafePointer(wideB.pointer), rows: inner, columns: columns)
        let packed = try PackedMatrix(view)
        func operands(_ range: Range<Int>, _ c: UnsafeMutablePointer<Double>)
            -> (MatrixView<Double>, MutableMatrixView<Double>)
        {
            (
                MatrixView(wideA.pointer + range.lowerBound * inner, rows: range.count, columns: inner),
                MutableMatrixView(c, rows: range.count, columns: columns)
            )
        }
        try compare("product, float64", width: columns, of: Double.self, pool: pool) { range, pool, c in
            let (some, into) = operands(range, c)
            try MatrixProduct.multiply(some, view, into: into, pool: pool)
        }
        try compare("product, float64, packed", width: columns, of: Double.self, pool: pool) { range, pool, c in
            let (some, into) = operands(range, c)
            try MatrixProduct.multiply(some, packed, into: into, pool: pool)
        }
    }

    private mutating func addDots(_ pool: ThreadPool) throws {
        let (inner, columns) = (Self.inner, Self.columns)
        let floats = try noise(Self.rows * inner + inner * columns, seed: 3)
        let half = try AlignedBuffer<UInt16>(count: floats.count)
        let bytes = try AlignedBuffer<Int8>(count: floats.count)
        BFloat16Conversion.narrow(floats.pointer, to: half.pointer, count: floats.count)
        for i in 0..<floats.count { bytes.pointer[i] = Int8((floats.pointer[i] * 127).rounded()) }
        let (b, c) = (half.pointer + Self.rows * inner, bytes.pointer + Self.rows * inner)
        let packedB = try PackedBF16Matrix(b, stride: columns, k: inner, n: columns)
        let packedC = try PackedInt8Matrix(c, stride: columns, k: inner, n: columns)
        try compare("product, bfloat16", width: columns, of: Float.self, pool: pool) { range, pool, into in
            DotProduct.multiply(
                bf16: half.pointer + range.lowerBound * inner, aStride: inner, by: b, bStride: columns, into: into,
                cStride: columns, m: range.count, n: columns, k: inner, pool: pool)
        }
        try compare("product, bfloat16, packed", width: columns, of: Float.self, pool: pool) { range, pool, into in
            packedB.multiply(
                half.pointer + range.lowerBound * inner, aStride: inner, m: range.count, into: into, cStride: columns,
                pool: pool)
        }
        try compare("product, int8", width: columns, of: Int32.self, pool: pool) { range, pool, into in
            DotProduct.multiply(
                int8: bytes.pointer + range.lowerBound * inner, aStride: inner, by: c, bStride: columns, into: into,
                cStride: columns, m: range.count, n: columns, k: inner, pool: pool)
        }
        try compare("product, int8, packed", width: columns, of: Int32.self, pool: pool) { range, pool, into in
            packedC.multiply(
                bytes.pointer + range.lowerBound * inner, aStride: inner, m: range.count, into: into, cStride: columns,
                pool: pool)
        }
    }

    private mutating func addQuantized(_ pool: ThreadPool) throws {
        let (inner, columns) = (1024, Self.columns)
        let x = try noise(Self.rows * inner, seed: 4)
        let weights = try noise(columns * inner, seed: 5)
        for format in Quantization.allCases {
            let rows = try QuantizedRows(format, encoding: weights.pointer, rows: columns, columns: inner)
            let what = "rows of \(format.rawValue.uppercased())"
            try compare(what, width: columns, of: Float.self, pool: pool) { range, pool, y in
                try rows.multiply(
                    x.pointer + range.lowerBound * inner, xStride: inner, m: range.count, into: y, yStride: columns,
                    pool: pool)
            }
        }
    }

    private mutating func addRows(_ pool: ThreadPool) throws {
        let columns = 2 * Self.columns
        let x = try noise(Self.rows * columns, seed: 6)
        let gain = try noise(columns, seed: 7), bias = try noise(columns, seed: 8)
        // Every third row needs the maximum for its exponentials, so both code paths occur next to each other.
        for row in stride(from: 1, to: Self.rows, by: 3) {
            for column in 0..<columns { x.pointer[row * columns + column] *= 200 }
        }
        try compare("softmax", width: columns, of: Float.self, pool: pool) { range, pool, y in
            Rows.softmax(
                x.pointer + range.lowerBound * columns, into: y, rows: range.count, columns: columns, pool: pool)
        }
        try compare("layer norm", width: columns, of: Float.self, pool: pool) { range, pool, y in
            Rows.layerNorm(
                x.pointer + range.lowerBound * columns, into: y, gain: gain.pointer, bias: bias.pointer,
                rows: range.count, columns: columns, pool: pool)
        }
        try compare("RMS norm", width: columns, of: Float.self, pool: pool) { range, pool, y in
            Rows.rmsNorm(
                x.pointer + range.lowerBound * columns, into: y, gain: gain.pointer, rows: range.count,
                columns: columns, pool: pool)
        }
    }

    private mutating func addAttention(_ pool: ThreadPool) throws {
        let (width, cached) = (72, 390)
        let operands = try (9...11).map { try noise((cached + Self.rows) * width, seed: $0) }
        for isCausal in [false, true] {
            // A result row is a query's output and its log-sum-exp.
            let what = isCausal ? "causal attention" : "attention"
            try compare(what, width: width + 1, of: Float.self, pool: pool) { range, pool, into in
                let logSumExp = try AlignedBuffer<Float>(count: range.count)
                // With a causal mask, a single query is the last of the keys so far, as in decoding.
                let keys = isCausal ? cached + range.upperBound : cached
                try Attention.forward(
                    q: AttentionView(operands[0].pointer + range.lowerBound * width, rows: range.count, width: width),
                    k: AttentionView(operands[1].pointer, rows: keys, width: width),
                    v: AttentionView(operands[2].pointer, rows: keys, width: width),
                    into: MutableAttentionView(into, headStride: 0, rowStride: width + 1),
                    logSumExp: logSumExp.pointer,
                    shape: AttentionShape(
                        heads: 1, queries: range.count, keys: keys, width: width, isCausal: isCausal), pool: pool)
                for i in 0..<range.count { into[i * (width + 1) + width] = logSumExp.pointer[i] }
            }
        }
        checks.append(try attentionGradients(pool))
    }

    private func attentionGradients(_ pool: ThreadPool) throws -> BitCheck {
        let (shape, rows, width) = (
            AttentionShape(heads: 4, kvHeads: 2, queries: 300, width: 72, isCausal: true), 300, 72
        )
        let q = try noise(4 * rows * width, seed: 12), outputGradient = try noise(4 * rows * width, seed: 13)
        let k = try noise(2 * rows * width, seed: 14), v = try noise(2 * rows * width, seed: 15)
        let o = try AlignedBuffer<Float>(count: q.count), logSumExp = try AlignedBuffer<Float>(count: 4 * rows)
        func view(_ buffer: AlignedBuffer<Float>) -> AttentionView {
            AttentionView(buffer.pointer, rows: rows, width: width)
        }
        try Attention.forward(
            q: view(q), k: view(k), v: view(v), into: MutableAttentionView(o.pointer, rows: rows, width: width),
            logSumExp: logSumExp.pointer, shape: shape)
        func gradients(_ pool: ThreadPool, poison: UInt8) throws -> BitPatterns<Float> {
            let all = try BitPatterns<Float>(count: q.count + k.count + v.count, poison: poison)
            try Attention.backward(
                q: view(q), k: view(k), v: view(v), o: view(o), logSumExp: logSumExp.pointer,
                outputGradient: view(outputGradient),
                into: (
                    q: MutableAttentionView(all.pointer, rows: rows, width: width),
                    k: MutableAttentionView(all.pointer + q.count, rows: rows, width: width),
                    v: MutableAttentionView(all.pointer + q.count + k.count, rows: rows, width: width)
                ), shape: shape, pool: pool)
            return all
        }
        let one = try gradients(.single, poison: 0x7f), many = try gradients(pool, poison: 0xff)
        return BitCheck(
            what: "gradients of attention: 1 thread and \(threads)", compared: one.count,
            differing: one.differing(from: many, at: 0, at: 0, count: one.count))
    }

    /// Returns numbers in -1 ..< 1.
    private func noise(_ count: Int, seed: Int) throws -> AlignedBuffer<Float> {
        let buffer = try AlignedBuffer<Float>(count: count)
        var bits = SeededBits(seed: UInt64(seed))
        for i in 0..<count { buffer.pointer[i] = bits.signedUnit() }
        return buffer
    }
}

/// Results for comparison bit by bit. Unwritten numbers differ, because each result has its own poison value.
private struct BitPatterns<Number: BitwiseCopyable> {
    private let buffer: AlignedBuffer<Number>

    init(count: Int, poison: UInt8) throws {
        buffer = try AlignedBuffer(count: count)
        UnsafeMutableRawBufferPointer(buffer.elements).initializeMemory(as: UInt8.self, repeating: poison)
    }

    var count: Int { buffer.count }
    var pointer: UnsafeMutablePointer<Number> { buffer.pointer }

    /// Returns how many numbers of a part differ in any bit.
    func differing(from other: Self, at place: Int, at otherPlace: Int, count: Int) -> Int {
        let size = MemoryLayout<Number>.stride
        let mine = UnsafeRawBufferPointer(start: pointer + place, count: count * size)
        let others = UnsafeRawBufferPointer(start: other.pointer + otherPlace, count: count * size)
        return (0..<count).count { number in
            !mine[number * size..<(number + 1) * size].elementsEqual(others[number * size..<(number + 1) * size])
        }
    }
}
