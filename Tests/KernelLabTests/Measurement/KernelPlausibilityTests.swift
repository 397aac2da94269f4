import JSON
import KernelLab
import Kernels
import Testing

@Suite("What cannot be measured")
struct KernelPlausibilityTests {
    /// The costs of a product of squares over a rung that takes 5 ms at any size, so that foreseeing can be seen.
    static let operation = KernelOperation(
        "slow-f32", title: "dot product with a dear cost", dimensions: [.init("n", "elements", in: 1...1 << 22)],
        presets: [KernelShape(["n": 64])], square: { KernelShape(["n": $0]) }, arithmetic: .float32,
        costFormula: "2 000 000 n FLOP, 8n B",
        cost: { KernelCost(flops: 2e6 * Double($0["n"]), bytes: 8 * Double($0["n"])) },
        problem: { shape, seed throws(KernelError) in try DotProblem(count: shape["n"], seed: seed) },
        variants: [
            KernelVariant("slow", idea: "waits", sources: []) { (problem: DotProblem, _) in
                {
                    let end = ContinuousClock.now + .milliseconds(5)
                    while ContinuousClock.now < end {}
                    problem.eightSums()
                }
            },
            KernelVariant("openblas", idea: "does not", sources: []) { (problem: DotProblem, _) in
                { problem.eightSums() }
            },
        ])

    static func figures(share: Double, counted: HardwareCounters.Count = .init()) throws -> KernelFigures {
        let sample = KernelSample(
            round: 0, calls: 1, seconds: 1, processorSeconds: 1, peak: 100, bandwidth: 1e9)
        return try #require(
            KernelFigures(
                samples: [sample], cost: KernelCost(flops: share * 100, bytes: 1), traffic: nil, interrupted: 0,
                agreement: KernelFiguresTests.agreement, counted: counted))
    }

    @Test("a call that would take much longer than the budget is not begun")
    func foreseen() throws {
        let report = try KernelMeasurement.measure(
            operation: Self.operation, shape: KernelShape(["n": 1 << 22]), budget: 0.02)
        guard case .unavailable(let reason) = report.rungs[0].outcome else {
            Issue.record("a rung whose call was foreseen to take a minute was run")
            return
        }
        // 5 ms for 1e9 operations are at least 41 s for 8.4e12; more where the test lost its processor.
        #expect(reason.hasPrefix("a call would take about ") && reason.hasSuffix(" or more at these sizes"))
        #expect(report.rungs[1].figures != nil)
    }

    @Test("a slow rung is run at sizes that it can do, whatever the budget")
    func harmless() throws {
        let report = try KernelMeasurement.measure(
            operation: Self.operation, variants: ["slow"], shape: KernelShape(["n": 4096]), budget: 0.02)
        #expect(report.rungs[0].figures != nil)
    }

    @Test(
        "faster than the peak is void where arithmetic bounds, and above half as fast again",
        arguments: [
            (1.6, KernelReport.Bound.compute, true), (484, .compute, true), (1.4, .compute, false),
            (1.6, .memory, false),
        ])
    func impossible(share: Double, bound: KernelReport.Bound, isVoid: Bool) throws {
        let rungs = [
            KernelReport.Rung(name: "absent", idea: "", threads: 1, outcome: .unavailable("missing")),
            KernelReport.Rung(name: "fast", idea: "", threads: 1, outcome: .measured(try Self.figures(share: share))),
        ]
        let sentence = KernelSession.impossibility(rungs, bound: bound)
        #expect((sentence != nil) == isVoid)
        #expect(sentence?.hasPrefix("void: fast was \(share.rounded() == share ? "484.0" : "1.6") times") ?? true)
    }

    @Test("a run with a rung far above the peak is void, in its standing and its notes")
    func voidRun() throws {
        let report = try KernelMeasurement.measure(
            operation: Self.operation, variants: ["openblas"], shape: KernelShape(["n": 4096]), budget: 0.02)
        #expect(report.bound == .compute)
        #expect(report.conditions.standing == .void)
        #expect(report.notes.contains { $0.hasPrefix("void: openblas") })
    }

    @Test(
        "hardware counts are written where there are some, and read again",
        arguments: [(nil, nil), (1200, 3400), (nil, 3400)] as [(Int?, Int?)])
    func counts(cycles: Int?, instructions: Int?) throws {
        var report = try KernelMeasurementTests.measure(variants: ["plain"])
        let measured = try #require(report.rungs[0].figures)
        let areThere = HardwareCounters().areAvailable
        #expect((measured.cyclesPerCall != nil || measured.instructionsPerCall != nil) == areThere)
        let count = HardwareCounters.Count(cycles: cycles, instructions: instructions)
        report.rungs[0].outcome = .measured(try Self.figures(share: 0.5, counted: count))
        let text = report.json()
        #expect(text.contains("cycles_per_call") == (cycles != nil))
        let read = try #require(try KernelReport(json: text).rungs[0].figures)
        #expect(read.cyclesPerCall == cycles)
        #expect(read.instructionsPerCall == instructions)
    }
}
