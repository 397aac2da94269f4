import Console
import Testing
import Workbench

/// Screens of the training panel with computed curves, at a fixed time in UTC; nothing in them was trained.
@Suite("The training panel's golden screens")
struct TrainingGoldenTests {
    struct Scene: CustomTestStringConvertible {
        let name: String
        let keys: String
        /// Which of the runs is open, oldest first; 0 opens none.
        var run: Int64 = 1
        var isFilled = true

        var testDescription: String { name }

        init(_ name: String, _ keys: String, run: Int64 = 1, isFilled: Bool = true) {
            self.name = name
            self.keys = keys
            self.run = run
            self.isFilled = isFilled
        }
    }

    static let scenes = [
        Scene("first", "", run: 0, isFilled: false), Scene("runs", "", run: 0), Scene("finished", ""),
        Scene("overlaid", "<esc>Gk<space>kk<space>L<tab>"), Scene("cursor", "<pgup>hh"),
        Scene("part", "<pgup><pgup>.."),
        Scene("diverged", "L", run: 2), Scene("layers", "<tab>Sfj"), Scene("samples", "<tab><tab>v"),
        Scene("events", "vv", run: 4), Scene("configuration", "vvv"), Scene("rate", "*", run: 4),
        Scene("refused", "p"), Scene("search", "v/noon<enter>n"), Scene("waits", "", run: 5), Scene("zoomed", "z"),
        Scene("help", "?"),
    ]

    private static func scenes(_ names: String...) -> [Scene] { scenes.filter { names.contains($0.name) } }

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try compare(scene, Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try compare(scene, Size(120, 40)) }

    @Test("on a large terminal", arguments: scenes("finished", "overlaid", "diverged"))
    func large(scene: Scene) throws { try compare(scene, Size(200, 60)) }

    @Test("without colors and with ASCII only", arguments: scenes("finished", "overlaid", "first"))
    func plain(scene: Scene) throws {
        let screen = try compare(scene, Size(120, 40), theme: "mono", isASCII: true)
        #expect(screen.textDump.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("the light theme changes colors and nothing else", arguments: scenes("finished", "overlaid", "layers"))
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
        let golden = Golden("training-\(scene.name)-\(size.columns)x\(size.rows)-\(theme)", screen)
        if Golden.isUpdating {
            golden.keep()
        } else if let difference = golden.difference {
            Issue.record("\(difference)")
        }
        return screen
    }

    private static func screen(of scene: Scene, _ size: Size, _ settings: [String: String]) throws -> Surface {
        let made = scene.isFilled ? try TrainedWorkspace.sample() : try TrainedWorkspace()
        // Runs go on as long as their recorders do.
        defer { withExtendedLifetime(made) {} }
        return try Workbench.show(
            panel: "training", workspace: made.workspace, settings: Place.settings(settings), size: size,
            keys: scene.keys, opening: scene.run == 0 ? nil : Reference(.trainingRun, [scene.run], title: ""),
            clock: Place.now)
    }
}
