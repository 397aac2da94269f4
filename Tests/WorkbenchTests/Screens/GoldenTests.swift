import Console
import Presentation
import Testing
import Traces
import Workbench

/// Screens of the sample workspace as they are meant to be, at a fixed time in UTC.
///
/// After an intended change, one command rewrites all goldens, and `git diff` shows the changes:
///
///     ORRERY_UPDATE_GOLDENS=1 swift test --filter GoldenTests
@Suite("The golden screens of the workbench")
struct GoldenTests {
    /// Keys to press, and whether the run that fixes the tide table is opened first.
    struct Scene: GoldenScene {
        static let prefix = ""
        let name: String
        let keys: String
        let opensRun: Bool

        init(_ name: String, _ keys: String, opensRun: Bool = true) {
            self.name = name
            self.keys = keys
            self.opensRun = opensRun
        }

        func screen(_ size: Size, _ settings: [String: String]) throws -> Surface {
            let sample = try TestWorkspace.sample()
            return try Workbench.show(
                panel: "traces", workspace: sample.workspace, settings: Place.settings(settings), size: size,
                keys: keys, opening: opensRun ? Reference(try sample.store.find("7e57ab1e")) : nil, clock: Place.now)
        }
    }

    static let scenes = [
        Scene("runs", "", opensRun: false), Scene("run", ""), Scene("first-error", "]e"), Scene("compaction", "]c"),
        Scene("detail-zoomed", "]e<enter>z"), Scene("json", "]ev"), Scene("raw", "]evv"),
        Scene("search", "/kind:tool status:error<enter>"), Scene("only-matches", "/kind:tool status:error<enter>f"),
        Scene("help", "?"), Scene("palette", "<ctrl-p>next"), Scene("filter-line", "/kind:to", opensRun: false),
        Scene("filtered", "/errors>1<enter>", opensRun: false), Scene("unknown-command", ":frobnicate<enter>"),
    ]

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try scene.compare(Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try scene.compare(Size(120, 40)) }

    @Test("on a large terminal", arguments: scenes.named("runs", "first-error", "search"))
    func large(scene: Scene) throws { try scene.compare(Size(200, 60)) }

    @Test(
        "without colors and with ASCII only",
        arguments: scenes.named("runs", "first-error", "search", "help", "palette"))
    func plain(scene: Scene) throws {
        for size in [Size(80, 24), Size(120, 40)] { try scene.compare(size, theme: "mono", isASCII: true) }
    }

    @Test(
        "in the other themes with colors", arguments: scenes.named("runs", "first-error"), ["light", "high-contrast"])
    func themed(scene: Scene, theme: String) throws { try scene.compare(Size(120, 40), theme: theme) }

    // Themes without colors mark the parts of a bar by other signs.
    @Test("the light theme changes colors and nothing else", arguments: scenes)
    func light(scene: Scene) throws { try scene.expectLightDiffersInColors() }
}
