import Console
import Testing
import Workbench

@Suite struct `The tour` {
    private let made: TestWorkspace
    private let driver: ShellDriver

    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        driver = ShellDriver(made.workspace)
    }

    @Test func `starts from help with t, and leaves the page and its keys alone`() throws {
        try driver.type("?t")
        #expect(driver.text.contains("Tour ─ 1 of 5"))
        try driver.type("<enter>")
        #expect(driver.text.contains(SmallSession.prompt))
        #expect(driver.text.contains("Tour ─ 1 of 5"))
    }

    @Test func `continues when the taught keys are pressed, and ends after five steps`() throws {
        try driver.type("?t")
        for (place, step) in Tour.steps.enumerated() {
            #expect(driver.text.contains("Tour ─ \(place + 1) of 5"))
            try driver.type(step.keys[0])
        }
        #expect(driver.shell.tour == nil)
    }

    @Test func `is skipped with Esc`() throws {
        try driver.type("?t<esc>")
        #expect(driver.shell.tour == nil)
        #expect(!driver.text.contains("Tour ─"))
    }

    @Test func `teaches keys that are valid`() throws {
        for key in Tour.steps.flatMap(\.keys) { _ = try KeyNotation.keys(key) }
    }

    @Test(arguments: [Size(80, 24), Size(120, 40), Size(200, 60)])
    func `fits every step`(size: Size) throws {
        for place in Tour.steps.indices {
            let driver = ShellDriver(made.workspace, size: size)
            try driver.type("?t")
            for step in Tour.steps.prefix(place) { try driver.type(step.keys[0]) }
            #expect(tourText(driver).contains(Tour.steps[place].text))
        }
    }

    /// The text in the frame of the tour, without its line breaks.
    private func tourText(_ driver: ShellDriver) -> String {
        let lines = driver.text.split(separator: "\n")
        return lines.drop { !$0.contains("─ Tour ─") }.dropFirst().prefix { !$0.hasPrefix("╰") }
            .flatMap { $0.filter { $0 != "│" }.split(separator: " ") }.joined(separator: " ")
    }
}

@Suite struct `Leaving` {
    @Test func `asks while a job runs, and stays on Esc`() throws {
        let made = try TestWorkspace.holding(SmallSession.text())
        let driver = ShellDriver(made.workspace)
        try driver.type("2cq")
        #expect(driver.text.contains("Leave Orrery?"))
        #expect(!driver.asked { if case .quit = $0 { true } else { false } })
        try driver.type("y<enter><esc>")
        #expect(!driver.asked { if case .quit = $0 { true } else { false } })
        try driver.type("qs")
        #expect(driver.asked { if case .quit = $0 { true } else { false } })
        driver.finishJobs()
    }
}
