import Interpretability
import System
import Tensors
import Testing

@Suite("Superposition")
struct SuperpositionTests {
    private func best(sparsity: Double) throws -> SuperpositionModel {
        var configuration = SuperpositionConfiguration()
        configuration.sparsity = sparsity
        configuration.steps = 2500
        configuration.batchRows = 512
        configuration.learningRate = 2e-3
        let models = try SuperpositionTrainer.run(configuration)
        #expect(models.count == 8 && models.map(\.loss) == models.map(\.loss).sorted())
        return models[0]
    }

    @Test("five rare features form a pentagon in the best of eight starts")
    func pentagon() throws {
        let model = try best(sparsity: 0.9)
        #expect(model.geometry == .polygon(5) && model.geometry.name == "pentagon")
        #expect(model.represented == [0, 1, 2, 3, 4])
        #expect(model.dimensionalities.allSatisfy { abs($0 - 0.4) < 0.03 })
        #expect(abs(model.loss - 0.0213) < 0.002)
    }

    @Test("features that are always there: the two of most importance, at right angles")
    func orthogonal() throws {
        let model = try best(sparsity: 0)
        #expect(model.geometry == .orthogonal(2) && model.geometry.name == "two orthogonal")
        #expect(model.represented == [0, 1])
    }

    @Test("at sparsity 0.8, four features form two antipodal pairs")
    func antipodal() throws {
        let model = try best(sparsity: 0.8)
        #expect(model.geometry == .antipodal(pairs: 2) && model.geometry.name == "two antipodal pairs")
        #expect(model.represented.allSatisfy { abs(model.dimensionalities[$0] - 0.5) < 0.03 })
    }

    @Test("the gradient is that of the loss")
    func gradient() throws {
        var configuration = SuperpositionConfiguration()
        (configuration.features, configuration.dimensions) = (4, 3)
        var run = SuperpositionRun(configuration, start: 0)
        let batch = try Tensor<Double>.uniform([20, 4], seed: 2).elements.map { $0 < 0.4 ? 0 : $0 }
        _ = run.differentiate(batch)
        let gradient = run.gradient
        for i in gradient.indices {
            let sides = [1e-6, -1e-6].map { change in
                var moved = run
                moved.parameters[i] += change
                return moved.differentiate(batch)
            }
            #expect(abs((sides[0] - sides[1]) / 2e-6 - gradient[i]) < 1e-7)
        }
    }

    @Test("shapes are distinguished")
    func geometry() {
        #expect(SuperpositionGeometry([[1, 0], [0, 2], [0, -1], [-3, 0]]) == .antipodal(pairs: 2))
        #expect(SuperpositionGeometry([[0, 1], [0.866, -0.5], [-0.866, -0.5]]).name == "triangle")
        #expect(SuperpositionGeometry([[1, 0, 0], [0, 1, 0], [0, 0, 1]]) == .orthogonal(3))
        #expect(SuperpositionGeometry([[1, 0], [1, 0.5], [0, 1]]) == .mixed(3))
        #expect(SuperpositionGeometry([]) == .orthogonal(0))
    }

    @Test("stops at once when canceled, and reports settings out of range")
    func refuses() {
        #expect(throws: Problem.cancelled()) {
            try SuperpositionTrainer.run(SuperpositionConfiguration()) { true }
        }
        var configuration = SuperpositionConfiguration()
        configuration.sparsity = 1
        #expect(throws: Problem.self) { try SuperpositionTrainer.run(configuration) }
    }
}
