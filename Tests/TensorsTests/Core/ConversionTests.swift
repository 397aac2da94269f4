import Tensors
import Testing

@Suite struct ConversionTests {
    @Test(
        "conversions are NumPy's, bit by bit",
        arguments: [
            GoldenCase("float32 to float16") { try $0.float().converted(to: Float16.self) },
            GoldenCase("float64 to float16") { try $0.tensor(as: Double.self).converted(to: Float16.self) },
            GoldenCase("float64 to float32") { try $0.tensor(as: Double.self).converted(to: Float.self) },
            GoldenCase("float32 to bfloat16") { try $0.float().converted(to: BFloat16.self) },
            GoldenCase("float16 to float32") { try $0.tensor(as: Float16.self).converted(to: Float.self) },
            GoldenCase("float32 to int8 cuts") { try $0.float().converted(to: Int8.self) },
            GoldenCase("int32 to int8 wraps") { try $0.tensor(as: Int32.self).converted(to: Int8.self) },
            GoldenCase("int32 to float32") { try $0.tensor(as: Int32.self).converted(to: Float.self) },
            GoldenCase("float32 to bool") { try $0.float().converted(to: Bool.self) },
        ])
    func golden(_ golden: GoldenCase) throws { try golden.check() }

    @Test("what NumPy leaves undefined holds at the limits, and NaN is 0") func limits() throws {
        let wild = try Tensor<Float>([.nan, .infinity, -.infinity, 1e20, -1e20, 300])
        #expect(try wild.converted(to: Int8.self).elements == [0, 127, -128, 127, -128, 127])
        #expect(try wild.converted(to: Int32.self).elements == [0, .max, .min, .max, .min, 300])
    }

    @Test("every half precision number survives the way through float32") func halves() {
        for bits in UInt16.min ... .max {
            let half = Float16(bitPattern: bits)
            let brain = BFloat16(bitPattern: bits)
            #expect(half.widened == Float(half) || half.isNaN && half.widened.isNaN)
            #expect(Float16(narrowing: half.widened).bitPattern == bits || half.isNaN)
            #expect(BFloat16(Float(brain)) == brain || brain.isNaN && BFloat16(Float(brain)).isNaN)
        }
    }

    @Test("narrowing rounds as the hardware does") func rounding() {
        var state: UInt32 = 7
        for _ in 0..<50_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            let value = Float(bitPattern: state)
            guard !value.isNaN else { continue }
            let isNear = value.magnitude > 1e-10 && value.magnitude < 1e8
            let scaled = isNear ? value : Float(Int32(bitPattern: state)) / 1e6
            #expect(Float16(narrowing: scaled) == Float16(scaled))
        }
        let justAboveATie = 1.0 + 0x1p-8 + 0x1p-40
        #expect(BFloat16(justAboveATie).bitPattern == 0x3F81, "rounded once, not first to float32")
        #expect(BFloat16(1.0 + 0x1p-8 as Double).bitPattern == 0x3F80)
        #expect(BFloat16(Float.greatestFiniteMagnitude).bitPattern == 0x7F80)
    }
}
