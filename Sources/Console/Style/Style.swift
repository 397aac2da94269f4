/// The appearance of a cell: two colors and attributes.
public struct Style: Hashable, Sendable {
    /// Color of the text.
    public var foreground: Color
    /// Color of the background.
    public var background: Color
    /// Attributes of the text.
    public var attributes: Attributes

    /// Creates a style.
    public init(foreground: Color = .terminal, background: Color = .terminal, attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// Style with the terminal's default colors and no attributes.
    public static let plain = Style()

    /// Text attributes that terminals either support or harmlessly ignore.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// Bits of the set.
        public let rawValue: UInt8
        /// Creates a set of attributes from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bold text.
        public static let bold = Attributes(rawValue: 1)
        /// Dim text.
        public static let dim = Attributes(rawValue: 2)
        /// Italic text.
        public static let italic = Attributes(rawValue: 4)
        /// Underlined text.
        public static let underline = Attributes(rawValue: 8)
        /// Foreground and background swapped.
        public static let reverse = Attributes(rawValue: 16)
        /// Crossed-out text.
        public static let strikethrough = Attributes(rawValue: 32)
    }

    /// Returns the style overlaid with another: colors of `other` that are not the terminal's default win, and the
    /// attributes are combined.
    public func overlaid(with other: Style) -> Style {
        Style(
            foreground: other.foreground == .terminal ? foreground : other.foreground,
            background: other.background == .terminal ? background : other.background,
            attributes: attributes.union(other.attributes))
    }

    /// Returns the style with more attributes.
    public func adding(_ attributes: Attributes) -> Style {
        var style = self
        style.attributes.formUnion(attributes)
        return style
    }

    /// Returns the style with another background color.
    public func on(_ background: Color) -> Style {
        var style = self
        style.background = background
        return style
    }
}
