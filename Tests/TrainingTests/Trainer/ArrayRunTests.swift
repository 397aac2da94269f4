import System
import Tensors
import TestFixtures
import Testing
import Training

@Suite("A run over arrays")
struct ArrayRunTests {
    /// Points in a plane: above or below a curve.
    private func run(_ overrides: [String]) throws -> (TrainingResult, CollectingSink) {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        var random = PhiloxGenerator(seed: 5)
        let points = (0..<400).map { _ in (random.normal(), random.normal()) }
        let x = try Tensor<Float>(points.flatMap { [Float($0.0), Float($0.1)] }, shape: [400, 2])
        let classes = try Tensor<Int32>(points.map { $0.1 > $0.0 * $0.0 ? 1 : 0 })
        let heights = try Tensor<Float>(points.map { Float($0.0 * $0.0) })
        let file = folder.file("points.npz")
        try TensorFile.write([("x", AnyTensor(x)), ("y", AnyTensor(classes)), ("z", AnyTensor(heights))], to: file)
        let toml = """
            [data]
            kind = "arrays"
            train = ["points.npz"]
            validation_share = 0.25
            [model]
            kind = "mlp"
            sizes = [32]
            [optimizer]
            rate = 0.02
            [training]
            steps = 200
            batch = 32
            [evaluation]
            every = 100
            """
        let configuration = try TrainingConfiguration(toml, path: folder.file("points.toml"), overriding: overrides)
        let sink = CollectingSink()
        let result = try Trainer(configuration, version: "test").run(into: sink)
        return (result, sink)
    }

    @Test("learns classes")
    func classes() throws {
        let (result, sink) = try run([])
        #expect(result.end == .finished)
        #expect(sink.values("validation/accuracy").last! > 0.93)
    }

    @Test("learns numbers")
    func numbers() throws {
        let (_, sink) = try run(["data.targets=z", "data.task=regression"])
        #expect(sink.values(RunSeries.validationLoss).last! < 0.15)
    }

    @Test(
        "that do not belong together is a sentence",
        arguments: [
            (["data.inputs=w"], "the file has no tensor w"), (["data.targets=z"], "Set data.task to \"regression\""),
            (["data.targets=x"], "not one integer"), (["model.kind=conv"], "are not images"),
        ])
    func problems(overrides: [String], sentence: String) throws {
        let error = try #require(throws: Problem.self) { try run(overrides) }
        #expect(error.sentence.contains(sentence), "\(error)")
    }
}
