/// How many colors a terminal shows. 24-bit colors are quantized to 256.
public enum ColorDepth: Int, Hashable, Sendable, Comparable, CaseIterable {
    case monochrome = 0
    case eight = 8
    case sixteen = 16
    case palette = 256

    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }

    /// The depth for a number of colors as terminfo tells it.
    public init(colors: Int) {
        self =
            switch colors {
            case 256...: .palette
            case 16...: .sixteen
            case 8...: .eight
            default: .monochrome
            }
    }

    /// What is shown where the terminal has so many colors and a setting asks for something.
    ///
    /// A setting can take colors away; it cannot give more than the terminal's description has.
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

    /// What a person can ask for.
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        case automatic = "auto"
        case never
        case palette = "256"
        case sixteen = "16"
        case eight = "8"
    }
}
