import Console
import ModelLab
import TestFixtures
import Testing
import Workbench
import Workspace

/// The page with its real engine, on the model that comes with the program.
@Suite struct `The attention page on a model` {
    private static let path = Place.root + "/sample-data/models/orrery-mini"
    /// Tokens of the story.
    private static let tokens = 18
    private static let story = "Once upon a time there was a little girl named"

    private func driver(_ workspace: TestWorkspace) throws -> AttentionDriver {
        let driver = try AttentionDriver(workspace)
        try driver.press("model")
        try driver.answer(Self.path)
        try driver.press("prompt")
        try driver.answer(Self.story)
        // The sample, which was read first, begins at the heads: the tokens are two panes on.
        try driver.press("next-pane", "next-pane")
        return driver
    }

    @Test func `it reads a text, shows weights that sum to one, and says what each layer would say`() throws {
        let made = try TestWorkspace()
        let driver = try driver(made)
        #expect(driver.failures == [])
        #expect(driver.screen().contains("6 × 6"))
        try driver.press("sums")
        #expect(driver.screen().contains("= 1.00000  ✓"))
        try driver.press("previous-reading", "previous-reading")
        #expect(driver.screen().contains("final"))
        try driver.press("next-reading")
        #expect(driver.screen().contains("|residual| after each layer"))
        try driver.press("next-reading")
        #expect(driver.screen().contains("= 1.00000  ✓"), "a model without experts has no page of them")
        #expect(driver.failures == [])
    }

    @Test func `tokens come, a head is turned off, and the changed text appears next to the other`() throws {
        let made = try TestWorkspace()
        let driver = try driver(made)
        try driver.press("step", "step")
        let before = driver.page.selection?.path.last
        try driver.press("top", "right", "right", "head-off")
        #expect(driver.failures == [])
        let screen = driver.screen()
        #expect(screen.contains("L0H5 off") && screen.contains("KL(A ‖ B)"))
        #expect(before != driver.page.selection?.path.last)
        // Nothing is written that was not there: two tokens had come, and two come on the changed side.
        #expect(screen.contains("Tokens ─ \(Self.tokens + 2) ── A orrery-mini ── B L0H5 off"))
        #expect(!screen.contains("weights ── off"))
        try driver.press("side")
        #expect(driver.screen().contains("weights ── off"))
        try driver.press("side")
        #expect(driver.screen().contains("B - A"))
        try driver.press("untouched", "values", "pooling", "shading", "range")
        try driver.answer("0-3")
        #expect(driver.screen().contains("summed over 36 heads"))
        #expect(driver.failures == [])
    }

    @Test func `a head that is turned off in a text of one's own lets nothing be written`() throws {
        let made = try TestWorkspace()
        let driver = try driver(made)
        try driver.press("top", "right", "head-off")
        #expect(driver.failures == [])
        #expect(driver.screen().contains("Tokens ─ \(Self.tokens) ──") && driver.screen().contains(", mean "))
        try driver.press("step")
        #expect(driver.screen().contains("Tokens ─ \(Self.tokens + 1) ──"))
    }

    @Test func `the sample's note is true: L0H5 attends to the continuation, and another head scores higher`() throws {
        let made = try TestWorkspace()
        let screen = try AttentionDriver(made).screen(.dark)
        #expect(screen.contains("query 42  Zil  key 14 upha   0.999"))
        #expect(screen.contains(/\[0\.12/) && screen.contains(/L3 +0\.20/))
        #expect(screen.contains("A sample: the name Zilupha starts again"))
    }

    @Test func `a model that runs elsewhere is rejected with an error`() throws {
        let made = try TestWorkspace()
        let driver = try AttentionDriver(made)
        try driver.press("model")
        try driver.answer("openai:gpt-4o-mini")
        try driver.press("prompt")
        try driver.answer("Hello")
        #expect(driver.failures.last?.contains("its attention is not available") == true)
        #expect(driver.failures.last?.contains("openai:gpt-4o-mini runs elsewhere, so its attention") == true)
        // The sample that orrery-mini has read stays.
        #expect(driver.screen().contains("── orrery-mini ──") && driver.screen().contains("Zilupha"))
    }
}
