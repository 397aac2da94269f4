// Conversions without branches and calls: processors without instructions for half precision do them a number at a
// time, these loops become vectors.

extension Float16 {
    /// The same number in float32.
    @inline(__always)
    package var widened: Float {
        let magnitude = UInt32(bitPattern & 0x7FFF) &<< 13
        let sign = UInt32(bitPattern & 0x8000) &<< 16
        // The exponent's bias grows from 15 to 127; subnormal numbers become normal on the way.
        let scaled = (Float(bitPattern: magnitude) * 0x1p112).bitPattern
        let isFinite = magnitude < 0x0F80_0000
        return Float(bitPattern: sign | (isFinite ? scaled : magnitude | 0x7F80_0000))
    }

    /// The nearest number, ties to even.
    @inline(__always)
    package init(narrowing value: Float) {
        let bits = value.bitPattern
        let magnitude = bits & 0x7FFF_FFFF
        let normal = (magnitude &- 0x3800_0000 &+ 0xFFF &+ ((magnitude &>> 13) & 1)) &>> 13
        // Adding 1/2 lines the last bit up with that of a subnormal half, and the addition rounds.
        let subnormal = (Float(bitPattern: magnitude) + 0.5).bitPattern &- 0x3F00_0000
        let finite = magnitude < 0x3880_0000 ? subnormal : normal
        let infinite: UInt32 = magnitude > 0x7F80_0000 ? 0x7E00 : 0x7C00
        let result = magnitude < 0x477F_F000 ? finite : infinite
        self.init(bitPattern: UInt16(truncatingIfNeeded: result | ((bits &>> 16) & 0x8000)))
    }
}
