import Console
import ModelLab
import Testing
import Workbench

/// Screens of the tokens panel with fixed figures, at a fixed time in UTC; no model computed anything in them.
@Suite("The tokens panel's golden screens")
struct TokenGoldenTests {
    struct Scene: CustomTestStringConvertible {
        let name: String
        let keys: String
        /// Which of the answers is open, oldest first; 0 opens none.
        var answer: Int64 = 1
        var isFilled = true

        var testDescription: String { name }

        init(_ name: String, _ keys: String, answer: Int64 = 1, isFilled: Bool = true) {
            self.name = name
            self.keys = keys
            self.answer = answer
            self.isFilled = isFilled
        }
    }

    static let scenes = [
        Scene("first", "", answer: 0, isFilled: false), Scene("answer", "<enter>]]"),
        Scene("entropy", "<enter>]c"), Scene("origin", "<enter>cccggllllll"), Scene("branch", "j", answer: 3),
        Scene("alternatives", "<enter>]<enter>jj"), Scene("compared", "d", answer: 2), Scene("not-told", "", answer: 4),
        Scene("failed", "", answer: 5), Scene("search", "/planet<enter>n"), Scene("live", "<tab><tab><tab>"),
        Scene("sessions", "G<enter>", answer: 0), Scene("zoomed", "<enter>z"), Scene("help", "?"),
        Scene("settings", "s<ctrl-u>temperature=0.2<enter>"),
    ]

    private static func scenes(_ names: String...) -> [Scene] { scenes.filter { names.contains($0.name) } }

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try compare(scene, Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try compare(scene, Size(120, 40)) }

    @Test("on a large terminal", arguments: scenes("answer", "branch", "compared"))
    func large(scene: Scene) throws { try compare(scene, Size(200, 60)) }

    @Test("without colors and with ASCII only", arguments: scenes("answer", "branch", "first"))
    func plain(scene: Scene) throws {
        let screen = try compare(scene, Size(120, 40), theme: "mono", isASCII: true)
        #expect(screen.textDump.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("in the other themes with colors", arguments: scenes("answer", "branch"), ["light", "high-contrast"])
    func themed(scene: Scene, theme: String) throws { try compare(scene, Size(120, 40), theme: theme) }

    @Test("the light theme changes colors and nothing else", arguments: scenes("answer", "branch", "origin"))
    func light(scene: Scene) throws {
        let dark = try Self.screen(of: scene, Size(120, 40), ["theme": "dark"])
        let light = try Self.screen(of: scene, Size(120, 40), ["theme": "light"])
        #expect(dark.textDump == light.textDump)
        #expect(dark.styleDump != light.styleDump)
    }

    @discardableResult
    private func compare(
        _ scene: Scene, _ size: Size, theme: String = "dark", isASCII: Bool = false
    ) throws -> Surface {
        let screen = try Self.screen(of: scene, size, ["theme": theme, "ascii": isASCII ? "true" : "false"])
        let golden = Golden("tokens-\(scene.name)-\(size.columns)x\(size.rows)-\(theme)", screen)
        if Golden.isUpdating {
            golden.keep()
        } else if let difference = golden.difference {
            Issue.record("\(difference)")
        }
        return screen
    }

    private static func screen(of scene: Scene, _ size: Size, _ settings: [String: String]) throws -> Surface {
        let made = scene.isFilled ? try TestWorkspace.conversed() : try TestWorkspace()
        return try Workbench.show(
            panel: "tokens", workspace: made.workspace, settings: Place.settings(settings), size: size,
            keys: scene.keys,
            opening: scene.answer == 0 ? nil : Reference(.generation, [scene.answer], title: ""), clock: Place.now)
    }
}
