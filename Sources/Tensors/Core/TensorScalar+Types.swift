extension Float: FloatingAccumulator {
    public typealias Sum = Float
    public typealias Accumulator = Float
    @inlinable public static var dataType: DataType { .float32 }
    @inlinable public var float64: Double { Double(self) }
    @inlinable public init(rounding value: Double) { self = Float(value) }
    @inlinable public init(rounding value: Float) { self = value }
}

extension Double: FloatingAccumulator {
    public typealias Sum = Double
    public typealias Accumulator = Double
    @inlinable public static var dataType: DataType { .float64 }
    @inlinable public var float64: Double { self }
    @inlinable public init(rounding value: Double) { self = value }
}

extension Float16: FloatingScalar {
    public typealias Sum = Float16
    @inlinable public static var dataType: DataType { .float16 }
    @inlinable public var float64: Double { Double(self) }
    @inlinable public init(rounding value: Double) { self = Float16(value) }
    public var accumulator: Float { widened }
    public init(rounding value: Float) { self.init(narrowing: value) }
    @inlinable public static var lowest: Float16 { -.infinity }
    @inlinable public static var highest: Float16 { .infinity }
}

extension BFloat16: FloatingScalar {
    public typealias Sum = BFloat16
    @inlinable public static var dataType: DataType { .bfloat16 }
    @inlinable public var float64: Double { Double(Float(self)) }
    @inlinable public init(rounding value: Double) { self = BFloat16(value) }
    @inlinable public var accumulator: Float { Float(self) }
    @inlinable public init(rounding value: Float) { self = BFloat16(value) }
    @inlinable public var isNaN: Bool { bitPattern & 0x7FFF > 0x7F80 }
    @inlinable public static var lowest: BFloat16 { BFloat16(bitPattern: 0xFF80) }
    @inlinable public static var highest: BFloat16 { BFloat16(bitPattern: 0x7F80) }
    @inlinable public static func < (a: BFloat16, b: BFloat16) -> Bool { Float(a) < Float(b) }
}

extension Int8: NumericScalar {
    public typealias Sum = Int32
    @inlinable public static var dataType: DataType { .int8 }
    @inlinable public var float64: Double { Double(self) }
    @inlinable public init(rounding value: Double) {
        self = value.isNaN ? 0 : Int8(Swift.max(-128, Swift.min(127, value)))
    }
    @inlinable public var accumulator: Int64 { Int64(self) }
    @inlinable public init(rounding value: Int64) { self = Int8(truncatingIfNeeded: value) }
    @inlinable public var isNaN: Bool { false }
    @inlinable public static var lowest: Int8 { .min }
    @inlinable public static var highest: Int8 { .max }
}

extension Int32: NumericScalar {
    public typealias Sum = Int32
    @inlinable public static var dataType: DataType { .int32 }
    @inlinable public var float64: Double { Double(self) }
    @inlinable public init(rounding value: Double) {
        self = value.isNaN ? 0 : Int32(Swift.max(-2_147_483_648, Swift.min(2_147_483_647, value)))
    }
    @inlinable public var accumulator: Int64 { Int64(self) }
    @inlinable public init(rounding value: Int64) { self = Int32(truncatingIfNeeded: value) }
    @inlinable public var isNaN: Bool { false }
    @inlinable public static var lowest: Int32 { .min }
    @inlinable public static var highest: Int32 { .max }
}

extension Bool: TensorScalar {
    public typealias Sum = Int32
    @inlinable public static var dataType: DataType { .bool }
    @inlinable public var float64: Double { self ? 1 : 0 }
    @inlinable public init(rounding value: Double) { self = value != 0 }
}
