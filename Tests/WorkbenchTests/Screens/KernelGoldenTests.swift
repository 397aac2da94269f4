import Console
import KernelLab
import Testing
import Workbench

/// Screens of the kernel panel with fixed figures, at a fixed time in UTC; nothing in them was measured.
@Suite("The kernel panel's golden screens")
struct KernelGoldenTests {
    struct Scene: GoldenScene {
        static let prefix = "kernels-"
        let name: String
        let keys: String
        var profile: String?
        var isMeasured = true

        init(_ name: String, _ keys: String, profile: String? = nil, isMeasured: Bool = true) {
            self.name = name
            self.keys = keys
            self.profile = profile
            self.isMeasured = isMeasured
        }

        func screen(_ size: Size, _ settings: [String: String]) throws -> Surface {
            let made = isMeasured ? try TestWorkspace.regressed() : try TestWorkspace()
            let opened = try made.profiles.summaries().first { $0.title == profile }
            return try Workbench.show(
                panel: "kernels", workspace: made.workspace, settings: Place.settings(settings), size: size,
                keys: keys, opening: opened.map { Reference($0) }, clock: Place.now)
        }
    }

    // The source of built-in kernels changes with them: figures and history stand in its place.
    static let scenes = [
        Scene("figures", "v<enter><enter>"), Scene("history", "<enter>ggjjjjjvv<enter>"), Scene("rung", "v<enter>ggjj"),
        Scene("own", "Gkk<enter>"), Scene("size", "vs"),
        Scene("launches", "", profile: "before.csv"), Scene("filtered", "/softmax<enter>", profile: "before.csv"),
        Scene("compared", "d<enter>", profile: "before.csv"), Scene("help", "v?"),
        Scene("zoomed", "v<enter>z"), Scene("empty", "vv", isMeasured: false),
    ]

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try scene.compare(Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try scene.compare(Size(120, 40)) }

    @Test("on a large terminal", arguments: scenes.named("figures", "history", "launches"))
    func large(scene: Scene) throws { try scene.compare(Size(200, 60)) }

    @Test("without colors and with ASCII only", arguments: scenes.named("figures", "history", "launches"))
    func plain(scene: Scene) throws {
        try scene.compare(Size(120, 40), theme: "mono", isASCII: true)
    }

    @Test("the light theme changes colors and nothing else", arguments: scenes.named("figures", "launches"))
    func light(scene: Scene) throws { try scene.expectLightDiffersInColors() }
}
