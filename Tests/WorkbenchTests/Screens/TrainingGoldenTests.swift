import Console
import Testing
import Workbench

/// Screens of the training panel with computed curves, at a fixed time in UTC; nothing in them was trained.
@Suite("The training panel's golden screens")
struct TrainingGoldenTests {
    struct Scene: GoldenScene {
        static let prefix = "training-"
        let name: String
        let keys: String
        /// Which of the runs is open, oldest first; 0 opens none.
        var run: Int64 = 1
        var isFilled = true

        init(_ name: String, _ keys: String, run: Int64 = 1, isFilled: Bool = true) {
            self.name = name
            self.keys = keys
            self.run = run
            self.isFilled = isFilled
        }

        func screen(_ size: Size, _ settings: [String: String]) throws -> Surface {
            let made = isFilled ? try TrainedWorkspace.sample() : try TrainedWorkspace()
            // Runs go on as long as their recorders do.
            defer { withExtendedLifetime(made) {} }
            return try Workbench.show(
                panel: "training", workspace: made.workspace, settings: Place.settings(settings), size: size,
                keys: keys, opening: run == 0 ? nil : Reference(.trainingRun, [run], title: ""),
                clock: Place.now)
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

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try scene.compare(Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try scene.compare(Size(120, 40)) }

    @Test("the panel fits a large terminal", arguments: scenes.named("finished", "overlaid", "diverged"))
    func large(scene: Scene) throws { try scene.compare(Size(200, 60)) }

    @Test("without colors and with ASCII only", arguments: scenes.named("finished", "overlaid", "first"))
    func plain(scene: Scene) throws {
        try scene.compare(Size(120, 40), theme: "mono", isASCII: true)
    }

    @Test("the light theme changes colors and nothing else", arguments: scenes.named("finished", "overlaid", "layers"))
    func light(scene: Scene) throws { try scene.expectLightDiffersInColors() }
}
