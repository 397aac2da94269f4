import Glibc
import JSON
import Kernels
import System

/// Accuracy of flash attention against the same sums in float64, and its memory use in addition to the operands.
struct AttentionAccuracy: JSONRepresentable {
    static let queries = 4096
    static let width = 64

    /// |o - expected| / |expected| over the compared rows, by the Euclidean norm, and for the worst row.
    private(set) var relativeError = 0.0
    private(set) var worstRow = 0.0
    private(set) var rowsCompared = 0
    let threads: Int
    /// Growth of the process's private memory in the first call; `nil` if the system does not report it.
    let scratchBytes: Int?
    var scoreBytes: Int { 4 * Self.queries * Self.queries }

    /// - Parameter pool: Pool on which attention has not run yet; memory that its threads keep from an earlier call
    ///   would be missed.
    init(pool: ThreadPool) throws {
        let (queries, width) = (Self.queries, Self.width)
        let count = queries * width
        let operands = try AlignedBuffer<Float>(count: 4 * count)
        var bits = SeededBits(seed: 16)
        // The variance must be 1; numbers in -1 ..< 1 have a variance of 1/3.
        for i in 0..<3 * count { operands.pointer[i] = bits.signedUnit() * Float(3).squareRoot() }
        let (q, k, v, o) = (
            operands.pointer, operands.pointer + count, operands.pointer + 2 * count, operands.pointer + 3 * count
        )
        pool.run(chunks: 4 * pool.threads) { _, _ in }
        threads = pool.threads
        let before = Self.ownMemory
        try Attention.forward(
            q: AttentionView(q, rows: queries, width: width), k: AttentionView(k, rows: queries, width: width),
            v: AttentionView(v, rows: queries, width: width),
            into: MutableAttentionView(o, rows: queries, width: width),
            shape: AttentionShape(heads: 1, queries: queries, width: width), pool: pool)
        let after = Self.ownMemory
        scratchBytes = before.flatMap { before in after.map { $0 - before } }
        compare(q: q, k: k, v: v, o: o)
    }

    /// Compares every 16th row with softmax(q Kᵀ / √d) V in float64.
    private mutating func compare(
        q: UnsafePointer<Float>, k: UnsafePointer<Float>, v: UnsafePointer<Float>, o: UnsafePointer<Float>
    ) {
        let (queries, width) = (Self.queries, Self.width)
        var errors = 0.0, norms = 0.0
        for row in stride(from: 0, to: queries, by: 16) {
            var weights = (0..<queries).map { key in
                (0..<width).reduce(0.0) { $0 + Double(q[row * width + $1]) * Double(k[key * width + $1]) }
                    / Double(width).squareRoot()
            }
            let largest = weights.max() ?? 0
            for key in 0..<queries { weights[key] = exp(weights[key] - largest) }
            let sum = weights.reduce(0, +)
            var expected = [Double](repeating: 0, count: width)
            for key in 0..<queries {
                for column in 0..<width { expected[column] += weights[key] / sum * Double(v[key * width + column]) }
            }
            var error = 0.0, norm = 0.0
            for column in 0..<width {
                let difference = Double(o[row * width + column]) - expected[column]
                error += difference * difference
                norm += expected[column] * expected[column]
            }
            errors += error
            norms += norm
            worstRow = max(worstRow, (error / norm).squareRoot())
            rowsCompared += 1
        }
        relativeError = (errors / norms).squareRoot()
    }

    /// Bytes private to this process, without code and mapped files.
    private static var ownMemory: Int? {
        let text = String(decoding: SmallFile.head("/proc/self/smaps_rollup", 1 << 16) ?? [], as: UTF8.self)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first == "Anonymous:", words.count > 1, let kib = Int(words[1]) { return kib * 1024 }
        }
        return nil
    }

    var sentence: String {
        let scratch = scratchBytes.map { "\($0 / 1024) KiB on \(threads) threads" } ?? "an unknown amount of memory"
        return "flash attention of \(Self.queries) queries, width \(Self.width): relative error \(relativeError); uses "
            + "\(scratch) in addition to its operands, compared with \(scoreBytes >> 20) MiB for all scores"
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("queries", Self.queries)
            $0.member("width", Self.width)
            $0.member("relative_error", relativeError)
            $0.member("worst_row_error", worstRow)
            $0.member("rows_compared", rowsCompared)
            $0.member("threads", threads)
            $0.member("scratch_bytes", ifPresent: scratchBytes)
            $0.member("score_bytes", scoreBytes)
        }
    }
}
