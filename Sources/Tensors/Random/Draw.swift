/// Random words made into numbers of a distribution.
enum Draw {
    /// [0, 1) with 53 bits.
    @inline(__always)
    static func uniform(_ bits: UInt64) -> Double { Double(bits &>> 11) * 0x1p-53 }

    /// (0, 1] with 53 bits: a logarithm can be taken of it.
    @inline(__always)
    static func positive(_ bits: UInt64) -> Double { 1 - uniform(bits) }

    /// An integer below `size` that takes every value equally often; nil, rarely, where the bits must be drawn again.
    ///
    /// Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019, algorithm 5.
    @inline(__always)
    static func below(_ size: UInt64, _ bits: UInt64) -> UInt64? {
        let (high, low) = bits.multipliedFullWidth(by: size)
        return low < size && low < (0 &- size) % size ? nil : high
    }

    /// Two independent normal numbers: radius √(-2 ln u), angle 2πv. With 53 bits the largest is 8.57.
    ///
    /// Source: Box and Muller, Annals of Mathematical Statistics 29, 1958.
    @inline(__always)
    static func normals(_ radius: UInt64, _ angle: UInt64) -> (Double, Double) {
        normals(uniform: positive(radius), turn: uniform(angle))
    }

    /// The same from words of 32 bits, for narrow types: the largest is 6.66.
    @inline(__always)
    static func normals(_ radius: UInt32, _ angle: UInt32) -> (Double, Double) {
        normals(uniform: (Double(radius) + 1) * 0x1p-32, turn: Double(angle) * 0x1p-32)
    }

    @inline(__always)
    private static func normals(uniform: Double, turn: Double) -> (Double, Double) {
        let radius = (-2 * PortableMath.logarithm(uniform)).squareRoot()
        let (sine, cosine) = PortableMath.sineAndCosine(turn: turn)
        return (radius * cosine, radius * sine)
    }
}

/// Functions whose bits are the same on every machine: polynomials without fused operations.
enum PortableMath {
    /// The natural logarithm of a normal number above 0, within 3 units in the last place.
    ///
    /// x = 2^e m with m in [√½, √2); ln m = 2 artanh s, s = (m - 1)/(m + 1), |s| < 0.172, of which the series
    /// s + s³/3 + s⁵/5 + ... needs eleven terms.
    @inline(__always)
    static func logarithm(_ x: Double) -> Double {
        let bits = x.bitPattern
        // Adding the distance from √½ to 1 moves mantissas from √2 on into the next exponent.
        let shifted = bits &+ (0x3FF0_0000_0000_0000 &- 0x3FE6_A09E_667F_3BCD)
        let exponent = Int64(truncatingIfNeeded: shifted &>> 52) &- 1023
        let m = Double(bitPattern: bits &- UInt64(bitPattern: exponent &<< 52))
        let s = (m - 1) / (m + 1)
        let z = s * s
        var sum = 1.0 / 21
        sum = sum * z + 1.0 / 19
        sum = sum * z + 1.0 / 17
        sum = sum * z + 1.0 / 15
        sum = sum * z + 1.0 / 13
        sum = sum * z + 1.0 / 11
        sum = sum * z + 1.0 / 9
        sum = sum * z + 1.0 / 7
        sum = sum * z + 1.0 / 5
        sum = sum * z + 1.0 / 3
        let e = Double(exponent)
        // ln 2 in two parts, the first with zeros at its end, so that its product with e is exact.
        return e * 0x1.62e42fefa38p-1 + (2 * s + (2 * s * z * sum + e * 0x1.ef35793c7673p-45))
    }

    /// sin 2πt and cos 2πt for t in [0, 1): the nearest quarter turn is taken off exactly, the rest is a Taylor series
    /// on [-π/4, π/4].
    @inline(__always)
    static func sineAndCosine(turn t: Double) -> (Double, Double) {
        let quarters = Int(4 * t + 0.5)
        let x = (4 * t - Double(quarters)) * (.pi / 2)
        let z = x * x
        var sine = -1.0 / 1_307_674_368_000
        sine = sine * z + 1.0 / 6_227_020_800
        sine = sine * z - 1.0 / 39_916_800
        sine = sine * z + 1.0 / 362_880
        sine = sine * z - 1.0 / 5_040
        sine = sine * z + 1.0 / 120
        sine = sine * z - 1.0 / 6
        sine = sine * z * x + x
        var cosine = 1.0 / 20_922_789_888_000
        cosine = cosine * z - 1.0 / 87_178_291_200
        cosine = cosine * z + 1.0 / 479_001_600
        cosine = cosine * z - 1.0 / 3_628_800
        cosine = cosine * z + 1.0 / 40_320
        cosine = cosine * z - 1.0 / 720
        cosine = cosine * z + 1.0 / 24
        cosine = cosine * z - 1.0 / 2
        cosine = cosine * z + 1
        switch quarters & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }
}
