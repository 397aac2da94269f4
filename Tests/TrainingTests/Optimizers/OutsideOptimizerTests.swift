import Kernels
import Models
import System
import Tensors
import TestFixtures
import Testing
import Training

/// Sign descent with momentum: m = μm + (1 - μ) g, w -= rate (s + weightDecay · w) with s = sign(m) if |m| > floor, or 0.
private struct SignRule: StepRule {
    let settings: StepSettings

    func apply(to array: StepArray<Float>) { apply(array) }
    func apply(to array: StepArray<Double>) { apply(array) }

    private func apply<Element: BinaryFloatingPoint>(_ x: StepArray<Element>) {
        guard let momentum = x.first else { return }
        let decay = Element(settings["momentum"])
        for i in 0..<x.count {
            momentum[i] = decay * momentum[i] + (1 - decay) * x.gradient[i]
            let isSmall = momentum[i].magnitude <= Element(settings["floor"])
            let sign: Element = isSmall ? 0 : momentum[i] > 0 ? 1 : -1
            x.weights[i] -= Element(settings.rate) * (sign + Element(settings.weightDecay) * x.weights[i])
        }
    }
}

extension UpdateRule {
    fileprivate static let signSGD = UpdateRule(
        "signsgd", title: "SignSGD", help: "sign of the momentum",
        hyperparameters: [
            Hyperparameter("momentum", .fraction, 0.9, "momentum"),
            Hyperparameter("floor", .nonNegative, 0, "momentum at or below which the sign counts as 0"),
        ],
        slots: ["momentum"], step: .elements { SignRule(settings: $0) })
}

/// Proves that a new optimizer needs one file and one line that adds its rule to a table.
@Suite("An optimizer declared outside the module")
struct OutsideOptimizerTests {
    private static let rules = UpdateRules.standard.adding(.signSGD)
    private static let minimalConfiguration = "data.train = \"a.txt\"\n"

    private func run(_ overrides: String...) -> TinyRun {
        var run = TinyRun()
        run.more = ["optimizer.kind=signsgd", "optimizer.rate=0.003"] + overrides
        run.rules = Self.rules
        return run
    }

    @Test("a step matches the formula in float32 and float64")
    func formula() throws {
        func check<Scalar: FloatingAccumulator>(_: Scalar.Type) throws {
            let w = Parameter("w", try Tensor<Scalar>([1, 1, 1]))
            w.gradient = try Tensor([2, -2, 0.25])
            var optimizer = try Optimizer<Scalar>(.signSGD, ["momentum": 0.5, "floor": 0.25])
            try optimizer.step([w], rate: 0.5)
            #expect(w.value.elements == [0.5, 1.5, 1])
            #expect(optimizer.state.map(\.name) == ["w/momentum"])
            #expect(optimizer.state[0].value.elements == [1, -1, 0.125])
        }
        try check(Float.self)
        try check(Double.self)
        #expect(UpdateRule.signSGD.bytesPerElement == 4)
    }

    @Test("a configuration that names the optimizer trains with it")
    func trains() throws {
        let run = run()
        let sink = CollectingSink()
        #expect(try run.run(into: sink).end == .finished)
        let losses = sink.values(RunSeries.trainLoss)
        let (first, last) = (try #require(losses.first), try #require(losses.last))
        #expect(losses.count == 24 && last < first)
        let name = try #require(run.checkpoints.max())
        let names = try TensorFile.open(run.checkpoint(name)).names.filter { $0.hasPrefix("optimizer/") }
        #expect(!names.isEmpty && names.allSatisfy { $0.hasSuffix("/momentum") })
    }

    @Test("a resumed run has the same losses, bit for bit")
    func resumes() throws {
        let whole = CollectingSink()
        try run().run(into: whole)
        let (run, sink) = (run(), CollectingSink())
        #expect(throws: Problem.self) { try run.trainer().run(into: ResumingTests.KillingSink(sink, at: 12)) }
        #expect(try run.trainer().run(into: sink).end == .finished)
        #expect(sink.curve(RunSeries.trainLoss) == whole.curve(RunSeries.trainLoss))
    }

    @Test("a hyperparameter of the rule is a configuration key that is checked and used")
    func ownKey() throws {
        let sink = CollectingSink()
        try run("optimizer.floor=1e9", "optimizer.weight_decay=0", "data.order=written").run(into: sink)
        #expect(Set(sink.values(RunSeries.validationLoss)).count == 1)
        #expect {
            try run("optimizer.floor=-1").configuration()
        } throws: { "\($0)" == "--set: optimizer.floor must be a number of at least 0.0, not -1." }
    }

    @Test("the explained configuration contains the optimizer and its hyperparameters")
    func explained() {
        let text = TrainingConfiguration.explained(rules: Self.rules)
        #expect(text.contains("# kind: sgd, adam, adamw, lion, muon, signsgd\n"))
        #expect(text.contains("# muon: Muon for hidden matrices, AdamW for the rest; signsgd: sign of the momentum\n"))
        #expect(text.contains("# sgd, muon, signsgd: momentum\n"))
        #expect(
            text.contains(
                "floor = 0.0                     # signsgd: momentum at or below which the sign counts as 0\n"))
    }

    @Test("adding a rule does not change the digests of other runs, so their checkpoints still load")
    func digests() throws {
        for kind in UpdateRules.standard.all.map(\.name) {
            let overrides = ["optimizer.kind=\(kind)"]
            let plain = try TrainingConfiguration(Self.minimalConfiguration, path: "x.toml", overriding: overrides)
            let extended = try TrainingConfiguration(
                Self.minimalConfiguration, path: "x.toml", overriding: overrides, rules: Self.rules)
            #expect(plain.digest == extended.digest)
        }
    }

    @Test("the error for a misspelled name suggests the nearest name in the table")
    func unknown() {
        let text = "[optimizer]\nkind = \"singsgd\""
        let names = "optimizer.kind must be \"sgd\", \"adam\", \"adamw\", \"lion\", \"muon\", or \"signsgd\"."
        #expect {
            try TrainingConfiguration(text, path: "x.toml", rules: Self.rules)
        } throws: { "\($0)" == "x.toml, line 2: \(names) Did you mean \"signsgd\"?" }
    }
}
