import Console
import Glibc
import Interpretability
import TestFixtures
import Testing
import Workbench

@Suite struct `The circuits of the features page` {
    private static let clean = "Dunancrest has a flag that is red. Dunancrest has a flag that is"
    private static let corrupt = "Dunancrest has a flag that is blue. Dunancrest has a flag that is"

    private func page(_ size: Size = Size(120, 40)) throws -> FeatureDriver {
        let driver = try FeatureDriver(FeatureWorkspace.indexed(), size: size)
        try driver.press("circuits")
        return driver
    }

    private func asked(
        _ size: Size = Size(120, 40), clean: String = clean, corrupt: String = corrupt
    ) throws -> FeatureDriver {
        let driver = try page(size)
        try driver.press("clean")
        try driver.answer(clean)
        try driver.press("corrupt")
        try driver.answer(corrupt)
        return driver
    }

    private func planted(parts: [AttributionSum.Term], logit: Double) -> CircuitReading {
        var map = PatchMap(
            title: "prepared", rows: .init("layer", ["0", "1"]), columns: .init("head", ["0", "1", "2"]), clean: logit,
            corrupt: -1, metric: "m", formula: "m / 2")
        map.scores = [0, 0.5, -1.25, 0, 1.5, .nan]
        map.values = map.scores
        map.isComplete = true
        return CircuitReading(
            question: CircuitQuestion(), map: map, tokens: ["a", " b"], metric: "m", answers: (" x", " y"),
            sum: AttributionSum(target: .difference(1, 2), position: 1, terms: parts, logit: logit))
    }

    @Test func `the page starts with the model of the dictionary and names what is missing`() throws {
        let driver = try page()
        let screen = driver.screen()
        for part in [
            "patching of resid_pre, layer by position", "Belohaven has a flag", "red against  green",
            "clean 11.889, corrupt -11.469", "A sample: which activation carries the color",
        ] { #expect(screen.contains(part), "\(part) is missing") }
        try driver.press("clean")
        try driver.answer("")
        #expect(driver.screen().contains("type a prompt: press C") && driver.screen().contains("orrery-mini"))
        try driver.press("run", "open", "export", "off")
        #expect(driver.refusals.first == "type a prompt: press C")
        #expect(driver.refusals.last == "works only in features: press c")
        try driver.press("circuits")
        #expect(driver.screen().contains("by meaning"))
    }

    @Test func `another prompt takes the other one of the sample away, and the map with it`() throws {
        let driver = try page()
        try driver.press("clean")
        try driver.answer(Self.clean)
        #expect(driver.screen().contains("type a prompt with a different answer: press X"))
        #expect(!driver.screen().contains("Belohaven") && !driver.screen().contains("green"))
        #expect(driver.failures == [])
        try driver.press("corrupt")
        #expect(driver.asked?.text == Self.clean, "the prompt is proposed, to be given another answer")
    }

    @Test func `a pair of prompts is patched cell by cell, and the sum of the parts is the logit difference`() throws {
        let driver = try asked()
        #expect(driver.failures == [])
        let screen = driver.screen()
        for part in [
            "patching of resid_pre, layer by position", "red against  blue", "L0", "L5", "clean 0.876, corrupt -1.725",
            "✓ equal", "heads",
        ] { #expect(screen.contains(part), "\(part) is missing") }
        try driver.press("formula")
        #expect(driver.screen().contains("clean m = 0.8763  ✓") && driver.screen().contains("102 of 102 cells"))
    }

    @Test func `Enter on a cell runs only that cell and shows the model's prediction`() throws {
        let driver = try asked()
        try driver.press("left", "down")
        #expect(driver.screen().contains("Enter runs this cell"))
        try driver.press("open")
        #expect(driver.failures == [])
        #expect(driver.screen().contains("run again: metric") && driver.screen().contains("with this cell"))
        try driver.press("previous-pane", "formula")
        #expect(driver.screen().contains("run again") && driver.screen().contains("✓"))
    }

    @Test func `estimates, ablations, heads and neurons are chosen with keys, and the sum always holds`() throws {
        let driver = try asked(clean: "the red. the", corrupt: "the blue. the")
        try driver.press("method")
        #expect(driver.screen().contains("attribution of resid_pre"))
        try driver.press("method")
        #expect(driver.screen().contains("ablation of heads and feed-forward layers"))
        #expect(driver.screen().contains("mlp"))
        try driver.press("parts")
        #expect(driver.screen().contains("neurons") && driver.screen().contains("✓ equal"))
        try driver.press("parts")
        #expect(driver.screen().contains("components") && driver.screen().contains("✓ equal"))
        try driver.press("method")
        for _ in 0..<4 { try driver.press("site") }
        try driver.press("axes")
        #expect(driver.screen().contains("patching of z, layer by head") && driver.screen().contains("H5"))
        try driver.press("axes")
        #expect(driver.screen().contains("5.3") && driver.screen().contains("✓ equal"))
        #expect(driver.failures == [])
    }

    @Test func `answers are chosen, and an answer that is not a token is rejected`() throws {
        let driver = try asked()
        try driver.press("answers")
        try driver.answer("right=red wrong=black")
        #expect(driver.screen().contains("red against  black"))
        try driver.press("answers")
        try driver.answer("right=Constantinople wrong=black")
        #expect(driver.failures.last?.contains("more than one token in this model") == true)
    }

    @Test func `prompts of different lengths are reported in place of the map`() throws {
        let driver = try page()
        try driver.press("clean")
        try driver.answer(Self.clean)
        try driver.press("corrupt")
        try driver.answer("The flag is")
        #expect(driver.failures.last?.contains("Use prompts of equal length") == true)
        #expect(driver.screen().contains("the prompts have 17 and 3"))
    }

    @Test func `a sum that differs from the logit difference is shown in red`() throws {
        let driver = try page()
        driver.show(
            planted(parts: [.init(.head(layer: 0, head: 1), 1.5), .init(.feedForward(layer: 1), -0.5)], logit: 1))
        #expect(driver.screen().contains("Σ 1.000  logit difference 1.000  ✓ equal"))
        driver.show(
            planted(parts: [.init(.head(layer: 0, head: 1), 1.5), .init(.feedForward(layer: 1), -0.4)], logit: 1))
        #expect(driver.screen().contains("✗ off by 0.100"))
        try driver.press("next-pane", "formula")
        #expect(driver.screen().contains("Σ parts = 1.1000  ✗ expected 1.0000"))
    }

    @Test func `scores beyond one are not clipped, and the scale is as wide as they are`() throws {
        let driver = try page()
        driver.show(planted(parts: [.init(.embedding, 1)], logit: 1))
        let screen = driver.screen()
        #expect(screen.contains("-1.5 ") && screen.contains("1.5   m / 2"))
        #expect(screen.contains("-1.25"))
        try driver.press("right")
        #expect(driver.screen().contains("not run"))
    }

    @Test func `map and bars are exported and copied`() throws {
        let folder = TemporaryFolder()
        let driver = try asked()
        func export(_ name: String) throws {
            try driver.press("export")
            try driver.answer(folder.file(name))
        }
        for name in ["map.csv", "map.safetensors", "map.svg"] { try export(name) }
        try driver.press("copy", "next-pane")
        for name in ["parts.csv", "parts.safetensors", "parts.svg"] { try export(name) }
        #expect(driver.failures == [] && driver.notices.count { $0.hasPrefix("written to") } == 6)
        try export("parts.csv")
        try export("parts.png")
        #expect(driver.failures.last?.contains("End the name in .csv, .safetensors, or .svg.") == true)
        #expect(driver.failures.count == 2)
        #expect(driver.copies.last?.contains("| L0 |") == true)
    }

    @Test(arguments: [Size(80, 24), Size(120, 40), Size(200, 60), Size(40, 10), Size(20, 5)])
    func `it is composed at every size`(size: Size) throws {
        let driver = try asked(size)
        try driver.press("next-pane", "down", "zoom", "next-pane", "zoom", "formula")
        #expect(Hostile.dangers(on: driver.surface(.dark)) == [])
        #expect(driver.failures == [])
    }

    @Test func `the question is restored at the next start`() throws {
        let made = try FeatureWorkspace.indexed()
        let driver = try FeatureDriver(made)
        try driver.press("circuits", "clean")
        try driver.answer(Self.clean)
        try driver.press("corrupt")
        try driver.answer(Self.corrupt)
        try driver.press("site")
        let again = try FeatureDriver(made, saved: driver.saved)
        #expect(again.saved == driver.saved)
        #expect(again.screen().contains("patching of resid_mid"))
    }

    @Test func `a restored question without a model is neither completed nor run`() throws {
        let driver = try FeatureDriver(
            FeatureWorkspace.indexed(), saved: #"{"pane":"map","shows_circuits":true,"circuits":"{}"}"#)
        #expect(driver.screen().contains("choose a model: press M"))
        #expect(!driver.saved.contains("Belohaven"))
    }

    @Test func `an open model runs again after its path has gone`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("model")
        #expect(symlink(FeatureWorkspace.model, path) == 0)
        let driver = try page()
        try driver.press("model")
        try driver.answer(path)
        #expect(unlink(path) == 0)
        try driver.press("site")
        #expect(driver.failures == [] && driver.screen().contains("patching of resid_mid"))
    }

    @Test func `a map that is cleared while the export form is open is not exported`() throws {
        let folder = TemporaryFolder()
        let driver = try asked()
        driver.isHeld = true
        try driver.press("corrupt")
        try driver.answer("The flag is")
        try driver.press("export")
        driver.isHeld = false
        try driver.watch()
        try driver.answer(folder.file("map.csv"))
        #expect(driver.notices.last == "run the circuit first: press r" && folder.names == [])
    }
}
