/// How a cell looks: two colors and attributes.
public struct Style: Hashable, Sendable {
    public var foreground: Color
    public var background: Color
    public var attributes: Attributes

    public init(foreground: Color = .terminal, background: Color = .terminal, attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own look.
    public static let plain = Style()

    /// Attributes that every terminal of the last decades can show, or leave out harmlessly.
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let bold = Attributes(rawValue: 1)
        public static let dim = Attributes(rawValue: 2)
        public static let italic = Attributes(rawValue: 4)
        public static let underline = Attributes(rawValue: 8)
        public static let reverse = Attributes(rawValue: 16)
        public static let strikethrough = Attributes(rawValue: 32)
    }

    /// This style with what another one sets laid over it: its colors where they are not the terminal's own, and all
    /// attributes of both.
    public func overlaid(with other: Style) -> Style {
        Style(
            foreground: other.foreground == .terminal ? foreground : other.foreground,
            background: other.background == .terminal ? background : other.background,
            attributes: attributes.union(other.attributes))
    }

    public func adding(_ attributes: Attributes) -> Style {
        var style = self
        style.attributes.formUnion(attributes)
        return style
    }

    public func on(_ background: Color) -> Style {
        var style = self
        style.background = background
        return style
    }
}
