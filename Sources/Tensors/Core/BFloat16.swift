/// The upper half of a float32: its range, with 8 bits of precision.
///
/// Results round to nearest, ties to even. Tensors of it compute in float32 and round once at the end.
public struct BFloat16: Hashable, Sendable, BitwiseCopyable {
    /// One sign bit, eight of exponent, seven of fraction.
    public var bitPattern: UInt16

    @inlinable public init(bitPattern: UInt16) { self.bitPattern = bitPattern }

    /// The nearest bfloat16; what is past the largest becomes infinite, a NaN stays one.
    @inlinable public init(_ value: Float) {
        let bits = value.bitPattern
        let rounded = bits &+ 0x7FFF &+ ((bits &>> 16) & 1)
        let isNaN = bits & 0x7FFF_FFFF > 0x7F80_0000
        bitPattern = UInt16(truncatingIfNeeded: (isNaN ? bits | 0x0040_0000 : rounded) &>> 16)
    }

    /// The nearest bfloat16, rounded once: by way of a float32 that is rounded to odd.
    @inlinable public init(_ value: Double) {
        let nearest = Float(value)
        let error = value - Double(nearest)
        guard error != 0, nearest.isFinite, nearest.bitPattern & 1 == 0 else {
            self.init(nearest)
            return
        }
        // The odd neighbor on the other side of the value keeps what was lost from deciding a tie.
        let outward = (error > 0) == (value > 0)
        let bits = nearest.bitPattern
        self.init(Float(bitPattern: nearest == 0 || outward ? bits | 1 : bits &- 1))
    }

    /// Zero and one compare by value, NaN to nothing, as for any floating-point number.
    @inlinable public static func == (a: Self, b: Self) -> Bool { Float(a) == Float(b) }

    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(Float(self)) }
}

extension BFloat16: CustomStringConvertible, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    @inlinable public init(floatLiteral value: Double) { self.init(value) }
    @inlinable public init(integerLiteral value: Int) { self.init(Double(value)) }

    public var description: String { "\(Float(self))" }
}

extension Float {
    /// The same number.
    @inlinable public init(_ value: BFloat16) { self.init(bitPattern: UInt32(value.bitPattern) &<< 16) }
}
