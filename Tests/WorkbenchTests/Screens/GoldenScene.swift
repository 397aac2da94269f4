import Console
import Testing

/// A screen that is compared with its golden file, at several sizes and in several themes.
protocol GoldenScene: CustomTestStringConvertible, Sendable {
    /// First part of the names of the golden files, such as `tokens-`.
    static var prefix: String { get }
    var name: String { get }

    /// Draws the screen with settings such as `theme` and `ascii`.
    func screen(_ size: Size, _ settings: [String: String]) throws -> Surface
}

extension GoldenScene {
    var testDescription: String { name }

    /// Compares the screen with its golden file, or rewrites the file if goldens are updated.
    func compare(_ size: Size, theme: String = "dark", isASCII: Bool = false) throws {
        let screen = try screen(size, ["theme": theme, "ascii": isASCII ? "true" : "false"])
        Golden("\(Self.prefix)\(name)-\(size.columns)x\(size.rows)-\(theme)", screen).keepOrCompare()
        if isASCII { #expect(screen.textDump.utf8.allSatisfy { $0 < 0x80 }, "\(name) at \(size)") }
    }

    /// Draws in both themes and expects that the light theme changes the colors of the dark one and nothing else.
    func expectLightDiffersInColors() throws {
        let dark = try screen(Size(120, 40), ["theme": "dark"])
        let light = try screen(Size(120, 40), ["theme": "light"])
        #expect(dark.textDump == light.textDump)
        #expect(dark.styleDump != light.styleDump)
    }
}

extension Array where Element: GoldenScene {
    /// Returns the scenes with some names.
    func named(_ names: String...) -> [Element] { filter { names.contains($0.name) } }
}

extension Theme {
    /// Returns the theme of settings such as `theme` and `ascii`, for screens that are drawn without a shell.
    static func of(_ settings: [String: String]) -> Theme {
        let theme: Theme =
            switch settings["theme"] {
            case "mono": .mono
            case "light": .light
            default: .dark
            }
        return settings["ascii"] == "true" ? theme.with(.ascii) : theme
    }
}

extension Surface {
    /// Returns the screen as an ASCII terminal shows it, if the settings ask for one.
    func transliterated(_ settings: [String: String]) -> Surface {
        settings["ascii"] == "true" ? transliterated() : self
    }
}
