/// A color as a theme names it; the terminal's face of it is chosen when the surface is presented.
///
/// Packed into 32 bits, since every cell holds two.
public struct Color: Hashable, Sendable {
    /// The tag in the highest byte (0 default, 1 indexed, 2 RGB), the value below.
    package let bits: UInt32

    package init(bits: UInt32) { self.bits = bits }

    /// What the terminal uses where nothing is said.
    public static let terminal = Color(bits: 0)

    /// An entry of the terminal's palette; 0-15 are the user's own colors.
    public static func indexed(_ index: UInt8) -> Color { Color(bits: 1 << 24 | UInt32(index)) }

    /// 24-bit color, quantized where the terminal has fewer.
    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
        Color(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// What a color is made of.
    public enum Kind: Hashable, Sendable {
        case terminal
        case indexed(UInt8)
        case rgb(red: UInt8, green: UInt8, blue: UInt8)
    }

    public var kind: Kind {
        switch bits >> 24 {
        case 1: .indexed(UInt8(truncatingIfNeeded: bits))
        case 2:
            .rgb(
                red: UInt8(truncatingIfNeeded: bits >> 16), green: UInt8(truncatingIfNeeded: bits >> 8),
                blue: UInt8(truncatingIfNeeded: bits))
        default: .terminal
        }
    }
}
