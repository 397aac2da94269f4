import Console
import FeatureLab
import Interpretability
import Testing
import Workbench

/// The page with prepared values.
@Suite struct `The features page with prepared values` {
    /// Creates a driver with a saved screen, so that no sample text is read.
    private func driver() throws -> FeatureDriver { try FeatureDriver(FeatureWorkspace.indexed(), saved: "{}") }

    private func dashboard(histogram: [Int]) -> FeatureDashboard {
        var dashboard = FeatureDashboard(feature: 7)
        dashboard.tokens = 1_000
        dashboard.count = 60
        dashboard.density = 0.06
        dashboard.maximum = 4
        dashboard.mean = 1.5
        dashboard.histogram = FeatureHistogram(counts: histogram, maximum: 4)
        dashboard.top = [FeatureExample(position: nil, tokens: [1, 2, 3], values: [0, 4, 1], peak: 1)]
        dashboard.positive = [TokenLogit(token: 2, value: 1.25)]
        dashboard.neighbors = [RelatedFeature(feature: 9, value: 0.5)]
        return dashboard
    }

    private func side(_ texts: [String], run: Int, active: [[(Int32, Float)]]) -> SteeringReading.Side {
        var side = SteeringReading.Side()
        side.run = run
        side.texts = texts
        side.promptCount = 2
        side.readCount = active.count
        var codes = SparseCodes(width: 48)
        for row in active {
            codes.features += row.map(\.0)
            codes.values += row.map(\.1)
            codes.starts.append(codes.features.count)
        }
        side.features = codes
        return side
    }

    @Test func `a dashboard shows figures, logits, relatives and examples`() throws {
        let driver = try driver()
        driver.show(FeatureCard(dashboard(histogram: [40, 15, 5])) { ["", " red", " fox", "."][Int($0)] })
        let screen = driver.screen()
        for part in ["60 of 1,000 tokens (6.00 %), at most 4.00, mean 1.50", "fox 1.25", "9 0.50", " red fox."] {
            #expect(screen.contains(part), "\(part) is missing")
        }
        try driver.press("copy")
        #expect(driver.copies.last?.contains("**") == true)
    }

    @Test func `a histogram with a wrong sum is reported`() throws {
        let driver = try driver()
        try driver.press("next-pane", "formula")
        driver.show(FeatureCard(dashboard(histogram: [40, 15, 5])) { "\($0)" })
        #expect(driver.screen().contains("Σ histogram = 60  ✓"))
        driver.show(FeatureCard(dashboard(histogram: [40, 15, 6])) { "\($0)" })
        #expect(driver.screen().contains("Σ histogram = 61  ✗ expected 60"))
        try driver.press("formula")
        #expect(driver.screen().contains("strongest"))
    }

    @Test func `bars compare tokens: a full one is the greatest of the text`() throws {
        let driver = try driver()
        driver.show(
            SteeringReading(
                untouched: side(["a", " b"], run: 1, active: [[(3, 8)], [(3, 2), (5, 4)]])))
        let lines = driver.screen().split(separator: "\n")
        func bar(_ feature: String) -> Int {
            lines.first { $0.contains(feature) }?.count { "█▇▆".contains($0) } ?? 0
        }
        #expect(driver.screen().contains("token 1"))
        #expect(bar("5    4.00") > 0)
        #expect(abs(bar("5    4.00") - 2 * bar("3    2.00")) <= 2)
    }

    @Test func `both texts appear side by side, with the distance at each token`() throws {
        let driver = try driver()
        var reading = SteeringReading(
            untouched: side(["the", " cat", " sat"], run: 1, active: [[(7, 1)], [(7, 2)], []]),
            changed: side(["the", " cat", " ran"], run: 2, active: [[], [], []]))
        reading.divergences = [0, 0.5, 0.25]
        reading.firstDifference = 2
        driver.show(reading)
        driver.resize(to: Size(200, 50))
        let screen = driver.screen()
        #expect(screen.contains("the cat sat") && screen.contains("the cat ran"))
        #expect(screen.contains("KL 0.250 nats/token, diverging at token 2"))
        try driver.press("other-text")
        #expect(driver.screen().contains("KL 0.250 ") && driver.screen().contains("token 2"))
        try driver.press("left")
        #expect(driver.screen().contains("─ KL 0.500 "))
    }

    @Test func `a feature that never fires on the text is 0 by any factor, and a value holds it`() throws {
        let driver = try driver()
        let feature = try #require(driver.page.selection?.path.last.map(Int32.init))
        try driver.press("prompt")
        driver.isHeld = true
        try driver.answer("the cat")
        func read(_ active: [[(Int32, Float)]], _ action: String) throws {
            try driver.press(action)
            var reading = SteeringReading(
                untouched: side(["the", " cat"], run: 1, active: active),
                changed: side(["the", " cat"], run: 2, active: [[], []]))
            reading.divergences = [0, 0]
            driver.show(reading)
            driver.endRun()
        }
        try read([[(feature + 1, 3)], []], "stronger")
        #expect(driver.screen().contains("\(feature) never fires here (2 × 0 = 0); press = to set it"))
        try read([[], [(feature, 1)]], "stronger")
        #expect(driver.screen().contains("nats/token") && !driver.screen().contains("never fires here"))
        try read([[], []], "off")
        #expect(driver.screen().contains("\(feature) never fires here: there is nothing to turn off"))
        try driver.press("set")
        try driver.answer("3")
        try read([[], []], "formula")
        try driver.press("formula")
        #expect(!driver.screen().contains("never fires here"))
    }

    @Test func `a missing divergence is reported`() throws {
        let driver = try driver()
        var reading = SteeringReading(
            untouched: side(["the", " cat"], run: 1, active: [[], []]),
            changed: side(["the", " cat"], run: 2, active: [[], []]))
        reading.divergences = [0]
        try driver.press("next-pane", "next-pane", "formula")
        driver.show(reading)
        #expect(driver.screen().contains("tokens with a KL = 1  ✗ expected 2"))
    }

    @Test(arguments: [Size(80, 24), Size(120, 40)])
    func `texts with control sequences are shown escaped`(size: Size) throws {
        let driver = try driver()
        driver.resize(to: size)
        let hostile = "\u{1b}[31mred\u{1b}]0;title\u{7}\u{1b}[2J\r\u{202e}right\u{200b}\u{0}\t漢字"
        driver.show(FeatureCard(dashboard(histogram: [60])) { _ in hostile })
        driver.show(
            SteeringReading(
                untouched: side([hostile, hostile], run: 1, active: [[(7, 1)], [(7, 2)]])))
        #expect(Hostile.dangers(on: driver.surface(.dark)) == [])
        try driver.press("copy")
        #expect(driver.copies.last?.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" } == false)
    }

    @Test func `a long text that comes costs what came`() throws {
        let driver = try driver()
        let active: [(Int32, Float)] = (0..<32).map { (Int32($0), Float($0 + 1)) }
        var side = side(["a", " b"], run: 1, active: [active, active])
        let clock = ContinuousClock()
        var slowest = Duration.zero
        for token in 0..<400 {
            side.texts.append(" word\(token)")
            side.features?.features += active.map(\.0)
            side.features?.values += active.map(\.1)
            side.features?.starts.append(32 * (token + 3))
            side.readCount += 1
            slowest = max(
                slowest,
                clock.measure {
                    driver.show(SteeringReading(untouched: side))
                    _ = driver.surface(.dark)
                })
        }
        #expect(driver.screen().contains("Text ─ 402") && driver.screen().contains("word399"))
        #expect(slowest < .milliseconds(200))
    }
}
