internal import Formatting

/// y[m, n] = x[m, k] · Wᵀ with W[n, k] in a format: every code and a wide range of scales occur.
package final class QuantizedProblem: KernelProblem {
    package let m: Int
    package let rows: QuantizedRows
    package let x: AlignedBuffer<Float>
    package let y: AlignedBuffer<Float>
    private let seed: UInt64

    package var n: Int { rows.rows }
    package var k: Int { rows.columns }

    /// - Throws: `KernelError.shape` where k is not a multiple of the format's block.
    package init(_ format: Quantization, _ shape: KernelShape, seed: UInt64) throws(KernelError) {
        let (n, k) = (shape["n"], shape["k"])
        m = shape["m"]
        self.seed = seed
        guard let bytes = format.byteCount(n * k), k % format.blockSize == 0 else {
            throw .shape(
                operation: "matvec-\(format.rawValue)",
                problem: "k=\(k) is not a multiple of the block size \(format.blockSize)")
        }
        let memory = try AlignedBuffer<UInt8>(count: bytes)
        var bits = SeededBits(seed: seed)
        Self.fill(memory, format, &bits)
        rows = try QuantizedRows(
            format, rows: n, columns: k, bytes: UnsafeRawBufferPointer(memory.elements), owner: memory)
        x = try AlignedBuffer(count: m * k)
        y = try AlignedBuffer(count: m * n)
        for i in 0..<x.count { x.pointer[i] = bits.signedUnit() }
    }

    /// Any bytes are weights; only the halves must be kept from infinity: 2⁻⁸ ..< 2⁻⁶, of both signs.
    private static func fill(_ memory: AlignedBuffer<UInt8>, _ format: Quantization, _ bits: inout SeededBits) {
        for i in stride(from: 0, to: memory.count, by: 8) {
            let word = bits.next()
            for j in i..<min(i + 8, memory.count) {
                memory.pointer[j] = UInt8(truncatingIfNeeded: word >> (8 * (j - i)))
            }
        }
        for block in stride(from: 0, to: memory.count, by: format.bytesPerBlock) {
            let highBytes = Self.highBytesOfHalves(format)
            for place in highBytes { memory.pointer[block + place] = memory.pointer[block + place] & 0x87 | 0x18 }
        }
    }

    private static func highBytesOfHalves(_ format: Quantization) -> [Int] {
        switch format {
        case .q8_0, .q4_0: [1]
        case .q4_k, .q5_k: [1, 3]
        case .q6_k: [209]
        }
    }

    package var workingSet: Int { rows.bytes.count + x.byteCount + y.byteCount }

    package func poisonOutput() { y.pointer.update(repeating: .nan, count: y.count) }

    package func multiply(_ path: QuantizedRows.Path, _ pool: ThreadPool) {
        // Without memory for the activations the output stays as it is, and the gate says so.
        try? rows.multiply(x.pointer, xStride: k, m: m, into: y.pointer, yStride: n, path: path, pool: pool)
    }

    /// A sample of y next to float64 sums of the decoded weights and of the activations in 8 bits; what those 8 bits
    /// add against the activations themselves is reported in the bound.
    package func agreement() -> KernelAgreement {
        var bits = SeededBits(seed: seed ^ 0x5eed)
        let weightRows = bits.sample(of: n, atMost: 24)
        let activationRows = bits.sample(of: m, atMost: 12)
        // A rounding a block, and those of the scales' product, the tree and the answer.
        let roundings = Double(k / 32 + 12) * 0x1p-24
        let growth = roundings / (1 - roundings)
        let activations = activationRows.map { row in
            let exact = UnsafeBufferPointer(start: x.pointer + row * k, count: k)
            return (row: row, exact: exact, short: QuantizedTwin.quantized(rows.format, exact))
        }
        var worst = KernelAgreement(
            worst: 0, bound: "", place: "", compared: weightRows.count * activationRows.count)
        var squares = 0.0
        var shortening = 0.0
        for row in weightRows {
            let bytes = UnsafeRawBufferPointer(rebasing: rows.bytes[(row * rows.bytesPerRow)...])
            let (weights, terms) = QuantizedTwin.decode(rows.format, bytes, count: k)
            for x in activations {
                var (short, exact, magnitude) = (0.0, 0.0, 0.0)
                for p in 0..<k {
                    short += weights[p] * x.short[p]
                    exact += weights[p] * Double(x.exact[p])
                    magnitude += terms[p] * abs(x.short[p])
                }
                squares += exact * exact
                shortening += (short - exact) * (short - exact)
                let found = Double(y.pointer[x.row * n + row])
                worst.consider(found, beside: short, allowed: growth * magnitude) { "y[\(x.row), \(row)]" }
            }
        }
        let share = squares > 0 ? (shortening / squares).squareRoot() : 0
        worst.bound =
            "γ(k/32 + 12) Σ|w||x|, u = 2⁻²⁴, for x in 8 bits, which differs from the exact x by "
            + "\(Format.percent(share, digits: 3)) of y"
        worst.refuseUnwritten(in: y.elements, isUnwritten: \.isNaN) { "y[\($0 / n), \($0 % n)]" }
        return worst
    }
}
