/// What a tensor can hold: `Float`, `Double`, `Float16`, `BFloat16`, `Int8`, `Int32` and `Bool`.
///
/// The loops over elements are compiled for exactly these types; another one would work, but slowly.
public protocol TensorScalar: BitwiseCopyable, Sendable, Equatable {
    static var dataType: DataType { get }
    /// What a sum of elements is: the type itself, but `Int32` for integers and counts.
    associatedtype Sum: NumericScalar
    /// The same number; true is 1.
    var float64: Double { get }
    /// The nearest value (ties to even); toward zero into integers, which hold at their limits and take NaN as 0;
    /// whatever is not zero is true.
    init(rounding value: Double)
}

/// A scalar that can be added and multiplied: all but `Bool`. Integers wrap around, as in NumPy.
public protocol NumericScalar: TensorScalar, Comparable where Sum == Sum.Sum {
    /// What sums and products are computed in before they are rounded: `Float`, `Double` or `Int64`.
    associatedtype Accumulator: TensorAccumulator
    var accumulator: Accumulator { get }
    init(rounding value: Accumulator)
    /// Whether it is not a number; never for integers.
    var isNaN: Bool { get }
    /// No value is below it: minus infinity or the smallest integer.
    static var lowest: Self { get }
    /// No value is above it: infinity or the largest integer.
    static var highest: Self { get }
}

/// A floating-point scalar. The 16-bit ones compute in float32.
public protocol FloatingScalar: NumericScalar where Accumulator: FloatingAccumulator, Sum == Self {}

/// The types that tensors compute in.
public protocol TensorAccumulator: Comparable, BitwiseCopyable, Sendable {
    static var zero: Self { get }
    static var one: Self { get }
    var float64: Double { get }
    /// Integers wrap around.
    func adding(_ other: Self) -> Self
    func subtracting(_ other: Self) -> Self
    func multiplied(by other: Self) -> Self
}

/// The types that floating-point tensors compute in.
public protocol FloatingAccumulator: TensorAccumulator, BinaryFloatingPoint, FloatingScalar
where Accumulator == Self {}

extension FloatingAccumulator {
    @inlinable public static var one: Self { 1 }
    @inlinable public func adding(_ other: Self) -> Self { self + other }
    @inlinable public func subtracting(_ other: Self) -> Self { self - other }
    @inlinable public func multiplied(by other: Self) -> Self { self * other }
    @inlinable public var accumulator: Self { self }
    @inlinable public static var lowest: Self { -.infinity }
    @inlinable public static var highest: Self { .infinity }
}

extension Int64: TensorAccumulator {
    @inlinable public static var one: Int64 { 1 }
    @inlinable public var float64: Double { Double(self) }
    @inlinable public func adding(_ other: Int64) -> Int64 { self &+ other }
    @inlinable public func subtracting(_ other: Int64) -> Int64 { self &- other }
    @inlinable public func multiplied(by other: Int64) -> Int64 { self &* other }
}
