import Console
import Glibc
import System
import Testing

@Suite("Themes")
struct ThemeTests {
    @Test("a built-in theme equals its file", arguments: Theme.builtIn)
    func builtInThemes(theme: Theme) throws {
        let file = try Theme(toml: themeFile(theme.name))
        #expect(file.name == theme.name)
        #expect(file.canvas == theme.canvas)
        for role in Role.allCases {
            #expect(file[role] == theme[role], "\(theme.name): \(role.rawValue)")
        }
        #expect(Theme.named(theme.name) == theme)
    }

    @Test("a theme file that does not inherit sets every role", arguments: Theme.builtIn)
    func completeFiles(theme: Theme) throws {
        let text = try themeFile(theme.name)
        guard !text.contains("inherits") else { return }
        for role in Role.allCases {
            #expect(text.contains("\n\(role.rawValue) = "), "\(theme.name) does not set \(role.rawValue)")
        }
    }

    @Test("the index of a role is its position, and chart roles repeat")
    func roleIndices() {
        for (index, role) in Role.allCases.enumerated() {
            #expect(role.index == index)
        }
        #expect(Role.series(0) == .series1)
        #expect(Role.series(9) == .series2)
        #expect(Role.series(-1) == .series8)
    }

    @Test("a theme inherits the styles and canvas colors that it does not set")
    func inheritance() throws {
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
        "an error states its line and a remedy",
        arguments: [
            ("[roles]\nselektion = \"on 3\"", #"line 2: unknown role "selektion". Did you mean "selection"?"#),
            (
                "[roles]\n\ntext = \"rde\"",
                #"line 3: text: unknown color or attribute "rde". Did you mean "red"?"#
            ),
            ("[roles]\ntext = 256", "line 2: text: color 256 is out of range. Use 0 to 255."),
            (
                "[roles]\ntext = \"#12\"",
                ##"line 2: text: invalid color "#12". Use #rrggbb, with six hexadecimal digits."##
            ),
            (
                "[roles]\ntext = \"red blue\"",
                #"line 2: text: second color "blue". Write "on blue" to set the background."#
            ),
            ("[roles]\ntext = \"red on\"", #"line 2: text: missing color after "on". Example: "on 237"."#),
            ("[roles]\ntext = true", "line 2: text must be a string in quotes or an integer."),
            (
                "[palette]\nx = \"nope\"",
                #"line 2: x: unknown color or attribute "nope". "#
                    + "Use a color name, 0 to 255, #rrggbb, or an attribute such as bold."
            ),
            (
                "[canvas]\nedge = \"red\"",
                #"line 2: unknown key "edge" in [canvas]. Use foreground, background, or painted."#
            ),
            ("[canvas]\npainted = 1", "line 2: painted must be true or false, without quotes."),
            ("inherits = \"drak\"", #"line 1: unknown theme "drak" for inherits. Did you mean "dark"?"#),
            (
                "inherits = \"sepia\"",
                #"line 1: unknown theme "sepia" for inherits. Use dark, light, high-contrast, mono."#
            ),
            ("name = 3", "line 1: name must be a string in quotes."),
            (
                "\n[colors]\nx = 1",
                #"line 2: unknown key "colors". Use name, inherits, canvas, palette, or roles."#
            ),
            ("roles = 3", "line 1: roles must be a section: [roles]."),
        ])
    func errors(toml: String, sentence: String) {
        let error = #expect(throws: Problem.self) { try Theme(toml: toml) }
        #expect(error?.sentence == sentence)
    }

    @Test("a TOML syntax error has its line")
    func syntaxErrors() {
        let error = #expect(throws: Problem.self) { try Theme(toml: "name = \"x\"\n[roles\n") }
        #expect(error?.subject == "line 2")
        #expect(error?.sentence.hasPrefix("line 2: invalid TOML: ") == true)
    }

    @Test("the spelling of a style parses to the same style", arguments: Theme.builtIn)
    func spellings(theme: Theme) throws {
        for role in Role.allCases {
            #expect(try StyleSpelling().style(theme[role].spelling) == theme[role])
        }
    }

    @Test("the default theme depends on the terminal's colors and background")
    func suitedThemes() {
        #expect(Theme.suited(toColors: 256, lightBackground: false) == .dark)
        #expect(Theme.suited(toColors: 1 << 24, lightBackground: true) == .light)
        #expect(Theme.suited(toColors: 16, lightBackground: true) == .highContrast)
        #expect(Theme.suited(toColors: 0, lightBackground: false) == .mono)
    }

    @Test("mono has no colors")
    func mono() {
        for role in Role.allCases {
            #expect(Theme.mono[role].foreground == .terminal)
            #expect(Theme.mono[role].background == .terminal)
        }
    }

    @Test("colors of the high-contrast theme stay distinct on an eight-color terminal")
    func highContrastOnEightColors() {
        let quantizer = Quantizer(.eight)
        let roles: [Role] = [.failure, .warning, .success, .info, .keyword]
        let shown = Set(roles.map { quantizer.entry(for: Theme.highContrast[$0].foreground) })
        #expect(shown.count == roles.count)
    }

    @Test("a theme adapts to the color depth of the terminal")
    func fitted() {
        #expect(Theme.dark.fitted(to: .palette) == .dark)
        // Without colors, the attributes of mono replace them, but the theme keeps its name.
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
