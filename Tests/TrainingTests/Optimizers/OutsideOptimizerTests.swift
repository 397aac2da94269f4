import Kernels
import Models
import Tensors
import TestFixtures
import Testing
import Training

/// Sign descent with momentum: m = μm + (1 - μ) g, w -= rate (sign(m) + weightDecay · w) where |m| is above a floor.
private struct SignRule: StepRule {
    let settings: StepSettings

    func apply(to array: StepArray<Float>) { apply(array) }
    func apply(to array: StepArray<Double>) { apply(array) }

    private func apply<Element: BinaryFloatingPoint>(_ x: StepArray<Element>) {
        guard let momentum = x.first else { return }
        let share = Element(settings["momentum"])
        for i in 0..<x.count {
            momentum[i] = share * momentum[i] + (1 - share) * x.gradient[i]
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
            Hyperparameter("momentum", .share, 0.9, "momentum"),
            Hyperparameter("floor", .amount, 0, "momentum up to which a weight stays"),
        ],
        slots: ["momentum"], step: .elements { SignRule(settings: $0) })
}

/// This file and the line that adds its rule to a table are all that a new optimizer needs.
@Suite("An optimizer from outside the module")
struct OutsideOptimizerTests {
    private static let rules = UpdateRules.standard.adding(.signSGD)
    private static let least = "data.train = \"a.txt\"\n"

    private func run(_ overrides: String...) -> TinyRun {
        var run = TinyRun()
        run.more = ["optimizer.kind=signsgd", "optimizer.rate=0.003"] + overrides
        run.rules = Self.rules
        return run
    }

    @Test("steps as its formula says, in both types of numbers")
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

    @Test("is trained with through a configuration")
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

    @Test("resumes from its checkpoints with the same bits")
    func resumes() throws {
        let whole = CollectingSink()
        try run().run(into: whole)
        let (run, sink) = (run(), CollectingSink())
        #expect(throws: RunError.self) { try run.trainer().run(into: ResumingTests.KillingSink(sink, at: 12)) }
        #expect(try run.trainer().run(into: sink).end == .finished)
        #expect(sink.curve(RunSeries.trainLoss) == whole.curve(RunSeries.trainLoss))
    }

    @Test("a key of its own reaches the formula")
    func ownKey() throws {
        let sink = CollectingSink()
        try run("optimizer.floor=1e9", "optimizer.weight_decay=0", "data.order=written").run(into: sink)
        #expect(Set(sink.values(RunSeries.validationLoss)).count == 1)
        #expect(throws: RunError("--set: optimizer.floor must be a number of at least 0.0.")) {
            try run("optimizer.floor=-1").configuration()
        }
    }

    @Test("appears in the explained configuration")
    func explained() {
        let text = TrainingConfiguration.explained(rules: Self.rules)
        #expect(text.contains("# kind: sgd, adam, adamw, lion, muon, signsgd\n"))
        #expect(text.contains("# muon: Muon for hidden matrices, AdamW for the rest; signsgd: sign of the momentum\n"))
        #expect(text.contains("# sgd, muon, signsgd: momentum\n"))
        #expect(text.contains("floor = 0.0                     # signsgd: momentum up to which a weight stays\n"))
    }

    @Test("leaves the digests of other runs as they are, so that their checkpoints still load")
    func digests() throws {
        for kind in UpdateRules.standard.all.map(\.name) {
            let overrides = ["optimizer.kind=\(kind)"]
            let plain = try TrainingConfiguration(Self.least, path: "x.toml", overriding: overrides)
            let more = try TrainingConfiguration(Self.least, path: "x.toml", overriding: overrides, rules: Self.rules)
            #expect(plain.digest == more.digest)
        }
    }

    @Test("a misspelled name is an error with the nearest name of the table")
    func unknown() {
        let text = "[optimizer]\nkind = \"singsgd\""
        let names = "optimizer.kind must be \"sgd\", \"adam\", \"adamw\", \"lion\", \"muon\" or \"signsgd\"."
        #expect(throws: RunError("x.toml, line 2: \(names) Did you mean \"signsgd\"?")) {
            try TrainingConfiguration(text, path: "x.toml", rules: Self.rules)
        }
    }
}
