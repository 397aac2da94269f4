/// How every role looks, and the glyphs that frames, trees and bars are drawn with.
public struct Theme: Sendable, Equatable, CustomStringConvertible {
    public var name: String
    public var glyphs: Glyphs
    /// What an export paints on, since a picture has no terminal behind it.
    public var canvas: Canvas
    private var styles: [Style]

    /// The colors that stand for the terminal's own in an export.
    public struct Canvas: Hashable, Sendable {
        public var foreground: Color
        public var background: Color

        public init(foreground: Color, background: Color) {
            self.foreground = foreground
            self.background = background
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
