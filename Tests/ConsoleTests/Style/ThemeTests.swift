import Console
import Glibc
import Testing

@Suite("Themes")
struct ThemeTests {
    @Test(arguments: Theme.builtIn)
    func aBuiltInThemeIsWhatItsFileSays(theme: Theme) throws {
        let file = try Theme(toml: themeFile(theme.name))
        #expect(file.name == theme.name)
        #expect(file.canvas == theme.canvas)
        for role in Role.allCases {
            #expect(file[role] == theme[role], "\(theme.name): \(role.rawValue)")
        }
        #expect(Theme.named(theme.name) == theme)
    }

    @Test(arguments: Theme.builtIn)
    func everyFileSetsEveryRoleOrInherits(theme: Theme) throws {
        let text = try themeFile(theme.name)
        guard !text.contains("inherits") else { return }
        for role in Role.allCases {
            #expect(text.contains("\n\(role.rawValue) = "), "\(theme.name) leaves out \(role.rawValue)")
        }
    }

    @Test func rolesAreFoundByTheirPosition() {
        for (index, role) in Role.allCases.enumerated() {
            #expect(role.index == index)
        }
        #expect(Role.series(0) == .series1)
        #expect(Role.series(9) == .series2)
        #expect(Role.series(-1) == .series8)
    }

    @Test func aThemeInheritsAndSaysOnlyWhatItChanges() throws {
        let theme = try Theme(
            toml: """
                name = "mine"
                inherits = "light"

                [canvas]
                painted = true

                [palette]
                brass = "#d7af5f"
                ink = 17

                [roles]
                accent = "brass bold"
                selection = "on ink"
                failure = 196
                """)
        #expect(theme.name == "mine")
        #expect(theme[.accent] == Style(foreground: .rgb(0xD7, 0xAF, 0x5F), attributes: .bold))
        #expect(theme[.selection] == Style(background: .indexed(17)))
        #expect(theme[.failure] == Style(foreground: .indexed(196)))
        #expect(theme[.border] == Theme.light[.border])
        #expect(theme.canvas.background == Theme.light.canvas.background)
        #expect(theme.canvas.isPainted)
    }

    @Test(
        "a slip of the pen is answered with its line and a remedy",
        arguments: [
            ("[roles]\nselektion = \"on 3\"", "line 2: no role is called selektion. Did you mean \"selection\"?"),
            ("[roles]\n\ntext = \"rde\"", "line 3: text: \"rde\" is no color or attribute. Did you mean \"red\"?"),
            ("[roles]\ntext = 256", "line 2: text: color 256 does not exist: the palette has 0 to 255"),
            (
                "[roles]\ntext = \"#12\"",
                "line 2: text: \"#12\" is no color: write #rrggbb with six hexadecimal digits"
            ),
            ("[roles]\ntext = \"red blue\"", "line 2: text: \"blue\" would be a second color"),
            ("[roles]\ntext = \"red on\"", "line 2: text: a color is missing after \"on\""),
            ("[roles]\ntext = true", "line 2: text is to be text in quotes, or a number"),
            ("[palette]\nx = \"nope\"", "line 2: x: \"nope\" is no color or attribute"),
            ("[canvas]\nedge = \"red\"", "line 2: a canvas has foreground, background and painted, but no edge"),
            ("[canvas]\npainted = 1", "line 2: painted must be true or false"),
            (
                "inherits = \"drak\"",
                "line 1: a theme can inherit dark, light, high-contrast, mono, not drak. Did you mean \"dark\"?"
            ),
            ("name = 3", "line 1: name is to be text in quotes"),
            (
                "\n[colors]\nx = 1",
                "line 2: a theme has name, inherits, canvas, palette and roles, but no colors"
            ),
            ("roles = 3", "line 1: roles is to be a section: [roles]"),
        ])
    func mistakes(toml: String, sentence: String) {
        let error = #expect(throws: ThemeError.self) { try Theme(toml: toml) }
        #expect(error?.sentence == sentence)
    }

    @Test func whatIsNoTOMLIsRefusedWithItsLine() {
        let error = #expect(throws: ThemeError.self) { try Theme(toml: "name = \"x\"\n[roles\n") }
        #expect(error?.line == 2)
        #expect(error?.sentence.hasPrefix("line 2: invalid TOML: ") == true)
    }

    @Test(arguments: Theme.builtIn)
    func stylesAreSpelledAsTheyAreRead(theme: Theme) throws {
        for role in Role.allCases {
            #expect(try StyleSpelling().style(theme[role].spelling) == theme[role])
        }
    }

    @Test func theThemeFollowsWhatTheTerminalCanShow() {
        #expect(Theme.suited(toColors: 256, lightBackground: false) == .dark)
        #expect(Theme.suited(toColors: 1 << 24, lightBackground: true) == .light)
        #expect(Theme.suited(toColors: 16, lightBackground: true) == .highContrast)
        #expect(Theme.suited(toColors: 0, lightBackground: false) == .mono)
    }

    @Test func monoHasNoColor() {
        for role in Role.allCases {
            #expect(Theme.mono[role].foreground == .terminal)
            #expect(Theme.mono[role].background == .terminal)
        }
    }

    @Test("colors of the high-contrast theme stay apart where there are eight")
    func highContrastOnEightColors() {
        let quantizer = Quantizer(.eight)
        let roles: [Role] = [.failure, .warning, .success, .info, .keyword]
        let shown = Set(roles.map { quantizer.entry(for: Theme.highContrast[$0].foreground) })
        #expect(shown.count == roles.count)
    }

    @Test("a theme is fitted to what the terminal can show")
    func fitted() {
        #expect(Theme.dark.fitted(to: .palette) == .dark)
        // Without colors, the weight and lines of mono take their place under the theme's own name.
        let plain = Theme.dark.with(.ascii).fitted(to: .monochrome)
        #expect(plain.name == "dark")
        #expect(plain.glyphs == .ascii)
        for role in Role.allCases { #expect(plain[role] == Theme.mono[role]) }
        #expect(HeatPalette(.dark).isColored)
        #expect(!HeatPalette(Theme.dark.fitted(to: .eight)).isColored)
        #expect(!HeatPalette(.mono).isColored)
    }

    private func themeFile(_ name: String) throws -> String {
        // Tests/ConsoleTests/Style/ThemeTests.swift
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        let path = "\(root)/themes/\(name).toml"
        let file = try #require(fopen(path, "r"), "\(path) is missing")
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
