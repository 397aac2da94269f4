/// Color depths of terminals. 24-bit colors are quantized to 256.
public enum ColorDepth: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// No colors.
    case monochrome = 0
    /// The eight basic colors.
    case eight = 8
    /// The basic colors and their bright versions.
    case sixteen = 16
    /// A palette of 256 colors.
    case palette = 256

    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }

    /// Creates the depth for a number of colors from terminfo.
    public init(colors: Int) {
        self =
            switch colors {
            case 256...: .palette
            case 16...: .sixteen
            case 8...: .eight
            default: .monochrome
            }
    }

    /// Returns the depth for a terminal's number of colors and the user's setting.
    ///
    /// The setting can reduce the number of colors but not exceed the terminal's description.
    public static func resolve(colors: Int, setting: Choice) -> ColorDepth {
        let available = ColorDepth(colors: colors)
        return switch setting {
        case .automatic: available
        case .never: .monochrome
        case .palette: available
        case .sixteen: min(available, .sixteen)
        case .eight: min(available, .eight)
        }
    }

    /// Values of the color setting.
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// All colors of the terminal.
        case automatic = "auto"
        /// No colors.
        case never
        /// All colors of the terminal, up to 256, even if TERM names an old type with fewer.
        case palette = "256"
        /// All colors of the terminal, up to 16.
        case sixteen = "16"
        /// All colors of the terminal, up to 8.
        case eight = "8"
    }
}
