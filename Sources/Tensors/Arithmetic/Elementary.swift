internal import Glibc

/// Functions of one number in the types that tensors compute in. The exponential, the hyperbolic tangent and the
/// error function of float32 are written without branches and calls, so that compilers make vectors of loops over them.
package enum Elementary {
    /// The exponential; of float32 within 1.5 units in the last place.
    @inline(__always)
    package static func exp<T: FloatingAccumulator>(_ x: T) -> T {
        T.self == Float.self ? cast(exp32(cast(x))) : cast(Glibc.exp(cast(x) as Double))
    }

    /// The hyperbolic tangent; of float32 within 3 units in the last place.
    @inline(__always)
    package static func tanh<T: FloatingAccumulator>(_ x: T) -> T {
        T.self == Float.self ? cast(tanh32(cast(x))) : cast(Glibc.tanh(cast(x) as Double))
    }

    /// 1 / (1 + e^-x): the exponential never overflows to a NaN.
    @inline(__always)
    static func sigmoid<T: FloatingAccumulator>(_ x: T) -> T { 1 / (1 + exp(-x)) }

    @inline(__always)
    static func log<T: FloatingAccumulator>(_ x: T) -> T { both(x, Glibc.logf, Glibc.log) }

    @inline(__always)
    static func log1p<T: FloatingAccumulator>(_ x: T) -> T { both(x, Glibc.log1pf, Glibc.log1p) }

    @inline(__always)
    static func expm1<T: FloatingAccumulator>(_ x: T) -> T { both(x, Glibc.expm1f, Glibc.expm1) }

    @inline(__always)
    static func sin<T: FloatingAccumulator>(_ x: T) -> T { both(x, Glibc.sinf, Glibc.sin) }

    @inline(__always)
    static func cos<T: FloatingAccumulator>(_ x: T) -> T { both(x, Glibc.cosf, Glibc.cos) }

    /// The error function; of float32 within 2 units in the last place.
    @inline(__always)
    package static func erf<T: FloatingAccumulator>(_ x: T) -> T {
        T.self == Float.self ? cast(erf32(cast(x))) : cast(Glibc.erf(cast(x) as Double))
    }

    @inline(__always)
    static func power<T: FloatingAccumulator>(_ x: T, _ y: T) -> T {
        T.self == Float.self
            ? cast(Glibc.powf(cast(x), cast(y))) : cast(Glibc.pow(cast(x) as Double, cast(y) as Double))
    }

    /// e^x = 2^n e^r with n the integer nearest to x / ln 2 and |r| <= ln 2 / 2; a polynomial of degree 6 gives e^r.
    @inline(__always)
    static func exp32(_ value: Float) -> Float {
        var x = value < -104 ? -104 : value
        x = x > 89 ? 89 : x
        // Adding 1.5 × 2^23 leaves the rounded integer in the last bits.
        let shifted = x * 1.44269504 + 12_582_912
        let n = shifted - 12_582_912
        let r = (x - n * 0.693359375) + n * 2.12194440e-4
        var p: Float = 1.9875691e-4
        p = p * r + 1.3981999e-3
        p = p * r + 8.3334519e-3
        p = p * r + 4.1665796e-2
        p = p * r + 1.6666665e-1
        p = p * r + 5.0000001e-1
        p = p * (r * r) + r + 1
        // 2^n in two factors: the result may be below the normal numbers or just past the largest.
        let exponent = Int32(bitPattern: shifted.bitPattern) &- 0x4B40_0000
        let half = exponent &>> 1
        let first = Float(bitPattern: UInt32(bitPattern: (half &+ 127) &<< 23))
        let second = Float(bitPattern: UInt32(bitPattern: (exponent &- half &+ 127) &<< 23))
        return p * first * second
    }

    /// An odd polynomial near zero, where 1 - 2 / (e^2x + 1) would cancel.
    @inline(__always)
    static func tanh32(_ x: Float) -> Float {
        let size = Swift.abs(x)
        let square = x * x
        var p: Float = -5.70498872745e-3
        p = p * square + 2.06390887954e-2
        p = p * square - 5.37397155531e-2
        p = p * square + 1.33314422036e-1
        p = p * square - 3.33332819422e-1
        let small = p * square * x + x
        let large = 1 - 2 / (exp32(2 * size) + 1)
        let signed = x < 0 ? -large : large
        return size < 0.625 ? small : signed
    }

    /// An odd polynomial below 0.9; above it 1 - e^-p with p near -log erfc x. Both are our least-squares fits, weighted
    /// until the errors level out: 1.2e-8 and 1.7e-9, relative to the result.
    @inline(__always)
    static func erf32(_ x: Float) -> Float {
        let size = Swift.abs(x)
        let square = x * x
        var p: Float = -6.0903578e-4
        p = p * square + 5.0119623e-3
        p = p * square - 2.6778908e-2
        p = p * square + 1.1282141e-1
        p = p * square - 3.7612525e-1
        p = p * square + 0.1283791
        let small = x + p * x
        // From 4 on the result rounds to 1.
        let bounded = size > 4 ? 4 : size
        var q: Float = -1.982207e-4
        q = q * bounded + 3.0654997e-3
        q = q * bounded - 2.2315249e-2
        q = q * bounded + 1.0411374e-1
        q = q * bounded + 6.36976e-1
        q = q * bounded + 1.1277972
        q = q * bounded + 1.6643909e-4
        let large = 1 - exp32(-q)
        let signed = x < 0 ? -large : large
        return size < 0.9 ? small : signed
    }

    @inline(__always)
    private static func both<T: FloatingAccumulator>(
        _ x: T, _ single: (Float) -> Float, _ double: (Double) -> Double
    ) -> T {
        T.self == Float.self ? cast(single(cast(x))) : cast(double(cast(x)))
    }

    /// The same value under the name of its own type; nothing where types are known.
    @inline(__always)
    private static func cast<A, B>(_ value: A) -> B { unsafeBitCast(value, to: B.self) }
}
