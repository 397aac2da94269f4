import Console
import GRDB
import TestFixtures
import Testing
import Training
import TrainingLab
import Workbench
import Workspace

@Suite("Hostile runs in the training panel")
struct TrainingHostileTests {
    private static let names = [
        "\u{1B}[31mred\u{1B}]0;title\u{7}\u{1B}[2J\r\nsecond\u{9B}5m\u{202E}right\u{200B}\u{0}\u{7F}\u{FEFF}👩‍💻\t漢字",
        String(repeating: "long", count: 2_500), String(repeating: "漢", count: 10_000), "a|b`c`", "", "/", "../../x",
    ]

    /// A run with a text in every place that holds one.
    private func workspace(_ text: String) throws -> TrainedWorkspace {
        let made = try TrainedWorkspace()
        let recorder = RunRecorder(made.store)
        var description = TrainedWorkspace.description(text, folder: text)
        description.configuration = text
        description.unit = text
        description.version = text
        try recorder.begin(description, at: 0)
        for step in 1...30 {
            try recorder.record(
                RunPoint(
                    step: step, time: Place.now(),
                    values: [
                        (text, Double(step)), (RunSeries.trainLoss, 1 / Double(step)), (RunSeries.speed, 5),
                        (RunSeries.updateRatio(of: text), 0.1),
                    ]))
        }
        try recorder.record(RunSample(step: 3, time: Place.now(), prompt: text, text: text))
        try recorder.record(RunEvent(step: 3, time: Place.now(), kind: .warning, text: text))
        recorder.close()
        return made
    }

    @Test("texts are escaped in every cell, at any size", arguments: names.indices)
    func texts(index: Int) throws {
        let made = try workspace(Self.names[index])
        for size in [Size(120, 40), Size(80, 24), Size(33, 9), Size(1, 1)] {
            let driver = ShellDriver.training(made.workspace, size: size, run: 1)
            for keys in ["", "v", "v", "v", "]", "]", "<tab>z", "R", "<esc>x", "<esc>e", "<esc>c<tab>", "<esc>a", "D"] {
                try driver.type(keys)
                #expect(Hostile.dangers(on: driver.shell.draw()) == [], "\(keys) at \(size)")
            }
            try driver.type("u")
        }
    }

    @Test("copied text contains no control sequences")
    func copied() throws {
        let made = try workspace(Self.names[0])
        let driver = ShellDriver.training(made.workspace, run: 1)
        try driver.type("y")
        let isClean = driver.asked {
            guard case .copy(let text) = $0 else { return false }
            return !text.unicodeScalars.contains("\u{1B}") && text.contains("␛[31mred")
        }
        #expect(isClean)
    }

    @Test("a run that cannot be read is not opened again and again")
    func unreadable() throws {
        let made = try TrainedWorkspace.sample()
        try made.workspace.write { try $0.execute(sql: "ALTER TABLE training_sample RENAME TO gone") }
        let driver = ShellDriver.training(made.workspace)
        #expect(!driver.shell.drainEngine())
        driver.look()
        #expect(!driver.shell.drainEngine())
        #expect(driver.text.contains("tide-next") && !driver.text.contains("/tides/tide-next.run"))
        try made.workspace.write { try $0.execute(sql: "ALTER TABLE gone RENAME TO training_sample") }
        try driver.type("<enter>")
        #expect(driver.text.contains("/tides/tide-next.run"))
    }

    @Test(
        "extreme numbers are drawn",
        arguments: [1e308, -1e308, .leastNonzeroMagnitude, .infinity, -.infinity, .nan, 0])
    func numbers(value: Double) throws {
        let made = try TrainedWorkspace()
        let recorder = RunRecorder(made.store)
        try recorder.begin(TrainedWorkspace.description("numbers", steps: 0), at: 0)
        for step in [0, 1, 2, Int(Int32.max), 1 << 60] {
            try recorder.record(
                RunPoint(
                    step: step, time: step % 2 == 0 ? .max : .min,
                    values: [RunSeries.trainLoss, RunSeries.speed, RunSeries.flops, RunSeries.updateRatio(of: "w")].map
                    {
                        ($0, step == 1 ? 1 : value)
                    }))
        }
        recorder.close()
        let driver = ShellDriver.training(made.workspace, run: 1)
        for keys in ["", "L", "H", "a", "a", "a", ".", "hhh", ",", "L", "<pgup>", "S", "f"] {
            try driver.type(keys)
            #expect(driver.text.contains("train/loss"))
        }
    }

    @Test("a thousand keys at any size each draw a complete screen", arguments: [1, 2, 3] as [UInt64])
    func endurance(seed: UInt64) throws {
        let made = try TrainedWorkspace.sample()
        let driver = ShellDriver.training(made.workspace)
        var random = Seeded(seed)
        let keys = [
            "j", "k", "<pgdn>", "<pgup>", "gg", "G", "h", "l", "<enter>", "<esc>", "<tab>", "<shift-tab>", "z", "]",
            "[",
            "n", "N", "v", "w", "S", "f", "<space>", "a", "L", "H", "+", "-", ".", ",", "p", "K", "D", "u",
            "*<ctrl-u>2<enter>", "xn<enter>", "/noon<enter>", "ctrain/loss<enter>", "R<ctrl-u>x<enter>", "y",
        ]
        for count in 0..<250 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                driver.handle(
                    .resize(Size(.random(in: 1...220, using: &random), .random(in: 1...70, using: &random))))
            case 1:
                let gesture: Mouse.Action = [.press, .doubleClick, .scrollUp, .scrollDown].randomElement(
                    using: &random)!
                let point = Point(
                    column: .random(in: 0..<driver.shell.size.columns, using: &random),
                    row: .random(in: 1..<max(2, driver.shell.size.rows), using: &random))
                driver.handle(.mouse(Mouse(gesture, at: point)))
            case 2: driver.look()
            default: try driver.type(keys.randomElement(using: &random)!)
            }
            let screen = driver.shell.draw()
            let dangers = Hostile.dangers(on: screen)
            #expect(dangers.isEmpty, "seed \(seed), step \(count), \(screen.size)")
            if !dangers.isEmpty { return }
        }
    }
}
