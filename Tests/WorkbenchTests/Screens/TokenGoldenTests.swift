import Console
import ModelLab
import Testing
import Workbench

/// Screens of the tokens panel with fixed figures, at a fixed time in UTC; no model computed anything in them.
@Suite("The tokens panel's golden screens")
struct TokenGoldenTests {
    struct Scene: GoldenScene {
        static let prefix = "tokens-"
        let name: String
        let keys: String
        /// Which of the answers is open, oldest first; 0 opens none.
        var answer: Int64 = 1
        var isFilled = true

        init(_ name: String, _ keys: String, answer: Int64 = 1, isFilled: Bool = true) {
            self.name = name
            self.keys = keys
            self.answer = answer
            self.isFilled = isFilled
        }

        func screen(_ size: Size, _ settings: [String: String]) throws -> Surface {
            let made = isFilled ? try TestWorkspace.conversed() : try TestWorkspace()
            return try Workbench.show(
                panel: "tokens", workspace: made.workspace, settings: Place.settings(settings), size: size,
                keys: keys,
                opening: answer == 0 ? nil : Reference(.generation, [answer], title: ""), clock: Place.now)
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

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try scene.compare(Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try scene.compare(Size(120, 40)) }

    @Test("on a large terminal", arguments: scenes.named("answer", "branch", "compared"))
    func large(scene: Scene) throws { try scene.compare(Size(200, 60)) }

    @Test("without colors and with ASCII only", arguments: scenes.named("answer", "branch", "first"))
    func plain(scene: Scene) throws {
        try scene.compare(Size(120, 40), theme: "mono", isASCII: true)
    }

    @Test("in the other themes with colors", arguments: scenes.named("answer", "branch"), ["light", "high-contrast"])
    func themed(scene: Scene, theme: String) throws { try scene.compare(Size(120, 40), theme: theme) }

    @Test("the light theme changes colors and nothing else", arguments: scenes.named("answer", "branch", "origin"))
    func light(scene: Scene) throws { try scene.expectLightDiffersInColors() }
}
