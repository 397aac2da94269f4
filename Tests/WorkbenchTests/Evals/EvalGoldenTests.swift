import Console
import Testing
import Workbench

/// Screens of the evals page with computed runs, at a fixed time in UTC:
///
///     ORRERY_UPDATE_GOLDENS=1 swift test --filter EvalGoldenTests
@Suite("The evals page's golden screens")
struct EvalGoldenTests {
    struct Scene: GoldenScene {
        static let prefix = "evals-"
        let name: String
        let keys: String
        let typed: String

        init(_ name: String, _ keys: String, typed: String = "") {
            self.name = name
            self.keys = keys
            self.typed = typed
        }

        func screen(_ size: Size, _ settings: [String: String]) throws -> Surface {
            let driver = try EvalDriver(size: size, rater: "ada")
            try driver.type(keys)
            if !typed.isEmpty { driver.answer(typed) }
            return driver.surface(.of(settings)).transliterated(settings)
        }
    }

    static let scenes = [
        Scene("runs", "j"), Scene("samples", "jj<enter>]r"), Scene("filtered", "<enter>/", typed: "failed"),
        Scene("diff", "jd"), Scene("matrix", "M"), Scene("queue", "Qp"), Scene("confusion", "jccc"),
        Scene("roc", "cccc"), Scene("slices", "vc"), Scene("sums", "cccf"), Scene("cost", "ccccccc"),
        Scene("wrong", "W"), Scene("sides", "jd<enter>"), Scene("listed", "/", typed: "few-shot"),
    ]

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try scene.compare(Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try scene.compare(Size(120, 40)) }

    @Test("on a large terminal", arguments: scenes.named("runs", "samples", "diff", "sides", "wrong"))
    func large(scene: Scene) throws { try scene.compare(Size(200, 60)) }

    @Test(
        "without colors and with ASCII only",
        arguments: scenes.named("runs", "samples", "diff", "confusion", "sides", "wrong"))
    func plain(scene: Scene) throws {
        try scene.compare(Size(120, 40), theme: "mono", isASCII: true)
    }
}
