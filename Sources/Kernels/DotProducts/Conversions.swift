internal import CKernels

/// float32 to bfloat16 bit patterns and back.
///
/// Narrowing rounds to nearest, ties to even, and keeps subnormal numbers; a NaN stays one and becomes quiet.
public enum BFloat16Conversion {
    /// `count` elements of bfloat16 from float32.
    public static func narrow(_ from: UnsafePointer<Float>, to: UnsafeMutablePointer<UInt16>, count: Int) {
        Conversions.best.pointee.bf16_of_f32(from, to, count)
    }

    /// `count` elements of float32 from bfloat16: exact.
    public static func widen(_ from: UnsafePointer<UInt16>, to: UnsafeMutablePointer<Float>, count: Int) {
        Conversions.best.pointee.f32_of_bf16(from, to, count)
    }

    /// The bit pattern of one number.
    public static func narrow(_ value: Float) -> UInt16 {
        let bits = value.bitPattern
        guard !value.isNaN else { return UInt16(bits >> 16) | 0x40 }
        return UInt16(truncatingIfNeeded: (bits &+ 0x7fff &+ (bits >> 16 & 1)) >> 16)
    }

    /// The number of one bit pattern.
    public static func widen(_ pattern: UInt16) -> Float { Float(bitPattern: UInt32(pattern) << 16) }
}

/// float32 to IEEE half precision bit patterns and back.
///
/// Narrowing rounds to nearest, ties to even: from 65,520 on to infinity, below 2⁻²⁴ / 2 to zero. A NaN stays one and
/// becomes quiet.
public enum HalfConversion {
    /// `count` elements of float16 from float32.
    public static func narrow(_ from: UnsafePointer<Float>, to: UnsafeMutablePointer<UInt16>, count: Int) {
        Conversions.best.pointee.f16_of_f32(from, to, count)
    }

    /// `count` elements of float32 from float16: exact.
    public static func widen(_ from: UnsafePointer<UInt16>, to: UnsafeMutablePointer<Float>, count: Int) {
        Conversions.best.pointee.f32_of_f16(from, to, count)
    }
}

/// The tables of functions in C: one for every processor, one for those with AVX2.
enum Conversions {
    struct Table: @unchecked Sendable {  // functions without state
        let pointee: orrery_conversions
    }

    static let portable = Table(pointee: orrery_conversions_portable)
    static let avx2: Table? =
        ProcessorFeatures.present.contains(.avx2)
        ? orrery_conversions_avx2().map { Table(pointee: $0.pointee) } : nil
    static let best = avx2 ?? portable
}
