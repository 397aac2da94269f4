/// Unsigned integers in the order of the elements: what sorting and selecting compare.
///
/// All NaN are one key, the largest, as NumPy sorts them; both zeros are one key. Elements of up to 32 bits have keys
/// of 32 bits, float64 has keys of 64, so that every algorithm is compiled twice and not seven times.
protocol SortKey: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable {
    /// The keys of elements that lie `stride` apart.
    static func fill<Scalar: TensorScalar>(
        _ target: UnsafeMutablePointer<Self>, _ source: UnsafePointer<Scalar>, stride: Int, count: Int)
    /// The number of a key that is not NaN's.
    var number: Double { get }
}

extension UInt32: SortKey {
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Float16)
    @specialized(where Scalar == BFloat16)
    @specialized(where Scalar == Int8)
    @specialized(where Scalar == Int32)
    @specialized(where Scalar == Bool)
    static func fill<Scalar: TensorScalar>(
        _ target: UnsafeMutablePointer<UInt32>, _ source: UnsafePointer<Scalar>, stride: Int, count: Int
    ) {
        for index in 0..<count { target[index] = key(of: source[index * stride]) }
    }

    /// The casts vanish where the type is known.
    @inline(__always)
    static func key<Scalar: TensorScalar>(of value: Scalar) -> UInt32 {
        if Scalar.self == Float.self { return UInt32(sorting: unsafeBitCast(value, to: Float.self)) }
        if Scalar.self == Float16.self { return UInt32(sorting: Float(unsafeBitCast(value, to: Float16.self))) }
        if Scalar.self == BFloat16.self { return UInt32(sorting: Float(unsafeBitCast(value, to: BFloat16.self))) }
        if Scalar.self == Int32.self { return UInt32(bitPattern: unsafeBitCast(value, to: Int32.self)) ^ 1 << 31 }
        if Scalar.self == Int8.self { return UInt32(bitPattern: Int32(unsafeBitCast(value, to: Int8.self))) ^ 1 << 31 }
        return value.float64 == 0 ? 0 : 1
    }

    /// Negative numbers have all bits turned, others the sign bit alone.
    @inline(__always)
    init(sorting value: Float) {
        let bits = value == 0 ? 0 : value.bitPattern
        let turned = bits ^ (UInt32(bitPattern: Int32(bitPattern: bits) &>> 31) | 1 << 31)
        self = value == value ? turned : .max
    }

    var number: Double { Double(Float(bitPattern: self >> 31 == 1 ? self ^ 1 << 31 : ~self)) }
}

extension UInt64: SortKey {
    @specialized(where Scalar == Double)
    static func fill<Scalar: TensorScalar>(
        _ target: UnsafeMutablePointer<UInt64>, _ source: UnsafePointer<Scalar>, stride: Int, count: Int
    ) {
        for index in 0..<count { target[index] = UInt64(sorting: source[index * stride].float64) }
    }

    @inline(__always)
    init(sorting value: Double) {
        let bits = value == 0 ? 0 : value.bitPattern
        let turned = bits ^ (UInt64(bitPattern: Int64(bitPattern: bits) &>> 63) | 1 << 63)
        self = value == value ? turned : .max
    }

    var number: Double { Double(bitPattern: self >> 63 == 1 ? self ^ 1 << 63 : ~self) }
}

/// A key and the place of its element.
struct Ranked<Key: SortKey> {
    var key: Key
    var index: UInt32

    /// By key, then by place: no two are equal.
    @inline(__always)
    static func < (a: Self, b: Self) -> Bool { a.key < b.key || (a.key == b.key && a.index < b.index) }
}
