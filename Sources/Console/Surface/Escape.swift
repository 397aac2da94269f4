internal import Formatting

/// Visible substitutes for scalars that must not reach a terminal.
public enum Escape {
    /// Returns the width of a substitute: 1 for control pictures, otherwise the length of `<U+XXXX>`.
    static func columns(of scalar: Unicode.Scalar) -> Int {
        picture(of: scalar) == nil ? 4 + digits(of: scalar.value) : 1
    }

    /// Returns the control picture of a C0 control or DEL, such as `␛`.
    static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: "␡"
        default: nil
        }
    }

    /// Returns the substitute for a scalar, such as `␛` or `<U+202E>`.
    static func text(of scalar: Unicode.Scalar) -> String {
        if let picture = picture(of: scalar) { return String(Character(picture)) }
        return "<U+\(Format.hexadecimal(scalar.value, digits: digits(of: scalar.value), uppercase: true))>"
    }

    private static func digits(of value: UInt32) -> Int {
        value > 0xFFFFF ? 6 : value > 0xFFFF ? 5 : 4
    }
}
