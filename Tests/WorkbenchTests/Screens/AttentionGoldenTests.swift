import Console
import Testing
import Workbench

/// Screens of the attention panel with an engine whose weights are known numbers; no model computed anything in them.
@Suite("The attention panel's golden screens")
struct AttentionGoldenTests {
    struct Scene: CustomTestStringConvertible, Sendable {
        let name: String
        var text: String? = "the old clock stood in the old tower"
        let actions: @Sendable (AttentionDriver) -> Void

        var testDescription: String { name }
    }

    static let scenes = [
        Scene(name: "empty", text: nil) { _ in },
        Scene(name: "read") { _ in },
        Scene(name: "head") { $0.act(.previousPane) },
        Scene(name: "lens") { $0.act(.nextPane, .nextReading) },
        Scene(name: "off") { $0.act(.toggleHead) },
        Scene(name: "compared") {
            $0.act(.compare)
            $0.type("a new bell rang in the new hall")
            $0.act(.side)
        },
    ]

    @Test("at every size", arguments: scenes, [Size(80, 24), Size(120, 40), Size(200, 60)])
    func dark(scene: Scene, size: Size) { compare(scene, size, .dark) }

    @Test("without colors and with ASCII only", arguments: scenes)
    func plain(scene: Scene) {
        let screen = compare(scene, Size(120, 40), .mono.with(.ascii), named: "mono")
        #expect(screen.textDump.utf8.allSatisfy { $0 < 0x80 })
    }

    @discardableResult
    private func compare(_ scene: Scene, _ size: Size, _ theme: Theme, named name: String = "dark") -> Surface {
        let driver = AttentionDriver(PreparedAttention(models: ["mini"]), size: size, text: scene.text)
        scene.actions(driver)
        let drawn = driver.surface(theme)
        let screen = theme.glyphs.isASCII ? drawn.transliterated() : drawn
        Golden("attention-\(scene.name)-\(size.columns)x\(size.rows)-\(name)", screen).keepOrCompare()
        return screen
    }
}

extension Golden {
    /// Records the screen if goldens are updated, else reports where it differs from the recorded one.
    func keepOrCompare() {
        if Self.isUpdating {
            keep()
        } else if let difference {
            Issue.record("\(difference)")
        }
    }
}
