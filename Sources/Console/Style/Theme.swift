/// A theme: the style of every role, and the glyphs for frames, trees, and bars.
public struct Theme: Sendable, Equatable, CustomStringConvertible {
    /// Name of the theme.
    public var name: String
    /// Glyphs for frames, trees, and bars.
    public var glyphs: Glyphs
    /// Colors that replace the terminal's default colors in an exported picture.
    public var canvas: Canvas
    /// Color depth of the terminal. On terminals with few colors, charts use characters instead of colors.
    public private(set) var depth: ColorDepth = .palette
    private var styles: [Style]

    /// Default colors of a theme.
    public struct Canvas: Hashable, Sendable {
        /// Color of text with the default foreground.
        public var foreground: Color
        /// Color of cells with the default background.
        public var background: Color
        /// Whether the workbench paints the screen with these colors instead of the terminal's default colors.
        public var isPainted: Bool

        /// Creates a canvas.
        public init(foreground: Color, background: Color, isPainted: Bool = false) {
            self.foreground = foreground
            self.background = background
            self.isPainted = isPainted
        }
    }

    /// Creates a theme with styles for some roles; all others are plain.
    package init(_ name: String, canvas: Canvas, glyphs: Glyphs = .unicode, _ styles: [Role: Style]) {
        self.name = name
        self.canvas = canvas
        self.glyphs = glyphs
        self.styles = Role.allCases.map { styles[$0] ?? .plain }
    }

    /// Style of a role.
    public subscript(role: Role) -> Style {
        get { styles[role.index] }
        set { styles[role.index] = newValue }
    }

    public var description: String { name }

    /// Returns the theme with other glyphs, such as `.ascii`.
    public func with(_ glyphs: Glyphs) -> Theme {
        var theme = self
        theme.glyphs = glyphs
        return theme
    }

    /// Returns the theme adapted to the color depth of a terminal.
    ///
    /// On a monochrome terminal, the attributes of `mono` (bold, dim, underline) replace the colors.
    public func fitted(to depth: ColorDepth) -> Theme {
        let hasColors = styles.contains { $0.foreground != .terminal || $0.background != .terminal }
        var theme = depth == .monochrome && hasColors ? Theme.mono.with(glyphs) : self
        theme.name = name
        theme.depth = depth
        return theme
    }

    /// Built-in themes.
    public static let builtIn: [Theme] = [.dark, .light, .highContrast, .mono]

    /// Returns a built-in theme by its name: `dark`, `light`, `high-contrast`, or `mono`.
    public static func named(_ name: String) -> Theme? {
        switch name {
        case "dark": .dark
        case "light": .light
        case "high-contrast": .highContrast
        case "mono": .mono
        default: nil
        }
    }

    /// Returns the built-in theme for a terminal's number of colors and its background.
    public static func suited(toColors colors: Int, lightBackground: Bool) -> Theme {
        if colors < 8 { return .mono }
        if colors < 256 { return .highContrast }
        return lightBackground ? .light : .dark
    }
}
