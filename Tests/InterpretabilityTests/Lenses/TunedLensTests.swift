import Interpretability
import Models
import System
import Tensors
import TestFixtures
import Testing
import Tokenizers
import Training

@Suite("Tuned lens")
struct TunedLensTests {
    static let package = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
    static let points: [ResidualPart] = [.pre(layer: 0), .pre(layer: 1)]

    private func readout(_ norm: String, width: Int) throws -> Readout<Double> {
        let gain = try Tensor<Double>.uniform([width], in: 0.5..<1.5, seed: 1)
        let kind: Readout<Double>.Norm =
            switch norm {
            case "layer": .layer(gain: gain, bias: try .normal([width], deviation: 0.3, seed: 2), epsilon: 1e-5)
            case "rms": .rms(gain: gain, epsilon: 1e-6)
            default: .none
            }
        return Readout(
            norm: kind, unembedding: try .normal([width, 30], deviation: 0.5, seed: 3),
            bias: try .normal([30], seed: 4), softcap: norm == "layer" ? 5 : nil)
    }

    @Test("finds a linear change of the stream behind every norm", arguments: ["none", "layer", "rms"])
    func learns(norm: String) throws {
        let width = 6
        let readout = try readout(norm, width: width)
        // The final stream is an affine map of the first point, and the second point itself.
        let map = try Tensor<Double>.normal([width, width], deviation: 0.4, seed: 5)
        let shift = try Tensor<Double>.normal([width], deviation: 0.5, seed: 6)
        let training = try TunedLensTraining(
            TunedLens(points: Self.points, width: width), readout, steps: 400, rule: .adam(rate: 0.02))
        var (first, last): ([Double], [Double]) = ([], [])
        for step in 0..<400 as Range<UInt64> {
            let rows = try Tensor<Double>.normal([64, width], seed: 100 + step)
            let final = try rows + matmul(rows, map) + shift
            last = try training.step([rows, final], final: final)
            if step == 0 { first = last }
        }
        #expect(first[0] > 0.05 && last[0] < 0.01 * first[0], "\(first[0]) to \(last[0])")
        #expect(abs(first[1]) <= 1e-12 && last[1] <= 1e-4)
    }

    @Test("descends along its gradient with Nesterov's step too")
    func nesterov() throws {
        let readout = try readout("rms", width: 6)
        let training = try TunedLensTraining(
            TunedLens(points: [.pre(layer: 0)], width: 6), readout, steps: 60, rule: .nesterov(rate: 0.5))
        let rows = try Tensor<Double>.normal([128, 6], seed: 1)
        let final = try rows + matmul(rows, .normal([6, 6], deviation: 0.2, seed: 2))
        var divergences: [Double] = []
        for _ in 0..<60 { divergences.append(try training.step([rows], final: final)[0]) }
        #expect(divergences[59] < 0.8 * divergences[0])
        #expect(training.step == 60)
    }

    @Test("survives a round trip through its file, and other files are rejected")
    func file() throws {
        let folder = TemporaryFolder()
        let path = folder.file("lens.safetensors")
        let training = try TunedLensTraining(
            TunedLens(points: [.mid(layer: 0), .pre(layer: 1)], width: 6), try readout("rms", width: 6), steps: 3)
        for step in 0..<3 as Range<UInt64> {
            let rows = try Tensor<Double>.normal([8, 6], seed: step)
            try training.step([rows, rows], final: try rows * 2 + 1)
        }
        let lens = training.lens()
        try lens.write(to: path)
        let back = try TunedLens<Double>(contentsOf: path)
        #expect(back.points == lens.points && back.matrices == lens.matrices && back.biases == lens.biases)
        // A matrix of PyTorch acts from the other side.
        let weight = try TensorFile.open(path).tensor(named: "0.weight", as: Double.self)
        #expect(weight == lens.matrices[0].transposed() && lens.matrices[0] != lens.matrices[0].transposed())
        try TensorFile.write([("0.bias", AnyTensor(Tensor<Float>.zeros(3)))], to: path)
        let error = #expect(throws: Problem.self) { try TunedLens<Double>(contentsOf: path) }
        #expect(error?.sentence.contains("not a tuned lens") == true)
        let rows = try Tensor<Double>.zeros(2, 5)
        #expect(throws: Problem.self) { try back.apply(rows, at: .mid(layer: 0)) }
        #expect(try back.apply(rows, at: .final) == rows)
    }

    /// Held-out documents of orrery-mini's world, with the streams before every block and at the end.
    private func runs(_ model: RuntimeModel, _ count: Int, from first: Int) throws -> [ActivationCache<Float>] {
        let recipe = try SyntheticRecipe(contentsOf: Self.package + "/sample-data/training/orrery-mini.toml")
        var generator = SyntheticGenerator(recipe)
        let tokenizer = try #require(try model.checkpoint.tokenizer())
        var hooks = (0..<model.layerCount).map { Hook.residualPre(layer: $0) }
        hooks.append(.residualPost(layer: model.layerCount - 1))
        return try (0..<count).map { number in
            let text = try generator.document(source: number % recipe.sources.count, number: first + number).text
            return try model.run(Array(tokenizer.encode(text).prefix(256)), keeping: .only(Set(hooks)))
        }
    }

    @Test("reads every layer of orrery-mini better than the logit lens, and deeper ones better than earlier ones")
    func orreryMini() throws {
        let model = try RuntimeModel(Checkpoints.open(Self.package + "/sample-data/models/orrery-mini"))
        let readout = try model.readout()
        let points = (0..<model.layerCount).map { ResidualPart.pre(layer: $0) }
        let training = try TunedLensTraining(
            TunedLens(points: points, width: model.width), readout, steps: 50, rule: .adam(rate: 5e-3))
        let seen = try runs(model, 40, from: 0)
        let streams = try (0...model.layerCount).map { place in
            let hook: Hook = place < model.layerCount ? .residualPre(layer: place) : .residualPost(layer: place - 1)
            return try concatenate(try seen.map { try $0[hook] }, axis: 0)
        }
        var generator = PhiloxGenerator(seed: 1)
        for _ in 0..<50 {
            let rows = (0..<192).map { _ in generator.integer(in: 0..<streams[0].shape[0]) }
            let batch = try streams.map { try $0.selecting(rows, axis: 0) }
            try training.step(Array(batch.dropLast()), final: try #require(batch.last))
        }
        let held = try runs(model, 6, from: 1 << 30)
        func surprise(_ lens: LogitLens<Float>) throws -> [Double] {
            var (sums, count) = ([Double](repeating: 0, count: points.count + 1), 0.0)
            for cache in held {
                let table = try lens.table(of: cache, layerCount: model.layerCount)
                for (point, cells) in table.cells.enumerated() {
                    sums[point] -= cells.reduce(0) { $0 + ($1.chosen?.logProbability ?? 0) }
                }
                count += Double(cache.tokens.count - 1)
            }
            return sums.map { $0 / count }
        }
        let plain = try surprise(LogitLens(readout, topCount: 0))
        let tuned = try surprise(LogitLens(readout, topCount: 0, tuned: training.lens()))
        for point in points.indices {
            #expect(tuned[point] <= plain[point], "layer \(point)")
            #expect(tuned[point + 1] <= tuned[point], "layer \(point)")
        }
        #expect(tuned.last == plain.last)
    }
}
