extension Tensor {
    /// The elements converted to another type; itself where they are of it already.
    ///
    /// Into floating-point types values round to nearest, ties to even, and become infinite past the largest. Into
    /// integers fractions are cut off, what is out of range becomes the nearest limit and NaN becomes 0 (NumPy leaves
    /// both undefined); between integers the upper bits are cut off. Whatever is not zero is true, and true is 1.
    public func converted<Other>(to type: Other.Type = Other.self) throws(TensorError) -> Tensor<Other> {
        if let same = self as? Tensor<Other> { return same }
        defer { withExtendedLifetime(self) {} }
        let walk = Walk(shape, strides, Shape.strides(shape))
        return try Tensor<Other>(filling: shape, count: count, for: "converted") { target in
            walk.forEachRow { place, count in
                Conversion.row(base + place.a, walk.row.a, to: target + place.b, count)
            }
        }
    }
}

/// Conversions by way of a type that holds every value of the source: one loop into it, one out of it, through a block
/// that stays in the first cache. Seven types need fourteen loops so, not forty-nine, and round only once.
private enum Conversion {
    static let block = 512

    static func row<From: TensorScalar, To: TensorScalar>(
        _ source: UnsafePointer<From>, _ stride: Int, to target: UnsafeMutablePointer<To>, _ count: Int
    ) {
        switch From.dataType {
        case .float32, .float16, .bfloat16: row(source, stride, via: Float.self, to: target, count)
        case .float64: row(source, stride, via: Double.self, to: target, count)
        case .int32 where To.dataType == .float32, .int32 where To.dataType == .float16,
            .int32 where To.dataType == .bfloat16:
            row(source, stride, via: Double.self, to: target, count)
        case .int8, .int32, .bool: row(source, stride, via: Int32.self, to: target, count)
        }
    }

    private static func row<From: TensorScalar, Wide: TensorScalar, To: TensorScalar>(
        _ source: UnsafePointer<From>, _ stride: Int, via: Wide.Type, to target: UnsafeMutablePointer<To>, _ count: Int
    ) {
        withUnsafeTemporaryAllocation(of: Wide.self, capacity: block) { wide in
            var start = 0
            while start < count {
                let part = min(block, count - start)
                read(source + start * stride, stride, into: wide.baseAddress!, part)
                write(wide.baseAddress!, into: target + start, part)
                start += part
            }
        }
    }

    @specialized(where From == Float, Wide == Float)
    @specialized(where From == Float16, Wide == Float)
    @specialized(where From == BFloat16, Wide == Float)
    @specialized(where From == Double, Wide == Double)
    @specialized(where From == Int32, Wide == Double)
    @specialized(where From == Int32, Wide == Int32)
    @specialized(where From == Int8, Wide == Int32)
    @specialized(where From == Bool, Wide == Int32)
    private static func read<From: TensorScalar, Wide: TensorScalar>(
        _ source: UnsafePointer<From>, _ stride: Int, into target: UnsafeMutablePointer<Wide>, _ count: Int
    ) {
        for i in 0..<count { target[i] = single(source[i * stride]) }
    }

    @specialized(where Wide == Float, To == Double)
    @specialized(where Wide == Float, To == Float)
    @specialized(where Wide == Float, To == Float16)
    @specialized(where Wide == Float, To == BFloat16)
    @specialized(where Wide == Float, To == Int32)
    @specialized(where Wide == Float, To == Int8)
    @specialized(where Wide == Float, To == Bool)
    @specialized(where Wide == Double, To == Float)
    @specialized(where Wide == Double, To == Float16)
    @specialized(where Wide == Double, To == BFloat16)
    @specialized(where Wide == Double, To == Int32)
    @specialized(where Wide == Double, To == Int8)
    @specialized(where Wide == Double, To == Bool)
    @specialized(where Wide == Int32, To == Float)
    @specialized(where Wide == Int32, To == Double)
    @specialized(where Wide == Int32, To == Float16)
    @specialized(where Wide == Int32, To == BFloat16)
    @specialized(where Wide == Int32, To == Int32)
    @specialized(where Wide == Int32, To == Int8)
    @specialized(where Wide == Int32, To == Bool)
    private static func write<Wide: TensorScalar, To: TensorScalar>(
        _ source: UnsafePointer<Wide>, into target: UnsafeMutablePointer<To>, _ count: Int
    ) {
        for i in 0..<count { target[i] = single(source[i]) }
    }

    /// One element; the casts vanish where the types are known.
    @inline(__always)
    private static func single<From: TensorScalar, To: TensorScalar>(_ value: From) -> To {
        if From.self == To.self { return unsafeBitCast(value, to: To.self) }
        if To.self == Float.self, From.self == BFloat16.self {
            return unsafeBitCast(Float(unsafeBitCast(value, to: BFloat16.self)), to: To.self)
        }
        if To.self == Float.self, From.self == Float16.self {
            return unsafeBitCast(unsafeBitCast(value, to: Float16.self).widened, to: To.self)
        }
        if From.self == Float.self, To.self == BFloat16.self {
            return unsafeBitCast(BFloat16(unsafeBitCast(value, to: Float.self)), to: To.self)
        }
        if From.self == Float.self, To.self == Float16.self {
            return unsafeBitCast(Float16(narrowing: unsafeBitCast(value, to: Float.self)), to: To.self)
        }
        if From.self == Int32.self, To.self == Int8.self {
            return unsafeBitCast(Int8(truncatingIfNeeded: unsafeBitCast(value, to: Int32.self)), to: To.self)
        }
        return To(rounding: value.float64)
    }
}
