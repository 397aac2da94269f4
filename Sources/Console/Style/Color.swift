/// A color of a theme, mapped to the terminal's colors when a surface is presented.
///
/// Packed into 32 bits, because every cell stores two colors.
public struct Color: Hashable, Sendable {
    /// Tag in the highest byte (0 default, 1 indexed, 2 RGB) and value in the lower bytes.
    package let bits: UInt32

    package init(bits: UInt32) { self.bits = bits }

    /// The terminal's default color.
    public static let terminal = Color(bits: 0)

    /// Returns an entry of the terminal's palette; the user may have redefined 0 to 15.
    public static func indexed(_ index: UInt8) -> Color { Color(bits: 1 << 24 | UInt32(index)) }

    /// Returns a 24-bit color, quantized if the terminal has fewer colors.
    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
        Color(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// Kinds of colors, with their values.
    public enum Kind: Hashable, Sendable {
        /// The terminal's default color.
        case terminal
        /// An index into the terminal's 256-color palette.
        case indexed(UInt8)
        /// A 24-bit color.
        case rgb(red: UInt8, green: UInt8, blue: UInt8)
    }

    /// Kind of the color, with its value.
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
