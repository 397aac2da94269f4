import Console
import Testing
import Workbench

/// Screens of the attention panel with an engine whose weights are known numbers; no model computed anything in them.
@Suite("The attention panel's golden screens")
struct AttentionGoldenTests {
    struct Scene: GoldenScene {
        static let prefix = "attention-"
        let name: String
        var text: String? = "the old clock stood in the old tower"
        let actions: @Sendable (AttentionDriver) throws -> Void

        func screen(_ size: Size, _ settings: [String: String]) throws -> Surface {
            let driver = try AttentionDriver(PreparedAttention(models: ["mini"]), size: size, text: text)
            try actions(driver)
            return driver.surface(.of(settings)).transliterated(settings)
        }
    }

    static let scenes = [
        Scene(name: "empty", text: nil) { _ in },
        Scene(name: "read") { _ in },
        Scene(name: "head") { try $0.press("previous-pane") },
        Scene(name: "lens") { try $0.press("next-pane", "next-reading") },
        Scene(name: "off") { try $0.press("head-off") },
        Scene(name: "compared") {
            try $0.press("compare")
            try $0.answer("a new bell rang in the new hall")
            try $0.press("side")
        },
    ]

    @Test("at every size", arguments: scenes, [Size(80, 24), Size(120, 40), Size(200, 60)])
    func dark(scene: Scene, size: Size) throws { try scene.compare(size) }

    @Test("without colors and with ASCII only", arguments: scenes)
    func plain(scene: Scene) throws { try scene.compare(Size(120, 40), theme: "mono", isASCII: true) }
}
