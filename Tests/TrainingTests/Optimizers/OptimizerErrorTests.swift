import Tensors
import Testing
import Training

@Suite("What optimizers refuse")
struct OptimizerErrorTests {
    private func sentence(_ body: () throws -> Void) -> String {
        do { try body() } catch { return "\(error)" }
        return "no error"
    }

    @Test("numbers out of range are named")
    func numbers() {
        let answers = [
            sentence { _ = try Optimizer<Float>(.adamW, ["beta2": 1]) }:
                "AdamW: needs beta 2 from 0 to below 1, not 1.0.",
            sentence { _ = try Optimizer<Float>(.adam, ["epsilon": -1]) }:
                "Adam: needs epsilon to be 0 or more, not -1.0.",
            sentence { _ = try Optimizer<Float>(.sgd, ["nesterov": 1]) }:
                "SGD: needs momentum and no dampening for Nesterov momentum.",
            sentence { _ = try Optimizer<Float>(.lion, ["weight_decay": .nan]) }:
                "Lion: needs weight decay to be 0 or more, not nan.",
            sentence { _ = try Optimizer<Float>(.muon(iterations: 0, scale: .shape)) }:
                "Muon: needs 1 to 100 iterations, not 0.",
            sentence { _ = try Optimizer<Float>(.adamW, ["beta3": 0.5]) }:
                "AdamW: has no hyperparameter beta3. Available: beta1, beta2, epsilon, weight_decay.",
            sentence { _ = try WeightAverage<Float>(decay: 1) }:
                "weight average: needs decay from 0 to below 1, not 1.0.",
            sentence { _ = try clipGradients(of: [Parameter<Float>](), toNorm: 0) }:
                "clipGradients: needs a norm above 0, not 0.0.",
        ]
        for (found, expected) in answers { #expect(found == expected) }
    }

    @Test("a step that cannot be done changes nothing and says why")
    func steps() throws {
        let good = Parameter("good", try Tensor<Float>([1, 2]))
        good.gradient = try Tensor([1, 1])
        let bent = Parameter("bent", try Tensor<Float>([1, 2, 3]))
        bent.gradient = try Tensor([1, 1])
        let twin = Parameter("good", try Tensor<Float>([5, 6]))
        twin.gradient = try Tensor([1, 1])
        for variant in OptimizerCase.all {
            var optimizer = try variant.optimizer(of: Float.self)
            let misfit = sentence { try optimizer.step([good, bent], rate: 0.1) }
            #expect(
                misfit.hasSuffix(
                    ": [3] and [2] differ: the first is the shape of bent, the second that of its gradient."))
            let double = sentence { try optimizer.step([good, twin], rate: 0.1) }
            #expect(double.contains("belong to two parameters named good"))
            let rate = sentence { try optimizer.step([good], rate: .nan) }
            #expect(rate.hasSuffix(": needs a finite learning rate, not nan."))
            #expect(optimizer.steps == 0)
        }
        #expect(good.value.elements == [1, 2])
    }

    @Test("a foreign or damaged state is refused, and the optimizer stays as it was")
    func states() throws {
        let parameter = Parameter("w", try Tensor<Float>([1, 2]))
        parameter.gradient = try Tensor([1, 1])
        var optimizer = try Optimizer<Float>(.adamW)
        try optimizer.step([parameter], rate: 0.1)
        let one = try Tensor<Float>([1, 1])
        let count = try Tensor<Float>(1)
        let cases: [(state: [String: Tensor<Float>], problem: String)] = [
            (["w/first": one, "w/steps": count], "cannot restore the state: w/second is missing"),
            (["w/momentum": one], "has no state w/momentum: the state belongs to a different optimizer or is corrupt"),
            (["w/first": one, "w/second": try Tensor([1]), "w/steps": count], "differ in the optimizer state of w"),
            (["w/first": one, "w/second": one, "w/steps": try Tensor(-1)], "is not a step count, in w/steps"),
        ]
        for (state, problem) in cases {
            #expect(sentence { try optimizer.restore(state, steps: 7) }.contains(problem))
        }
        #expect(optimizer.steps == 1)
        try optimizer.restore(["w/first": one, "w/second": one, "w/steps": count], steps: 1)
        let grown = Parameter("w", try Tensor<Float>([1, 2, 3]))
        grown.gradient = try Tensor([1, 1, 1])
        #expect(
            sentence { try optimizer.step([grown], rate: 0.1) }
                == "AdamW: [3] and [2] differ: the first is the shape of w, the second that of its optimizer state.")
    }
}
