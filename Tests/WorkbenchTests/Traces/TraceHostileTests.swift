import Console
import TestFixtures
import Testing
import Traces
import Workbench

@Suite("Hostile text")
struct TraceHostileTests {
    private func driver() throws -> (TestWorkspace, TraceDriver) {
        let made = try TestWorkspace.holding(SmallSession.text(prompt: Hostile.json, result: Hostile.json))
        return (made, TraceDriver(made.workspace))
    }

    @Test(
        "in a run's name and a tool's result is escaped in every cell",
        arguments: [Size(120, 40), Size(80, 24), Size(33, 9)])
    func neverRaw(size: Size) throws {
        let (made, driver) = try driver()
        driver.resize(to: size)
        #expect(Hostile.dangers(on: driver.screen) == [])
        driver.press("open")
        for _ in 0..<5 {
            for _ in 0..<3 {
                driver.press("view")
                #expect(Hostile.dangers(on: driver.screen) == [])
            }
            driver.press("step")
        }
        withExtendedLifetime(made) {}
    }

    @Test("is shown escaped, so that the user sees it")
    func escaped() throws {
        let (made, driver) = try driver()
        driver.press("open", "next-tool")
        #expect(driver.text.contains("␛[31mred␛]0;title␇␛[2J"))
        #expect(driver.text.contains("<U+202E>right<U+200B>␀"))
        withExtendedLifetime(made) {}
    }

    @Test("typed as a name, a filter or a search is shown escaped too")
    func typed() throws {
        let (made, driver) = try driver()
        driver.press("rename")
        driver.answer("\u{1B}[2Jgone\u{9B}1m")
        #expect(Hostile.dangers(on: driver.screen) == [])
        driver.press("open", "filter")
        driver.answer("\"\u{1B}[2J\"")
        #expect(Hostile.dangers(on: driver.screen) == [])
        withExtendedLifetime(made) {}
    }
}

@Suite("Random actions in the trace panel")
struct TraceEndurance {
    private static let lines = [
        "", " ", "kind:tool", "status:error or kind:model", "(((", "\"", "name:\u{1B}[2J", "漢字 🧑‍🚀", "tokens>1000",
        String(repeating: "long ", count: 200),
    ]

    @Test("two thousand actions at any size each draw a complete screen", arguments: [1, 2, 3, 4] as [UInt64])
    func actions(seed: UInt64) throws {
        let made = try TestWorkspace.sample()
        var random = Seeded(seed)
        let driver = TraceDriver(made.workspace)
        let actions = PageHost<TracePage>.bindings.map(\.name)
        for count in 0..<500 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                driver.resize(to: Size(.random(in: 1...300, using: &random), .random(in: 1...100, using: &random)))
            case 1:
                let gesture: Mouse.Action = [.press, .doubleClick, .scrollUp, .scrollDown, .drag, .release]
                    .randomElement(using: &random)!
                driver.click(
                    gesture, column: .random(in: 0..<driver.size.columns, using: &random),
                    row: .random(in: 0..<driver.size.rows, using: &random))
            case 2: driver.pass("play")
            default: driver.press(actions.randomElement(using: &random)!)
            }
            answerLine(of: driver, in: made, &random)
            if count % 100 == 99 { driver.resize(to: Size(1, 1)) }
            let screen = driver.screen
            let dangers = Hostile.dangers(on: screen)
            #expect(dangers.isEmpty, "seed \(seed), action \(count), \(screen.size)")
            if !dangers.isEmpty { return }
        }
        #expect(driver.restarted().host.save().isEmpty == false)
    }

    private func answerLine(of driver: TraceDriver, in made: TestWorkspace, _ random: inout Seeded) {
        guard let asked = driver.prompt else { return }
        // Files are written into the test's own folder, never where the tests run.
        if asked.text.hasSuffix(".md") {
            driver.answer(made.folder.file("export-\(Int.random(in: 0..<4, using: &random)).md"))
        } else if asked.label.hasPrefix("Delete") {
            driver.answer("d")
        } else if asked.text.contains("folder=") {
            driver.answer("folder=\(made.folder.file("runs")) format=md")
        } else if asked.text.contains("file=") {
            driver.answer("file=\(made.folder.file("cases.jsonl"))")
        } else if asked.label.hasPrefix("import") || Bool.random(using: &random) {
            driver.leave()
        } else {
            driver.answer(Self.lines.randomElement(using: &random)!)
        }
    }
}
