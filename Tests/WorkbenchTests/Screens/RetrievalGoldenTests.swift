import Console
import Testing
import Traces
import Workbench

/// Screens of the retrieval panel over a small corpus, without times.
@Suite("The retrieval panel's golden screens")
struct RetrievalGoldenTests {
    struct Scene: CustomTestStringConvertible {
        let name: String
        let keys: String
        /// The beginning of the id of a recorded run that is opened.
        var trace: String?
        var isFilled = true

        var testDescription: String { name }

        init(_ name: String, _ keys: String, trace: String? = nil, isFilled: Bool = true) {
            self.name = name
            self.keys = keys
            self.trace = trace
            self.isFilled = isFilled
        }
    }

    private static let ask = "/\(SearchedWorkspace.question)<enter>"

    static let scenes = [
        Scene("empty", "", isFilled: false), Scene("first", ""), Scene("asked", ask), Scene("typing", "/guide sta"),
        Scene("followed", ask + "hjj"), Scene("limit", ask + "sfusion.keep = 3<enter>h"),
        Scene("source", ask + "v"), Scene("prompt", ask + "vv"),
        Scene("answered", ask + "a<ctrl-u>scripted:The lower leaf needs 62 N·m dry [1].<enter>"),
        Scene("why", ask + "W"), Scene("why-not", ask + "sfusion.keep = 2<enter>wnotes/2026-09-20.txt<enter>"),
        Scene("truth", ask + "t"), Scene("compared", ask + "bnarrow<enter>"), Scene("health", "H"),
        Scene("questions", ask + "<tab><tab><tab>"), Scene("recorded", "", trace: "decade0f"),
        Scene("reranked", "", trace: "0ddba115"),
        Scene("not-recorded", "", trace: "01dc0de5"),
        Scene("refused", "."), Scene("zoomed", ask + "z"), Scene("help", "?"),
    ]

    private static func scenes(_ names: String...) -> [Scene] { scenes.filter { names.contains($0.name) } }

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try compare(scene, Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try compare(scene, Size(120, 40)) }

    @Test("on a large terminal", arguments: scenes("asked", "why-not", "compared", "reranked"))
    func large(scene: Scene) throws { try compare(scene, Size(200, 60)) }

    @Test("without colors and with ASCII only", arguments: scenes("asked", "why-not", "source", "health"))
    func plain(scene: Scene) throws {
        let screen = try compare(scene, Size(120, 40), theme: "mono", isASCII: true)
        #expect(screen.textDump.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("the light theme changes colors and nothing else", arguments: scenes("asked", "why-not", "recorded"))
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
        let golden = Golden("retrieval-\(scene.name)-\(size.columns)x\(size.rows)-\(theme)", screen)
        if Golden.isUpdating {
            golden.keep()
        } else if let difference = golden.difference {
            Issue.record("\(difference)")
        }
        return screen
    }

    private static func screen(of scene: Scene, _ size: Size, _ settings: [String: String]) throws -> Surface {
        let made = scene.isFilled ? try SearchedWorkspace().made : try TestWorkspace()
        defer { withExtendedLifetime(made) {} }
        let reference = try scene.trace.map { Reference(try made.store.find($0)) }
        return try Workbench.show(
            panel: "retrieval", workspace: made.workspace, settings: Place.settings(settings), size: size,
            keys: scene.keys, opening: reference, clock: Place.now)
    }
}
