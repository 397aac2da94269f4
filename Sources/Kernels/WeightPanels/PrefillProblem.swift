/// y[m, n] = x[m, k] · Wᵀ with W[n, k] in a format: every code and a wide range of scales occur.
package final class PrefillProblem: KernelProblem {
    package let m: Int
    package let w: WeightMatrix
    package let x: AlignedBuffer<Float>
    package let y: AlignedBuffer<Float>
    private let seed: UInt64

    package var n: Int { w.rows }
    package var k: Int { w.columns }

    /// - Parameter format: one with its scales inside.
    /// - Throws: `KernelError.shape` where k is not a multiple of the format's block.
    package init(_ format: WeightFormat, _ shape: KernelShape, seed: UInt64) throws(KernelError) {
        let (n, k) = (shape["n"], shape["k"])
        m = shape["m"]
        self.seed = seed
        guard k % format.blockSize == 0, let bytes = format.byteCount(n * k) else {
            throw .shape(
                operation: "products of \(format.rawValue)",
                problem: "k=\(k) is not a multiple of the block size \(format.blockSize)")
        }
        let memory = try AlignedBuffer<UInt8>(count: bytes)
        var bits = SeededBits(seed: seed)
        Self.fill(memory, format, &bits)
        w = try WeightMatrix(
            format, rows: n, columns: k, bytes: UnsafeRawBufferPointer(memory.elements), owner: memory)
        x = try AlignedBuffer(count: m * k)
        y = try AlignedBuffer(count: m * n)
        for i in 0..<x.count { x.pointer[i] = bits.signedUnit() }
    }

    /// Any bytes are weights; only numbers of 16 bits must be kept from infinity and from nothing: float16 at
    /// 2⁻⁸ ..< 2⁻⁶, bfloat16 at 2⁻³ ..< 2, of both signs.
    private static func fill(_ memory: AlignedBuffer<UInt8>, _ format: WeightFormat, _ bits: inout SeededBits) {
        for i in stride(from: 0, to: memory.count, by: 8) {
            let word = bits.next()
            for j in i..<min(i + 8, memory.count) {
                memory.pointer[j] = UInt8(truncatingIfNeeded: word >> (8 * (j - i)))
            }
        }
        let highBytes = format == .q4_k ? [1, 3] : [1]
        let (free, set): (UInt8, UInt8) = format == .bf16 ? (0x81, 0x3E) : (0x87, 0x18)
        for block in stride(from: 0, to: memory.count, by: format.bytesPerBlock) {
            for place in highBytes { memory.pointer[block + place] = memory.pointer[block + place] & free | set }
        }
    }

    package var workingSet: Int { w.bytes.count + x.byteCount + y.byteCount }

    package func poisonOutput() { y.pointer.update(repeating: .nan, count: y.count) }

    /// A sample of y next to float64 sums of decoded weights and activations as they are. Where a rung brings activations
    /// to 8 bits each may be off by half a step of its run of 32, and that is allowed: Σ|w| · amax / 254.
    package func agreement() -> KernelAgreement {
        var bits = SeededBits(seed: seed ^ 0x5eed)
        let weightRows = bits.sample(of: n, atMost: 24)
        let activationRows = bits.sample(of: m, atMost: 12)
        let roundings = Double(k + 12) * 0x1p-24
        let growth = roundings / (1 - roundings)
        let steps = activationRows.map { row in Self.halfSteps(x.pointer + row * k, count: k) }
        var weights = [Float](repeating: 0, count: k)
        var worst = KernelAgreement(
            worst: 0, bound: bound, place: "", compared: weightRows.count * activationRows.count)
        for row in weightRows {
            w.decode(row: row, into: &weights)
            for (index, i) in activationRows.enumerated() {
                var (exact, magnitude, shortening) = (0.0, 0.0, 0.0)
                for p in 0..<k {
                    let weight = Double(weights[p])
                    exact += weight * Double(x.pointer[i * k + p])
                    magnitude += abs(weight) * (abs(Double(x.pointer[i * k + p])) + roundingOfTerms)
                    shortening += abs(weight) * steps[index][p / 32]
                }
                let allowed = growth * magnitude + (isInteger ? shortening : 0)
                worst.consider(Double(y.pointer[i * n + row]), beside: exact, allowed: allowed) { "y[\(i), \(row)]" }
            }
        }
        worst.refuseUnwritten(in: y.elements, isUnwritten: \.isNaN) { "y[\($0 / n), \($0 % n)]" }
        return worst
    }

    private var isInteger: Bool { w.format.quantization != nil }

    /// Weights of q4_k are differences whose terms round before they cancel: 2 covers d · S · q + dmin · M of |x| < 1.
    private var roundingOfTerms: Double { w.format == .q4_k ? 2 : 0 }

    private var bound: String {
        isInteger ? "γ(k + 12) Σ|w||x|, and Σ|w| · amax / 254 for x in 8 bits in runs of 32" : "γ(k + 12) Σ|w||x|"
    }

    /// Half a step of 8 bits for each run of 32.
    private static func halfSteps(_ x: UnsafePointer<Float>, count: Int) -> [Double] {
        stride(from: 0, to: count, by: 32).map { (first: Int) -> Double in
            var largest: Float = 0
            for p in first..<min(count, first + 32) { largest = max(largest, abs(x[p])) }
            return Double(largest) / 254 * (1 + 0x1p-20)
        }
    }
}
