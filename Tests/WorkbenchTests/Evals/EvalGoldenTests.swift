import Console
import Testing
import Workbench

/// Screens of the eval panel with computed runs, at a fixed time in UTC:
///
///     ORRERY_UPDATE_GOLDENS=1 swift test --filter EvalGoldenTests
@Suite("The eval panel's golden screens")
struct EvalGoldenTests {
    struct Scene: CustomTestStringConvertible {
        let name: String
        let keys: String
        let typed: String

        var testDescription: String { name }

        init(_ name: String, _ keys: String, typed: String = "") {
            self.name = name
            self.keys = keys
            self.typed = typed
        }
    }

    static let scenes = [
        Scene("runs", "j"), Scene("samples", "jj<enter>]r"), Scene("filtered", "<enter>/", typed: "failed"),
        Scene("diff", "jd"), Scene("matrix", "M"), Scene("queue", "Qp"), Scene("confusion", "jccc"),
        Scene("roc", "cccc"), Scene("slices", "vc"), Scene("sums", "cccf"), Scene("cost", "ccccccc"),
        Scene("wrong", "W"), Scene("sides", "jd<enter>"), Scene("listed", "/", typed: "few-shot"),
    ]

    private static func scenes(_ names: String...) -> [Scene] { scenes.filter { names.contains($0.name) } }

    @Test("on a small terminal", arguments: scenes)
    func small(scene: Scene) throws { try compare(scene, Size(80, 24)) }

    @Test("on a terminal of the usual size", arguments: scenes)
    func usual(scene: Scene) throws { try compare(scene, Size(120, 40)) }

    @Test("on a large terminal", arguments: scenes("runs", "samples", "diff", "sides", "wrong"))
    func large(scene: Scene) throws { try compare(scene, Size(200, 60)) }

    @Test(
        "without colors and with ASCII only",
        arguments: scenes("runs", "samples", "diff", "confusion", "sides", "wrong"))
    func plain(scene: Scene) throws {
        let screen = try compare(scene, Size(120, 40), theme: .mono.with(.ascii), name: "mono", isASCII: true)
        #expect(screen.textDump.utf8.allSatisfy { $0 < 0x80 })
    }

    @discardableResult
    private func compare(
        _ scene: Scene, _ size: Size, theme: Theme = .dark, name: String = "dark", isASCII: Bool = false
    ) throws -> Surface {
        let driver = try EvalDriver(size: size, rater: "ada")
        try driver.press(scene.keys)
        if !scene.typed.isEmpty { driver.type(scene.typed) }
        let screen = isASCII ? driver.surface(theme).transliterated() : driver.surface(theme)
        let golden = Golden("evals-\(scene.name)-\(size.columns)x\(size.rows)-\(name)", screen)
        if Golden.isUpdating {
            golden.keep()
        } else if let difference = golden.difference {
            Issue.record("\(difference)")
        }
        return screen
    }
}
