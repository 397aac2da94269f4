import CKernels
import Kernels
import Testing

@Suite("Conversions between float widths")
struct ConversionTests {
    /// Every way on this machine: the portable one, then AVX2.
    static let ways: [orrery_conversions] = {
        let avx2 = ProcessorFeatures.present.contains(.avx2) ? orrery_conversions_avx2() : nil
        return [orrery_conversions_portable] + (avx2.map { [$0.pointee] } ?? [])
    }()

    @Test("every half has the value of its sign, exponent and mantissa", arguments: ways.indices)
    func everyHalf(way: Int) {
        let patterns = (0...UInt16.max).map(\.self)
        var found = [Float](repeating: 0, count: patterns.count)
        Self.ways[way].f32_of_f16(patterns, &found, patterns.count)
        for pattern in patterns {
            let expected = Float(QuantizedTwin.half(UInt8(truncatingIfNeeded: pattern), UInt8(pattern >> 8)))
            let value = found[Int(pattern)]
            #expect(value == expected || (value.isNaN && expected.isNaN), "half \(pattern)")
            #expect(!value.isSignalingNaN)
            #expect((value.sign == .minus) == (pattern & 0x8000 != 0))
        }
    }

    @Test("every half survives the way to float32 and back; a signalling NaN comes back quiet", arguments: ways.indices)
    func halvesComeBack(way: Int) {
        let patterns = (0...UInt16.max).map(\.self)
        var wide = [Float](repeating: 0, count: patterns.count)
        var back = [UInt16](repeating: 0, count: patterns.count)
        Self.ways[way].f32_of_f16(patterns, &wide, patterns.count)
        Self.ways[way].f16_of_f32(wide, &back, patterns.count)
        for (before, after) in zip(patterns, back) {
            let isNaN = before & 0x7c00 == 0x7c00 && before & 0x3ff != 0
            #expect(after == (isNaN ? before | 0x200 : before))
        }
    }

    @Test("between two neighboring halves the nearest is taken, in the middle the even one", arguments: ways.indices)
    func halvesRound(way: Int) {
        var inputs: [Float] = []
        var expected: [UInt16] = []
        for pattern in 0..<UInt16(0x7bff) {  // up to the pair of the largest finite one
            let low = QuantizedTwin.half(UInt8(truncatingIfNeeded: pattern), UInt8(pattern >> 8))
            let high = QuantizedTwin.half(UInt8(truncatingIfNeeded: pattern + 1), UInt8((pattern + 1) >> 8))
            let middle = Float((low + high) / 2)
            inputs += [middle.nextDown, middle, middle.nextUp, -middle]
            let even = pattern & 1 == 0 ? pattern : pattern + 1
            expected += [pattern, even, pattern + 1, even | 0x8000]
        }
        inputs += [
            65_519.996, 65_520, .greatestFiniteMagnitude, .infinity, 0x1p-25, Float(0x1p-25).nextUp, 0x1p-149, -0.0,
        ]
        expected += [0x7bff, 0x7c00, 0x7c00, 0x7c00, 0, 1, 0, 0x8000]
        var found = [UInt16](repeating: 0, count: inputs.count)
        Self.ways[way].f16_of_f32(inputs, &found, inputs.count)
        #expect(found == expected)
    }

    @Test("every bfloat16 is the upper half of its float32", arguments: ways.indices)
    func everyBFloat16(way: Int) {
        let patterns = (0...UInt16.max).map(\.self)
        var wide = [Float](repeating: 0, count: patterns.count)
        Self.ways[way].f32_of_bf16(patterns, &wide, patterns.count)
        for pattern in patterns { #expect(wide[Int(pattern)].bitPattern == UInt32(pattern) << 16) }
    }

    @Test("narrowing to bfloat16 takes the nearest, in the middle the even one", arguments: ways.indices)
    func bfloat16Rounds(way: Int) {
        var inputs: [Float] = []
        var expected: [UInt16] = []
        for pattern in 0...UInt16.max {
            let isNaN = pattern & 0x7f80 == 0x7f80 && pattern & 0x7f != 0
            let infinity = pattern & 0x7fff == 0x7f80
            for lower: UInt32 in [0, 1, 0x7fff, 0x8000, 0x8001, 0xffff] {
                inputs.append(Float(bitPattern: UInt32(pattern) << 16 | lower))
                let roundsUp = lower > 0x8000 || (lower == 0x8000 && pattern & 1 == 1)
                let quiet = isNaN || (infinity && lower != 0)
                expected.append(quiet ? pattern | 0x40 : roundsUp ? pattern + 1 : pattern)
            }
        }
        var found = [UInt16](repeating: 0, count: inputs.count)
        inputs.withUnsafeBufferPointer { Self.ways[way].bf16_of_f32($0.baseAddress, &found, $0.count) }
        #expect(found == expected)
        #expect(zip(inputs, expected).allSatisfy { BFloat16Conversion.narrow($0) == $1 })
    }

    @Test("arrays of any length are converted whole and nothing beyond", arguments: ways.indices)
    func lengths(way: Int) {
        let table = Self.ways[way]
        for count in 0..<40 {
            let values = (0..<count).map { Float($0) + 0.5 }
            var half = [UInt16](repeating: 0xabcd, count: count + 1)
            var brain = half
            table.f16_of_f32(values, &half, count)
            table.bf16_of_f32(values, &brain, count)
            #expect(half[count] == 0xabcd && brain[count] == 0xabcd)
            var back = [Float](repeating: -1, count: count + 1)
            table.f32_of_f16(half, &back, count)
            #expect(Array(back[..<count]) == values && back[count] == -1)
            table.f32_of_bf16(brain, &back, count)
            #expect(Array(back[..<count]) == values && back[count] == -1)
        }
    }
}
