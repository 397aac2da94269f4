import Kernels

/// Weights by the definition of their formats, one number at a time, and random matrices of them.
enum WeightTwin {
    /// Quantiles of the normal distribution, as bitsandbytes prints them.
    static let nf4: [Float] = [
        -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
        -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725,
        0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
    ]

    /// Bytes and scales of a matrix, any codes, with every exponent of a number kept usual.
    final class Matrix {
        let weights: WeightMatrix
        private let scales: [Float]

        init(_ format: WeightFormat, rows: Int, columns: Int, seed: UInt64) throws {
            var bits = SeededBits(seed: seed)
            let memory = try AlignedBuffer<UInt8>(count: format.byteCount(rows * columns) ?? 0)
            for i in 0..<memory.count { memory[i] = UInt8(truncatingIfNeeded: bits.next() >> 33) }
            let highBytes: [Int] =
                switch format {
                case .f32: [3]
                case .f16, .bf16, .q8_0, .q4_0: [1]
                case .q4_k, .q5_k: [1, 3]
                case .q6_k: [209]
                case .nf4, .int8: []
                }
            for block in stride(from: 0, to: memory.count, by: format.bytesPerBlock) {
                for place in highBytes {
                    let usual: UInt8 = format == .f32 || format == .bf16 ? 0x3e : 0x18
                    memory[block + place] = memory[block + place] & 0x81 | usual
                }
            }
            scales = (0..<format.scaleCount(rows: rows, columns: columns)).map { _ in abs(bits.signedUnit()) + 0.1 }
            let owner = try Owner(bytes: memory, scales: AlignedBuffer(count: scales.count))
            for (i, scale) in scales.enumerated() { owner.scales[i] = scale }
            weights = try WeightMatrix(
                format, rows: rows, columns: columns, bytes: UnsafeRawBufferPointer(memory.elements),
                scales: scales.isEmpty ? nil : UnsafePointer(owner.scales.pointer), owner: owner)
        }

        /// What a weight is, in double, and the magnitude of the terms it is made of.
        func row(_ row: Int) -> (weights: [Double], terms: [Double]) {
            let (format, columns) = (weights.format, weights.columns)
            let bytes = UnsafeRawBufferPointer(rebasing: weights.bytes[(row * weights.bytesPerRow)...])
            if let quantization = format.quantization {
                return QuantizedTwin.decode(quantization, bytes, count: columns)
            }
            let values = (0..<columns).map { column -> Double in
                let place = row * columns + column
                switch format {
                case .f32: return Double(bytes.loadUnaligned(fromByteOffset: 4 * column, as: Float.self))
                case .f16: return QuantizedTwin.half(bytes[2 * column], bytes[2 * column + 1])
                case .bf16:
                    let pattern = UInt32(bytes[2 * column]) << 16 | UInt32(bytes[2 * column + 1]) << 24
                    return Double(Float(bitPattern: pattern))
                case .nf4:
                    let byte = weights.bytes[place / 2]
                    let nibble = place % 2 == 0 ? byte >> 4 : byte & 15
                    return Double(WeightTwin.nf4[Int(nibble)] * scales[place / 64])
                default:
                    let q = Float(Int8(bitPattern: bytes[column]))
                    return Double(q * scales[row] * 7.874015718698502e-3)
                }
            }
            return (values, values.map { abs($0) })
        }

        /// What a row of x is where it meets these weights.
        func activations(_ x: UnsafeBufferPointer<Float>) -> [Double] {
            guard let quantization = weights.format.quantization else { return x.map { Double($0) } }
            return QuantizedTwin.quantized(quantization, x)
        }
    }
}

/// What a matrix and its copies keep.
private final class Owner {
    let bytes: AlignedBuffer<UInt8>
    let scales: AlignedBuffer<Float>

    init(bytes: AlignedBuffer<UInt8>, scales: AlignedBuffer<Float>) {
        self.bytes = bytes
        self.scales = scales
    }
}
