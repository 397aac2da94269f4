import Console
import Testing
import Traces
import Workbench

/// Screens of the retrieval panel over a small corpus, without times.
@Suite("The retrieval panel's golden screens")
struct RetrievalGoldenTests {
    struct Scene: GoldenScene {
        static let prefix = "retrieval-"
        let name: String
        let keys: String
        /// The beginning of the id of a recorded run that is opened.
        var trace: String?
        var isFilled = true

        init(_ name: String, _ keys: String, trace: String? = nil, isFilled: Bool = true) {
            self.name = name
            self.keys = keys
            self.trace = trace
            self.isFilled = isFilled
        }

        func screen(_ size: Size, _ settings: [String: String]) throws -> Surface {
            let made = isFilled ? try SearchedWorkspace().made : try TestWorkspace()
            defer { withExtendedLifetime(made) {} }
            let reference = try trace.map { Reference(try made.store.find($0)) }
            return try Workbench.show(
                panel: "retrieval", workspace: made.workspace, settings: Place.settings(settings), size: size,
                keys: keys, opening: reference, clock: Place.now)
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

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try scene.compare(Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try scene.compare(Size(120, 40)) }

    @Test("on a large terminal", arguments: scenes.named("asked", "why-not", "compared", "reranked"))
    func large(scene: Scene) throws { try scene.compare(Size(200, 60)) }

    @Test("without colors and with ASCII only", arguments: scenes.named("asked", "why-not", "source", "health"))
    func plain(scene: Scene) throws {
        try scene.compare(Size(120, 40), theme: "mono", isASCII: true)
    }

    @Test("the light theme changes colors and nothing else", arguments: scenes.named("asked", "why-not", "recorded"))
    func light(scene: Scene) throws { try scene.expectLightDiffersInColors() }
}
