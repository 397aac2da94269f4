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
        #expect(theme.canvas == Theme.light.canvas)
    }

    @Test(
        "a slip of the pen is answered with its line and a remedy",
        arguments: [
            ("[roles]\nselektion = \"on 3\"", "line 2: no role is called selektion; did you mean selection?"),
            ("[roles]\n\ntext = \"rde\"", "line 3: text: \"rde\" is no color or attribute; did you mean red?"),
            ("[roles]\ntext = 256", "line 2: text: color 256 does not exist: the palette has 0 to 255"),
            (
                "[roles]\ntext = \"#12\"",
                "line 2: text: \"#12\" is no color: write #rrggbb with six hexadecimal digits"
            ),
            ("[roles]\ntext = \"red blue\"", "line 2: text: \"blue\" would be a second color"),
            ("[roles]\ntext = \"red on\"", "line 2: text: a color is missing after \"on\""),
            ("[roles]\ntext = true", "line 2: text is to be text in quotes, or a number"),
            ("[palette]\nx = \"nope\"", "line 2: x: \"nope\" is no color or attribute"),
            ("[canvas]\nedge = \"red\"", "line 2: a canvas has foreground and background, but no edge"),
            (
                "inherits = \"drak\"",
                "line 1: a theme can inherit dark, light, high-contrast, mono, not drak; did you mean dark?"
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
        #expect(error?.sentence.hasPrefix("line 2: this is no TOML: ") == true)
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

    @Test func theHighContrastThemeNeedsOnlyEightColors() {
        for role in Role.allCases {
            for color in [Theme.highContrast[role].foreground, Theme.highContrast[role].background] {
                switch color.kind {
                case .terminal: break
                case .indexed(let index): #expect(index < 8)
                case .rgb: Issue.record("\(role.rawValue) needs 24 bits")
                }
            }
        }
    }

    /// Text on its background is told apart by luminance as WCAG 2.1 asks of large text: at least 3 to 1.
    @Test(arguments: [Theme.dark, .light])
    func textIsLegibleOnItsBackground(theme: Theme) throws {
        let decoration: Set<Role> = [
            .faint, .border, .scrollTrack, .gaugeBack, .shade, .comment, .series1, .series2, .series3, .series4,
            .series5, .series6, .series7, .series8, .gauge,
        ]
        for role in Role.allCases where !decoration.contains(role) {
            let style = theme[role]
            let ratio = contrast(
                style.foreground == .terminal ? theme.canvas.foreground : style.foreground,
                style.background == .terminal ? theme.canvas.background : style.background)
            #expect(ratio >= 3, "\(theme.name): \(role.rawValue) has \(ratio)")
        }
    }

    /// The contrast ratio of WCAG 2.1.
    private func contrast(_ first: Color, _ second: Color) -> Double {
        let (a, b) = (luminance(first), luminance(second))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    private func luminance(_ color: Color) -> Double {
        let rgb: Quantizer.RGB =
            switch color.kind {
            case .terminal: Quantizer.RGB(red: 0, green: 0, blue: 0)
            case .indexed(let index): Quantizer.rgb(of: index)
            case .rgb(let red, let green, let blue):
                Quantizer.RGB(red: Int(red), green: Int(green), blue: Int(blue))
            }
        func linear(_ value: Int) -> Double {
            let part = Double(value) / 255
            return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(rgb.red) + 0.7152 * linear(rgb.green) + 0.0722 * linear(rgb.blue)
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
