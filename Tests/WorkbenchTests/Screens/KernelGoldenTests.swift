import Console
import KernelLab
import Testing
import Workbench

/// Screens of the kernel panel with fixed figures, at a fixed time in UTC; nothing in them was measured.
@Suite("The kernel panel's golden screens")
struct KernelGoldenTests {
    struct Scene: CustomTestStringConvertible {
        let name: String
        let keys: String
        var profile: String?
        var isMeasured = true

        var testDescription: String { name }

        init(_ name: String, _ keys: String, profile: String? = nil, isMeasured: Bool = true) {
            self.name = name
            self.keys = keys
            self.profile = profile
            self.isMeasured = isMeasured
        }
    }

    // The source of built-in kernels changes with them: figures and history stand in its place.
    static let scenes = [
        Scene("figures", "v<enter><enter>"), Scene("history", "<enter>gjjjjjvv<enter>"), Scene("rung", "v<enter>gjj"),
        Scene("own", "Gkk<enter>"), Scene("size", "vs"),
        Scene("launches", "", profile: "before.csv"), Scene("filtered", "/softmax<enter>", profile: "before.csv"),
        Scene("compared", "d<enter>", profile: "before.csv"), Scene("help", "v?"),
        Scene("zoomed", "v<enter>z"), Scene("empty", "vv", isMeasured: false),
    ]

    private static func scenes(_ names: String...) -> [Scene] { scenes.filter { names.contains($0.name) } }

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try compare(scene, Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try compare(scene, Size(120, 40)) }

    @Test("on a large terminal", arguments: scenes("figures", "history", "launches"))
    func large(scene: Scene) throws { try compare(scene, Size(200, 60)) }

    @Test("without colors and with ASCII only", arguments: scenes("figures", "history", "launches"))
    func plain(scene: Scene) throws {
        let screen = try compare(scene, Size(120, 40), theme: "mono", isASCII: true)
        #expect(screen.textDump.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("the light theme changes colors and nothing else", arguments: scenes("figures", "launches"))
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
        let golden = Golden("kernels-\(scene.name)-\(size.columns)x\(size.rows)-\(theme)", screen)
        if Golden.isUpdating {
            golden.keep()
        } else if let difference = golden.difference {
            Issue.record("\(difference)")
        }
        return screen
    }

    private static func screen(of scene: Scene, _ size: Size, _ settings: [String: String]) throws -> Surface {
        let made = scene.isMeasured ? try TestWorkspace.regressed() : try TestWorkspace()
        let profile = try made.profiles.summaries().first { $0.title == scene.profile }
        return try Workbench.show(
            panel: "kernels", workspace: made.workspace, settings: Place.settings(settings), size: size,
            keys: scene.keys, opening: profile.map { Reference($0) }, clock: Place.now)
    }
}
