internal import Glibc

extension Quantizer.RGB {
    /// Relative luminance as defined by WCAG 2.1: 0 for black, 1 for white.
    package var luminance: Double {
        0.2126 * Self.linear[red] + 0.7152 * Self.linear[green] + 0.0722 * Self.linear[blue]
    }

    /// Linear values of the channel values 0 to 255.
    private static let linear = (0...255).map { value -> Double in
        let share = Double(value) / 255
        return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
}

extension Color {
    /// Red, green, and blue of the color; indices use xterm's palette. `nil` for the terminal's default color.
    package var rgb: Quantizer.RGB? {
        switch kind {
        case .terminal: nil
        case .indexed(let index): Quantizer.rgb(of: index)
        case .rgb(let red, let green, let blue): Quantizer.RGB(red: Int(red), green: Int(green), blue: Int(blue))
        }
    }
}
