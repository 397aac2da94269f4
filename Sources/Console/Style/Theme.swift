/// How every role looks, and the glyphs that frames, trees and bars are drawn with.
public struct Theme: Sendable, Equatable, CustomStringConvertible {
    public var name: String
    public var glyphs: Glyphs
    /// What an export paints on, since a picture has no terminal behind it.
    public var canvas: Canvas
    /// Number of colors that the terminal shows. With few colors, charts use signs instead.
    public private(set) var depth: ColorDepth = .palette
    private var styles: [Style]

    /// The colors that stand for the terminal's own in an export.
    public struct Canvas: Hashable, Sendable {
        public var foreground: Color
        public var background: Color
        /// Whether the workbench paints the screen in the theme's colors instead of the terminal's.
        public var isPainted: Bool

        public init(foreground: Color, background: Color, isPainted: Bool = false) {
            self.foreground = foreground
            self.background = background
            self.isPainted = isPainted
        }
    }

    /// A theme that says how some roles look; the others look plain.
    package init(_ name: String, canvas: Canvas, glyphs: Glyphs = .unicode, _ styles: [Role: Style]) {
        self.name = name
        self.canvas = canvas
        self.glyphs = glyphs
        self.styles = Role.allCases.map { styles[$0] ?? .plain }
    }

    public subscript(role: Role) -> Style {
        get { styles[role.index] }
        set { styles[role.index] = newValue }
    }

    public var description: String { name }

    /// The same theme with other glyphs, such as `.ascii`.
    public func with(_ glyphs: Glyphs) -> Theme {
        var theme = self
        theme.glyphs = glyphs
        return theme
    }

    /// Returns the theme for a terminal with this many colors. Without colors, the weight and lines of `mono` replace
    /// colors that carry meaning.
    public func fitted(to depth: ColorDepth) -> Theme {
        let hasColors = styles.contains { $0.foreground != .terminal || $0.background != .terminal }
        var theme = depth == .monochrome && hasColors ? Theme.mono.with(glyphs) : self
        theme.name = name
        theme.depth = depth
        return theme
    }

    /// The themes that need no file.
    public static let builtIn: [Theme] = [.dark, .light, .highContrast, .mono]

    /// A built-in theme by its name: `dark`, `light`, `high-contrast`, `mono`.
    public static func named(_ name: String) -> Theme? {
        switch name {
        case "dark": .dark
        case "light": .light
        case "high-contrast": .highContrast
        case "mono": .mono
        default: nil
        }
    }

    /// The built-in theme for a terminal of so many colors, whose background is light or dark.
    public static func suited(toColors colors: Int, lightBackground: Bool) -> Theme {
        if colors < 8 { return .mono }
        if colors < 256 { return .highContrast }
        return lightBackground ? .light : .dark
    }
}
