/// The formats by their definition, one number at a time: what the kernels in C are compared with.
package enum QuantizedTwin {
    /// Float32 of an IEEE half, from sign, exponent and mantissa.
    package static func half(_ low: UInt8, _ high: UInt8) -> Double {
        let exponent = Int(high >> 2 & 31)
        let mantissa = Double(Int(high & 3) << 8 | Int(low))
        let magnitude: Double
        switch exponent {
        case 0: magnitude = mantissa * 0x1p-24
        case 31: magnitude = mantissa == 0 ? .infinity : .nan
        default: magnitude = (1024 + mantissa) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
        }
        return high & 0x80 == 0 ? magnitude : -magnitude
    }

    /// What a row of weights decodes to, and next to each weight the magnitude of the terms it is made of, which bounds
    /// how it rounds: |weight|, or |d·S·q| + |dmin·M|.
    package static func decode(
        _ format: Quantization, _ bytes: UnsafeRawBufferPointer, count: Int
    ) -> (weights: [Double], terms: [Double]) {
        var weights = [Double](repeating: 0, count: count)
        var terms = weights
        for i in 0..<count {
            let block = UnsafeRawBufferPointer(
                rebasing: bytes[(i / format.blockSize * format.bytesPerBlock)...].prefix(format.bytesPerBlock))
            let place = i % format.blockSize
            let placeOfD = format == .q6_k ? 208 : 0
            let d = half(block[placeOfD], block[placeOfD + 1])
            switch format {
            case .q8_0:
                weights[i] = d * Double(Int8(bitPattern: block[2 + place]))
                terms[i] = abs(weights[i])
            case .q4_0:
                let nibble = block[2 + place % 16] >> (place < 16 ? 0 : 4) & 15
                weights[i] = d * Double(Int(nibble) - 8)
                terms[i] = abs(weights[i])
            case .q4_k, .q5_k:
                let run = place / 32
                let nibbles = format == .q4_k ? 16 : 48
                let nibble = block[nibbles + run / 2 * 32 + place % 32] >> (run % 2 == 0 ? 0 : 4) & 15
                let fifth = format == .q4_k ? 0 : block[16 + place % 32] >> run & 1
                let (scale, minimum) = sixBits(block, run)
                let step = d * Double(scale) * Double(nibble | fifth << 4)
                let off = half(block[2], block[3]) * Double(minimum)
                weights[i] = step - off
                terms[i] = abs(step) + abs(off)
            case .q6_k:
                let (part, run) = (place / 128, place % 128 / 32)
                let nibble = block[64 * part + run % 2 * 32 + place % 32] >> (run < 2 ? 0 : 4) & 15
                let top = block[128 + 32 * part + place % 32] >> (2 * run) & 3
                let scale = Double(Int8(bitPattern: block[192 + place / 16]))
                weights[i] = d * scale * Double(Int(nibble | top << 4) - 32)
                terms[i] = abs(weights[i])
            }
        }
        return (weights, terms)
    }

    private static func sixBits(_ block: UnsafeRawBufferPointer, _ run: Int) -> (scale: UInt8, minimum: UInt8) {
        let packed = block[4..<16].map(\.self)
        guard run >= 4 else { return (packed[run] & 63, packed[run + 4] & 63) }
        return (
            packed[run + 4] & 15 | (packed[run - 4] >> 6) << 4,
            packed[run + 4] >> 4 | (packed[run] >> 6) << 4
        )
    }

    /// What a row of finite activations is brought to for weights of a format.
    ///
    /// q8_0, q4_0: by 32, d = amax / 127 as float16, q = x · (127 / amax) to nearest even. q*_k: by 256, d = -m / 127
    /// for the extreme value m, q likewise.
    package static func quantized(_ format: Quantization, _ x: UnsafeBufferPointer<Float>) -> [Double] {
        var values = [Double](repeating: 0, count: x.count)
        let size = format.blockSize
        for first in stride(from: 0, to: x.count, by: size) {
            let block = first..<first + size
            let extreme = block.map { x[$0] }.reduce(0) { abs($1) > abs($0) ? $1 : $0 }
            let steps: Float = size == 256 ? -127 / extreme : 127 / abs(extreme)
            guard extreme != 0, steps.isFinite else { continue }
            let scale: Double
            if size == 256 {
                scale = Double(1 / steps)
            } else {
                var pattern: UInt16 = 0
                withUnsafePointer(to: abs(extreme) / 127) { HalfConversion.narrow($0, to: &pattern, count: 1) }
                scale = half(UInt8(truncatingIfNeeded: pattern), UInt8(pattern >> 8))
            }
            for i in block { values[i] = scale * Double((x[i] * steps).rounded(.toNearestOrEven)) }
        }
        return values
    }
}
